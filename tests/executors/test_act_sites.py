from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from remit.executors import _acting_goal
from remit.handoff import Effect as PersonsEffect
from remit.handoff import Verdict
from remit.models import Answer as ModelAnswer
from remit.models import Candidate, Choose, Models, Question, ScriptedBackend
from tests.executors.conftest import PASSWORD, USERNAME, Json, Remit, Serve
from tests.sites.acting import HOSTILE, PDF, attachment, endless, invoices, numbered, table, two_levels
from tests.sites.pages import Answer, Page, Site
from tests.sites.running_portal import running_portal


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, remit: Remit) -> None:
    """No model, unless a test brings one; nothing here comes late."""
    monkeypatch.setattr(remit.rooms, "_models", Models(ScriptedBackend()))
    monkeypatch.setattr(_acting_goal, "LATE_S", 0.4)
    monkeypatch.setattr(_acting_goal, "BEGIN_S", 1.0)


async def act(remit: Remit, site: Site, goal: str, until: str, **more: str) -> Json:
    """Act on the site's first page; the session's item."""
    session = await remit.open(site)
    told = await remit.call("act_sites", session_ids=[session], goal=goal, until=until, **more)
    item: Json = told["sessions"][0]
    assert told["status"] == item["status"]
    return item


def effects(remit: Remit) -> list[tuple[str, str, str | None]]:
    """Of the last run."""
    row = remit.rooms.journal._db.one("SELECT id FROM runs ORDER BY started DESC LIMIT 1")
    assert row is not None
    return remit.rooms.journal.effects(str(row["id"]))


def modelled(pick: Callable[[tuple[Candidate, ...]], str]) -> ScriptedBackend:
    def say(question: Question[ModelAnswer]) -> str:
        assert isinstance(question, Choose)
        return json.dumps({"answer": pick(question.candidates)})

    return ScriptedBackend(say)


@contextmanager
def using(remit: Remit, backend: ScriptedBackend) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remit.rooms, "_models", Models(backend))
        yield


# -- areas


@pytest.mark.parametrize(
    ("account", "billing", "heading", "goal"),
    [
        ("My account", "Billing", "Billing", "open the billing area"),
        ("Il mio account", "Fatturazione", "Fatturazione", "apri l'area fatturazione"),
        ("Il mio account", "Fatturazione", "Fatturazione", "open the billing area"),
    ],
)
async def test_an_area_is_opened_over_two_levels(
    remit: Remit, served: Serve, account: str, billing: str, heading: str, goal: str
) -> None:
    site = served(two_levels(account, billing, heading))
    item = await act(remit, site, goal, "opened")
    assert (item["status"], item["steps"]) == ("done", 2)
    assert [request.path for request in site.requests] == ["/", "/account", "/billing"]
    assert effects(remit) == [("click", "goal step", "observed")] * 2


async def test_what_is_open_already_is_done_without_a_step(remit: Remit, served: Serve) -> None:
    item = await act(remit, served({"/": "<h1>Billing</h1><a href=/x>Billing</a>"}), "open the billing area", "opened")
    assert (item["status"], item["steps"]) == ("done", 0)


@pytest.mark.parametrize(
    "page",
    [
        "<title>Sorry - Acme Billing Portal</title><h1>Sorry</h1>",
        "<header><h1>Acme Billing</h1></header><main><h2>Sorry</h2><h2>Weather</h2></main>",
        "<h1>Sorry</h1><section><h2>Billing</h2><a href=/c>Go</a></section>",
        "<h1>Sorry</h1><h2><a href=/c>Billing</a></h2>",
        "<h1>Sorry</h1><nav><button aria-expanded=true>Billing</button></nav>",
        "<h1>Sorry</h1><h2 hidden>Billing</h2><input value=Billing>",
    ],
)
async def test_what_only_names_an_area_is_no_sign_of_being_there(remit: Remit, served: Serve, page: str) -> None:
    home = "<title>Home - Acme Billing Portal</title><header><h1>Acme Billing</h1></header><main><h1>Welcome</h1>"
    site = served({"/": f"{home}<a href=/b>Fatturazione</a>", "/b": page, "/c": "<h1>Sorry</h1>"})
    item = await act(remit, site, "open the billing area", "opened")
    assert item["status"] == "failed"
    assert item["reason"] in ("goal_not_seen", "no_effect")


