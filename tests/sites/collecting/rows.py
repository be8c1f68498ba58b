"""Lists on one page: recycled windows, rows that read the same, spans, totals, records in other markup."""

from __future__ import annotations

from collections.abc import Iterable

HEAD = "<thead><tr><th>Number</th><th>Date</th><th>Amount</th></tr></thead>"


def table(rows: Iterable[str], *, head: str = "", foot: str = "", columns: str = HEAD) -> str:
    """A page with a table of invoices in its main part."""
    return (
        f"<!doctype html><title>Invoices</title>{head}<main><h1>Invoices</h1><table id=t>{columns}"
        f"<tbody>{''.join(rows)}</tbody></table>{foot}</main>"
    )


def row(number: int, day: str = "2026-03-11") -> str:
    """An invoice without a page of its own."""
    return f"<tr><td>INV-{number:04}</td><td>{day}</td><td>{number}.50 €</td></tr>"


def recycled(total: int, *, window: bool) -> str:
    """`total` rows shown by twelve nodes that are filled anew on scrolling a box, or the window; they fill it."""
    scroller = "document.scrollingElement" if window else "box"
    high = 80 if window else 40
    style = "" if window else "height:400px;overflow-y:auto;"
    event = "addEventListener" if window else "box.addEventListener"
    return f"""<!doctype html><title>Invoices</title><main><h1>Invoices</h1>
    <div id=box style="{style}position:relative">
    <ul id=list role=list style="margin:0;padding:0;position:relative;height:{total * high}px"></ul></div></main>
    <script>
    const nodes=[...Array(12)].map(()=>{{const li=document.createElement('li');li.style=
      'position:absolute;height:{high}px;left:0;right:0;list-style:none';
      li.innerHTML='<b class=number></b> <span class=amount></span>';list.append(li);return li}});
    function fill(){{const from=Math.min({total}-12,Math.max(0,Math.floor({scroller}.scrollTop/{high})-1));
      nodes.forEach((li,k)=>{{const n=from+k;li.style.top=n*{high}+'px';
      li.children[0].textContent='INV-'+String(n+1).padStart(4,'0');li.children[1].textContent=(n+1)+'.50 €'}})}}
    {event}('scroll',fill);fill()</script>"""


ALIKE_BUT_ONE_CELL = table(
    [
        f"<tr><td>2026-03-11</td><td>20.00 €</td><td>Acme</td><td style='position:relative;left:2500px'>INV-{n}</td>"
        f"<td><a href=/i/{n} style='display:inline-block;width:9px;height:9px' aria-label=Open></a></td></tr>"
        for n in (1, 2)
    ],
    columns="<thead><tr><th>Date</th><th>Amount</th><th>Supplier</th><th>Number</th><th></th></tr></thead>",
)
ALIKE_IN_ALL = table([row(1), row(2), row(1), row(3)])

SPANS = table(
    [
        "<tr><td rowspan=2>January 2026</td><th scope=row>INV-0001</th><td>1.50 €</td></tr>",
        "<tr><th scope=row>INV-0002</th><td>2.50 €</td></tr>",
        "<tr><td rowspan=2>February 2026</td><th scope=row>INV-0003</th></tr>",
        "<tr><th scope=row>INV-0004</th><td>4.50 €</td></tr>",
        "<tr><td>March 2026</td><th scope=row>INV-0005</th><td>5.50 €</td></tr>",
    ],
    columns="<thead><tr><th>Month</th><th>Number</th><th>Amount</th></tr></thead>",
)

CURRENT_BILL_ABOVE = table(
    map(row, range(1, 5)),
    head=(
        "<section class=card><h2>Current bill</h2><dl><dt>Number</dt><dd>INV-0099</dd><dt>Date</dt><dd>2026-04-01</dd>"
        "<dt>Amount</dt><dd>99.50 €</dd></dl></section>"
    ),
)
UNCLEAR_BILL_ABOVE = table(
    map(row, range(1, 5)),
    head="<section class=card><h2>Current bill</h2><p>01/04/2026</p><p>99.50 €</p><a href=/pdf>PDF</a></section>",
)

_HEADER_AGAIN = "<tr><th>Number</th><th>Date</th><th>Amount</th></tr>"
TOTALS = table(
    [
        *map(row, range(1, 4)),
        "<tr><td>Total</td><td></td><td>1.234,00 €</td></tr>",
        _HEADER_AGAIN,
        *map(row, range(4, 7)),
        "<tr><td colspan=2>Grand total</td><td>2.468,00 €</td></tr>",
    ]
)


def years(*, reverse: bool = False) -> str:
    """Rows of two years in no order."""
    texts = ["05/06/2026", "31/12/2025", "01/01/2026", "Jan 2026", "Dic 2025 – Gen 2026", "", "11/03/2026"]
    rows = [f"<tr><td>INV-{n}</td><td>{text}</td><td>{n}.50 €</td></tr>" for n, text in enumerate(texts)]
    return table(reversed(rows) if reverse else rows)


def column(name: str, texts: Iterable[str]) -> str:
    """A list whose second column holds these texts."""
    rows = (f"<tr><td>INV-{n}</td><td>{text}</td></tr>" for n, text in enumerate(texts))
    return table(rows, columns=f"<thead><tr><th>Number</th><th>{name}</th></tr></thead>")


def expanding(count: int, *, alike: tuple[int, ...] = (), control: str = "+") -> str:
    """Rows whose status shows only when they are opened; opening one closes the other. `alike` read as the first."""
    rows = "".join(
        f"<tr id=r{n}><td>INV-{1 if n in alike else n}</td><td>{1 if n in alike else n}.50 €</td>"
        f'<td><button aria-expanded=false onclick="toggle(this,{n})">{control}</button></td></tr>'
        for n in range(1, count + 1)
    )
    return f"""<!doctype html><title>Invoices</title><main><h1>Invoices</h1><table id=t><thead><tr><th>Number</th>
    <th>Amount</th><th></th></tr></thead><tbody>{rows}</tbody></table></main><script>
    function toggle(b,n){{fetch('/opened?'+n);const open=b.getAttribute('aria-expanded')==='true';
      document.querySelectorAll('.d').forEach(e=>e.remove());
      document.querySelectorAll('[aria-expanded]').forEach(e=>e.setAttribute('aria-expanded','false'));
      if(open)return;b.setAttribute('aria-expanded','true');
      const d=document.createElement('tr');d.className='d';
      d.innerHTML='<td colspan=3><dl><dt>Status</dt><dd>'+(n%2?'paid':'open '+n)+'</dd></dl></td>';
      b.closest('tr').after(d)}}</script>"""