async def test_a_menu_that_opens_is_not_the_area_it_leads_to(remit: Remit, served: Serve) -> None:
    menu = (
        "<nav><button aria-expanded=false onclick=\"this.ariaExpanded='true';m.hidden=false\">Billing</button>"
        "<div id=m hidden><a href=/b>Billing overview</a></div></nav>"
    )
    site = served({"/": f"<h1>Desk</h1>{menu}", "/b": "<h1>Billing</h1>"})
    item = await act(remit, site, "open the billing area", "opened")
    assert (item["status"], item["steps"]) == ("done", 2)


@pytest.mark.parametrize(
    "control",
    [
        "<details><summary>Billing</summary><h2>Billing</h2>Nothing due</details>",
        "<button aria-expanded=false onclick=\"this.ariaExpanded='true'\">Billing</button>",
        "<div role=tablist><button role=tab onclick=\"this.ariaSelected='true'\">Billing</button></div>",
    ],
)
async def test_sections_and_tabs_are_opened_without_consent(remit: Remit, served: Serve, control: str) -> None:
    item = await act(remit, served({"/": f"<h1>Desk</h1>{control}"}), "open billing", "opened")
    assert (item["status"], item.get("steps")) == ("done", 1)


async def test_a_box_that_only_listens_is_used_like_a_link(remit: Remit, served: Serve) -> None:
    page = "<h1>Desk</h1><div style=cursor:pointer onclick=\"location='/fatture'\">Fatture</div>"
    site = served({"/": page, "/fatture": "<h1>Fatture</h1>"})
    item = await act(remit, site, "open the invoices", "opened")
    assert (item["status"], site.asked("/fatture")) == ("done", 1)


async def test_after_four_steps_without_the_condition_it_is_over(remit: Remit, served: Serve) -> None:
    pages: dict[str, Page] = {
        f"/{step or ''}": f"<h1>Desk {step}</h1><a href=/{step + 1}>Billing</a>" for step in range(7)
    }
    site = served(pages)
    item = await act(remit, site, "open the billing area", "opened")
    assert (item["status"], item["reason"], item["steps"]) == ("failed", "goal_not_seen", 4)
    assert site.asked("/4") == 1
    assert not site.asked("/5")


async def test_a_dead_control_is_used_once(remit: Remit, served: Serve) -> None:
    page = "<h1>Desk</h1><nav><button type=button onclick=\"fetch('/pressed')\">Billing</button></nav>"
    site = served({"/": page, "/pressed": "x"})
    item = await act(remit, site, "open the billing area", "opened")
    assert (item["status"], item["reason"]) == ("failed", "no_effect")
    assert site.asked("/pressed") == 1
    assert effects(remit) == [("click", "goal step", "not_observed")]


async def test_a_page_without_a_way_is_inconclusive(remit: Remit, served: Serve) -> None:
    item = await act(remit, served({"/": "<h1>Desk</h1><a href=/x>Weather</a>"}), "open the billing area", "opened")
    assert (item["status"], item["reason"]) == ("failed", "inconclusive")


async def test_what_is_shown_or_gone_is_seen_in_the_text(remit: Remit, served: Serve) -> None:
    page = (
        "<h1>Orders</h1><p id=p>2 open orders</p><div role=tablist>"
        "<button role=tab onclick=\"p.textContent='No closed orders'\">Closed</button></div>"
    )
    site = served({"/": page})
    assert (await act(remit, site, "open the Closed tab", "shown", words="no closed orders"))["status"] == "done"
    gone = await act(remit, site, "open the Closed tab", "gone", words="2 open orders")
    assert (gone["status"], gone["steps"]) == ("done", 1)


# -- rows


async def test_the_right_one_of_ten_equal_links_is_told_by_its_row(remit: Remit, served: Serve) -> None:
    site = served(invoices(numbered()))
    item = await act(remit, site, "download invoice INV-2043", "download")
    assert (item["status"], item["kind"], item["steps"]) == ("done", "pdf", 1)
    file = Path(item["file"])
    assert file.read_bytes() == PDF + b"INV-2043"
    assert file.name == "download-INV-2043.pdf"
    assert file.parent == remit.settings.files_dir / "Downloads"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [r.path for r in site.requests] == ["/", "/file/INV-2043"]
    assert effects(remit) == [("click", "goal step", "observed"), ("write_file", "download", "observed")]
    assert item["bytes"] == len(PDF) + 8
    again = await act(remit, site, "scarica la fattura", "download", row="INV-2043")
    assert Path(again["file"]).name == "download-INV-2043-2.pdf"


async def test_rows_that_read_the_same_are_ambiguous(remit: Remit, served: Serve) -> None:
    pages = invoices(["INV-2041"])
    pages["/"] = table([("INV-2041", "<a href=/file/INV-2041>Scarica</a>"), ("INV-2041", "<a href=/other>Scarica</a>")])
    site = served(pages)
    item = await act(remit, site, "download INV-2041", "download")
    assert (item["status"], item["reason"], item["steps"]) == ("failed", "ambiguous", 0)
    assert len(site.requests) == 1
    assert effects(remit) == []


@pytest.mark.parametrize(
    "cell",
    [
        "<a href=/a>Scarica</a> <a href=/b>Scarica</a>",
        "<a href=/a>Scarica PDF</a> <a href=/b>Scarica XML</a>",
        "<a href=/a title=INV-1000>Scarica</a> <a href=/b aria-label='Scarica INV-2041'>Scarica</a>",
        "<input value=INV-2041><a href=/a>Scarica</a> <a href=/b>Scarica</a>",
    ],
)
async def test_two_controls_in_a_row_are_ambiguous(remit: Remit, served: Serve, cell: str) -> None:
    site = served({"/": table([("INV-2041", cell), ("INV-2042", "<a href=/c>Scarica</a>")])})
    with using(remit, modelled(lambda candidates: candidates[0].id)):
        item = await act(remit, site, "download INV-2041", "download")
    assert item["reason"] == "ambiguous"
    assert len(site.requests) == 1


async def test_the_kind_that_was_asked_tells_two_files_of_a_row_apart(remit: Remit, served: Serve) -> None:
    files: dict[str, Page] = {"/a": attachment("x.pdf", PDF), "/b": attachment("x.xml", "<?xml version='1.0'?><f/>")}
    cell = "<a href=/a>Scarica PDF</a> <a href=/b>Scarica XML</a>"
    site = served({"/": table([("INV-2041", cell)]), **files})
    item = await act(remit, site, "download INV-2041 as XML", "download")
    assert (item["status"], item["kind"]) == ("done", "xml")
    assert not site.asked("/a")


async def test_a_longer_number_is_another_row(remit: Remit, served: Serve) -> None:
    site = served(invoices(["INV-20411", "INV-2041-B", "AINV-2041", "2026-INV-2041x"]))
    item = await act(remit, site, "download INV-2041", "download")
    assert item["reason"] == "inconclusive"
    assert len(site.requests) == 1


@pytest.mark.parametrize(
    ("value", "hidden"),
    [("INV-2041", ""), ("", "<span hidden>INV-2041</span>"), ("", "<i style=display:none>INV-2041</i>")],
)
async def test_values_and_hidden_text_tell_nothing(remit: Remit, served: Serve, value: str, hidden: str) -> None:
    cells = [f"<input value='{value}'>{hidden}<a href=/a>Scarica</a>", "<input><a href=/b>Scarica</a>"]
    site = served({"/": table([("Alpha", cells[0]), ("Beta", cells[1])])})
    item = await act(remit, site, "download INV-2041", "download")
    assert item["reason"] == "inconclusive"
    assert len(site.requests) == 1


async def test_rows_without_a_number_in_the_goal_are_ambiguous(remit: Remit, served: Serve) -> None:
    site = served(invoices(numbered(3)))
    with using(remit, modelled(lambda candidates: candidates[0].id)):
        item = await act(remit, site, "download the invoice", "download")
    assert item["reason"] == "ambiguous"
    assert len(site.requests) == 1


async def test_a_record_is_opened_and_its_file_is_on_its_own_page(remit: Remit, served: Serve) -> None:
    rows = [(f"<a href=/i/{n}>{n}</a>", "<a href=/mail>Details by mail</a>") for n in numbered(3)]
    detail = (
        "<h1>Document</h1><a href=/d.pdf>Download</a><table><tr><td>INV-9999<td><a href=/w.pdf>Download</a></table>"
    )
    site = served({"/": table(rows), "/i/INV-2041": detail, "/d.pdf": attachment("INV.pdf", PDF)})
    item = await act(remit, site, "download INV-2041", "download")
    assert (item["status"], item["steps"]) == ("done", 2)
    assert not site.asked("/w.pdf")
    assert not site.asked("/i/INV-2040")


async def test_a_menu_that_a_row_opens_brings_its_file(remit: Remit, served: Serve) -> None:
    def opener(number: str) -> str:
        script = f"m.hidden=false;g.href='/file/{number}'"
        return f'<button type=button aria-haspopup=menu onclick="{script}">…</button>'

    pages = invoices(numbered(3), opener)
    menu = "<ul id=m role=menu hidden><li><a id=g role=menuitem href=/x>Download</a><li><a href=/x>Print</a></ul>"
    pages["/"] = f"<a href=/all>Download all</a>{pages['/']}{menu}"
    site = served(pages)
    item = await act(remit, site, "download INV-2041", "download")
    assert (item["status"], item["steps"]) == ("done", 2)
    assert [request.path for request in site.requests] == ["/", "/file/INV-2041"]


async def test_a_file_that_a_way_brings_unasked_is_not_the_one(remit: Remit, served: Serve) -> None:
    site = served({"/": "<h1>Desk</h1><nav><a href=/all>Invoices</a></nav>", "/all": attachment("all.zip", PDF)})
    item = await act(remit, site, "download invoice INV-2041", "download")
    assert (item["status"], item["reason"]) == ("failed", "download_refused")


# -- pages that change


async def test_a_recycled_node_is_not_used(remit: Remit, served: Serve) -> None:
    """The list drops Alpha and writes Beta into its node as soon as the mouse comes near."""
    page = (
        "<h1>Files</h1><ul id=u><li>Alpha 1001 <button onclick=\"fetch('/used')\">Download</button>"
        "<li>Beta 1002 <button>Download</button></ul><script>u.onmousemove=u.onmouseover=()=>{"
        "if(u.children.length<2)return;u.firstChild.firstChild.data='Beta 1002 ';u.lastChild.remove()}</script>"
    )
    site = served({"/": page, "/used": "x"})
    item = await act(remit, site, "download Alpha 1001", "download")
    assert (item["status"], item["reason"], item["steps"]) == ("failed", "inconclusive", 0)
    assert not site.asked("/used")


async def test_a_page_that_renumbers_still_gets_the_right_button(remit: Remit, served: Serve) -> None:
    """A button comes in before the others once the mouse is near: the places move, the right one is used or none."""
    page = (
        "<h1>Files</h1><nav id=n><button onclick=\"fetch('/alpha')\">Alpha</button>"
        "<button onclick=\"fetch('/beta').then(()=>document.title='B');h.textContent='Beta'\">Beta</button></nav>"
        "<h2 id=h>-</h2><script>let on=1;document.onmousemove=()=>{if(on){on=0;n.insertAdjacentHTML('afterbegin',"
        "'<button onclick=\"fetch(`/new`)\">New</button>')}}</script>"
    )
    site = served({"/": page, "/alpha": "x", "/beta": "x", "/new": "x"})
    await act(remit, site, "open Beta", "opened")
    assert not site.asked("/alpha")
    assert not site.asked("/new")
    assert site.asked("/beta") <= 1


# -- what needs a person


DRAFT = "<form method=post action=/save><input name=a value=b><button>Save draft</button></form>"


async def waiting(remit: Remit, site: Site, goal: str, words: str) -> Json:
    """What is told while a person is asked about a use."""
    session = await remit.open(site)
    told = await remit.call("act_sites", session_ids=[session], goal=goal, until="shown", words=words)
    assert (told["status"], told["reason"], told["next"]) == ("needs_user", "approval_required", "continue_run")
    return told


async def test_a_form_that_posts_waits_for_a_person(remit: Remit, served: Serve) -> None:
    """The page stores, then says that the session timed out: no request is sent before somebody approves."""
    site = served({"/": f"<h1>Draft</h1>{DRAFT}", "/save": "<h1>Session timeout</h1>"})
    told = await waiting(remit, site, "save draft", "saved")
    question = remit.question().question
    assert (question.effect, question.subject) == (PersonsEffect.SEND_FORM, "Save draft")
    assert str(question.site) == site.url
    assert "Save draft" not in str(told)
    assert site.posts() == []
    assert effects(remit) == []


async def test_an_approval_is_good_for_one_dispatch(remit: Remit, served: Serve) -> None:
    """The page stores, says that the session timed out, and shows the form again: one request all the same."""
    site = served({"/": f"<h1>Draft</h1>{DRAFT}", "/save": f"<h1>Session timeout</h1>{DRAFT}"})
    await waiting(remit, site, "save draft", "saved")
    told = await remit.answer(Verdict.ALLOWED_ONCE)
    item = told["sessions"][0]
    assert (item["status"], item["reason"], item["steps"]) == ("failed", "goal_not_seen", 1)
    assert len(site.posts()) == 1
    assert effects(remit) == [("submit", "goal step", "observed")]


async def test_an_approval_is_for_the_control_that_was_shown(remit: Remit, served: Serve) -> None:
    """While the person thinks, the button becomes another one: the yes was not for that."""
    swap = "<script>window.swap=()=>{document.querySelector('button').textContent='Delete draft'}</script>"
    site = served({"/": f"<h1>Draft</h1>{DRAFT}{swap}", "/save": "<h1>Saved</h1>"})
    await waiting(remit, site, "save draft", "saved")
    session = await remit.session(remit.question().question.session_id or "")
    await session._tab.page.evaluate("swap()")
    told = await remit.answer(Verdict.ALLOWED_ONCE)
    assert told["status"] == "failed"
    assert site.posts() == []


async def test_what_a_person_refuses_is_not_done(remit: Remit, served: Serve) -> None:
    site = served({"/": f"<h1>Draft</h1>{DRAFT}", "/save": "<h1>Saved</h1>"})
    await waiting(remit, site, "save draft", "saved")
    told = await remit.answer(Verdict.REFUSED)
    assert (told["status"], told["reason"]) == ("failed", "refused")
    assert site.posts() == []


@pytest.mark.parametrize(
    "control",
    [
        "<button type=button onclick=\"fetch('/used')\">Synchronise</button>",
        "<a href=# onclick=\"fetch('/used')\">Synchronise</a>",
        "<a href=\"javascript:fetch('/used')\">Synchronise</a>",
        "<form method=post action=/used><button aria-expanded=false>Synchronise</button></form>",
        "<form action=/used><button formmethod=post>Synchronise</button></form>",
        "<form action=/><button formaction=http://elsewhere.test/used>Synchronise</button></form>",
        "<a href=http://elsewhere.test/used>Synchronise</a>",
    ],
)
async def test_an_unknown_effect_waits_for_a_person(remit: Remit, served: Serve, control: str) -> None:
    site = served({"/": f"<h1>Desk</h1>{control}", "/used": "x"})
    await waiting(remit, site, "synchronise", "synchronised")
    assert not site.asked("/used")


@pytest.mark.parametrize("words", ["Delete", "Log out", "Pay now", "Accept all", "Elimina", "Esci"])
async def test_a_forbidden_control_is_never_used_whatever_is_asked(remit: Remit, served: Serve, words: str) -> None:
    site = served({"/": f"<h1>Desk</h1><nav><a href=/used>{words}</a></nav>", "/used": "x"})
    with using(remit, modelled(lambda candidates: candidates[0].id if candidates else "none")):
        item = await act(remit, site, words, "shown", words="gone away")
    assert item["status"] == "failed"
    assert not site.asked("/used")


# -- the model


async def test_a_model_is_asked_where_no_signal_decides(remit: Remit, served: Serve) -> None:
    site = served({"/": "<h1>Töö</h1><a href=/a>Arveldus</a><a href=/w>Ilm</a>", "/a": "<h1>Billing</h1>"})
    backend = modelled(lambda candidates: next((c.id for c in candidates if c.name == "Arveldus"), "none"))
    with using(remit, backend):
        item = await act(remit, site, "open the billing area", "opened")
    assert item["status"] == "done"
    assert len(backend.asked) == 1


async def test_a_hostile_model_reaches_no_other_row_and_nothing_forbidden(remit: Remit, served: Serve) -> None:
    rows = "".join(f"<tr><td>{n}<td><a href=/f/{n}>Scarica</a><a href=/x/{n}>Elimina</a>" for n in numbered(3))
    links = "".join(f"<li><a href=/l/{n}>{n}</a>" for n in numbered(3))
    site = served(
        {"/": f"<h1>Lista</h1><table>{rows}</table><ul>{links}</ul><a href=/logout>Esci</a><a href=/n>Ilm</a>"}
    )
    offered: list[str] = []

    def worst(candidates: tuple[Candidate, ...]) -> str:
        offered.extend(candidate.name for candidate in candidates)
        return candidates[0].id

    with using(remit, modelled(worst)):
        item = await act(remit, site, "download ZZZ-7777", "download")
    assert item["status"] == "failed"
    assert set(offered) == {"Ilm"}
    assert {request.path for request in site.requests} <= {"/", "/n"}


async def test_hostile_text_changes_nothing_and_reaches_nobody(remit: Remit, served: Serve) -> None:
    numbers = numbered(3)
    pages = invoices(
        numbers, lambda n: f"<a href=/file/{n} title='{HOSTILE}' aria-label='Scarica {HOSTILE}'>Scarica</a>"
    )
    pages["/"] = str(pages["/"]).replace("<h1>", f"<h1>{HOSTILE}").replace("12/05/2026", HOSTILE)
    pages["/file/INV-2041"] = attachment(f"../../{quote(HOSTILE)}.pdf", PDF + HOSTILE.encode())
    site = served(pages)
    session = await remit.open(site)
    told = await remit.call("act_sites", session_ids=[session], goal="download INV-2041", until="download")
    assert told["status"] == "done"
    assert [r.path for r in site.requests] == ["/", "/file/INV-2041"]
    said = json.dumps(told)
    assert "gnore" not in said
    assert "export" not in said
    assert "Scarica" not in said
    assert HOSTILE.encode() in Path(told["sessions"][0]["file"]).read_bytes()


# -- files


async def fetched(remit: Remit, serve: Serve, answer: Answer, goal: str = "download the report", **more: str) -> Json:
    """What comes of one link to a file."""
    return await act(
        remit, serve({"/": "<h1>Desk</h1><a href=/f>Download</a>", "/f": answer}), goal, "download", **more
    )


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (attachment("a.csv", "n;t\n1;2\n"), "csv"),
        (Answer("n;t\n1;2\n", headers={"content-type": "text/csv"}), "csv"),
        (Answer("one line", headers={"content-type": "text/plain"}), "txt"),
        (Answer(PDF, headers={"content-type": "application/pdf"}), "pdf"),
        (attachment("report.php", PDF), "pdf"),
    ],
)
async def test_files_are_kept_whether_sent_or_shown(remit: Remit, served: Serve, answer: Answer, kind: str) -> None:
    item = await fetched(remit, served, answer)
    assert (item["status"], item["kind"]) == ("done", kind)
    assert Path(item["file"]).read_bytes() == (answer.body.encode() if isinstance(answer.body, str) else answer.body)


@pytest.mark.parametrize(
    "answer",
    [
        attachment("invoice.pdf", "<!doctype html><title>Error</title>"),
        attachment("invoice.exe", b"MZ\x00\x01"),
        attachment("invoice.pdf", b""),
        attachment("invoice.html", "<html>x</html>"),
    ],
)
async def test_what_is_not_what_it_says_is_refused(remit: Remit, served: Serve, answer: Answer) -> None:
    before = set((remit.settings.files_dir / "Downloads").glob("**/*"))
    item = await fetched(remit, served, answer)
    assert (item["status"], item["reason"]) == ("failed", "download_refused")
    assert set((remit.settings.files_dir / "Downloads").glob("**/*")) == before
    assert effects(remit)[0] == ("click", "goal step", "not_observed")


async def test_another_kind_or_other_words_are_not_what_was_asked(remit: Remit, served: Serve) -> None:
    file = attachment("a.csv", "invoice;total\nINV-2041;5\n")
    assert (await fetched(remit, served, file, "download the report as PDF"))["reason"] == "download_refused"
    assert (await fetched(remit, served, file, words="credit note"))["reason"] == "download_refused"
    assert (await fetched(remit, served, file, words="INV-2041"))["status"] == "done"


async def test_an_error_page_is_no_file(remit: Remit, served: Serve) -> None:
    item = await fetched(remit, served, Answer("<h1>Sorry</h1>", status=500))
    assert (item["status"], item["reason"], item["steps"]) == ("failed", "goal_not_seen", 1)


async def test_a_download_that_never_ends_is_given_up(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_acting_goal, "DOWNLOAD_S", 1.0)
    with endless() as address:
        site = served({"/": "<h1>Desk</h1><a href=/f>Download</a>", "/f": Answer.redirect(address)})
        item = await act(remit, site, "download the report", "download")
    assert (item["status"], item["reason"]) == ("failed", "site_timeout")
    assert site.asked("/f") == 1
    assert effects(remit) == [("click", "goal step", "not_observed")]


async def test_a_file_over_the_limit_is_refused(remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_acting_goal, "MOST_BYTES", 1000)
    item = await fetched(remit, served, attachment("a.csv", "x" * 5000))
    assert (item["status"], item["reason"]) == ("failed", "download_over_limit")


@pytest.mark.parametrize("answer", [attachment("a.pdf", PDF), Answer(PDF, headers={"content-type": "application/pdf"})])
async def test_a_file_that_comes_in_a_new_window_is_kept_and_the_window_goes(
    remit: Remit, served: Serve, answer: Answer
) -> None:
    site = served({"/": "<h1>Desk</h1><a target=_blank href=/f>Download</a>", "/f": answer})
    session = await remit.open(site)
    told = await remit.call("act_sites", session_ids=[session], goal="download the report", until="download")
    assert told["status"] == "done"
    assert (await remit.session(session)).url == site.url + "/"


async def test_a_file_that_a_script_makes_is_kept(remit: Remit, served: Serve) -> None:
    made = "a.href=window.URL.createObjectURL(new Blob(['n;t']))"
    script = f"const a=document.createElement('a');a.download='r.csv';{made};a.click()"
    site = served({"/": f'<h1>Desk</h1><button type=button onclick="{script}">Export CSV</button>'})
    item = await act(remit, site, "export the list as CSV", "download")
    assert (item["status"], item["kind"]) == ("done", "csv")


async def test_a_download_that_nobody_expects_is_still_refused(remit: Remit, served: Serve) -> None:
    site = served({"/": "<h1>Desk</h1><a href=/f>Billing</a>", "/f": attachment("a.pdf", PDF)})
    session = await remit.open(site)
    told = await remit.call("act_sites", session_ids=[session], goal="open the billing area", until="opened")
    assert told["status"] == "failed"
    assert (await remit.session(session)).tally.downloads == 1


async def test_each_session_is_told_by_itself(remit: Remit, served: Serve) -> None:
    first, other = served(two_levels("Account", "Billing", "Billing")), served({"/": "<h1>x</h1>"})
    sessions = [await remit.open(first), "s_unknown", await remit.open(other)]
    told = await remit.call("act_sites", session_ids=sessions, goal="open the billing area", until="opened")
    assert [item["status"] for item in told["sessions"]] == ["done", "failed", "failed"]
    assert told["status"] == "partial"


async def test_a_record_of_a_real_portal_is_opened_after_signing_in(remit: Remit, tmp_path: Path) -> None:
    with running_portal(tmp_path, USERNAME, PASSWORD) as portal:
        site = Site(portal.port, {}, [])
        session = await remit.open(site)
        remit.store(site)
        assert (await remit.login_again(session))["status"] == "done"
        told = await remit.call("act_sites", session_ids=[session], goal="apri le fatture", until="opened")
        assert told["status"] == "done"
        frame = (await (await remit.session(session)).observe()).main
        number = next(c.row.split()[0] for c in frame.controls if c.name == "Details")
        told = await remit.call("act_sites", session_ids=[session], goal=f"open invoice {number}", until="opened")
        assert told["sessions"][0] == {"session_id": session, "status": "done", "steps": 1}
        assert (await remit.session(session)).url.endswith(number)
