from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from remit.browser import BannerOutcome, Control, Frame, Observation, Overlay, dismiss_banner, find_banner
from tests.browser.conftest import Open
from tests.sites.pages import serve

LANGUAGES = ("ar", "de", "el", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "zh")
BAR = "<div id=bar style='position:fixed;left:0;right:0;bottom:0;height:40%;background:#fff'>{}</div>"
SHOW = """<script>
  const hit = (n) => { document.title += n; const b = document.querySelector('#bar'); if (b) b.remove() }
</script>"""


def banner_page(*labels: str, text: str = "We use cookies to improve your experience.") -> str:
    return (
        SHOW
        + "<a href=/next>Next</a>"
        + BAR.format(text + "".join(f"<button onclick=\"hit('{x}')\">{x}</button>" for x in labels))
    )


def seen_banner(text: str, *labels: str, role: str = "dialog", html_id: str = "", index: int = 0) -> Observation:
    controls = tuple(
        Control(id=i, tag="button", role="button", rank="native", name=label, visible=True)
        for i, label in enumerate(labels)
    )
    ids = tuple(range(len(labels)))
    overlay = Overlay(role, True, "", text, ids, html_id, "", "fixed", (0, 0, 100, 100))
    return Observation(
        (Frame(index=index, origin="http://a", url="http://a/", controls=controls, overlays=(overlay,)),)
    )


def words(language: str) -> dict[str, list[str]]:
    return tomllib.loads(files("remit.browser").joinpath("lexicon", "consent", f"{language}.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_concept(language: str) -> None:
    concepts = words(language)
    assert set(concepts) == {"subject", "reject", "reject_phrase", "accept", "accept_phrase", "settings", "pay"}
    assert all(phrases and len(phrases) == len(set(phrases)) for phrases in concepts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_refusal_is_chosen_and_acceptance_never(language: str) -> None:
    concepts = words(language)
    for refusal in (*concepts["reject"], *concepts["reject_phrase"]):
        for acceptance in (*concepts["accept"], *concepts["accept_phrase"]):
            banner = find_banner(seen_banner(concepts["subject"][0], acceptance, concepts["settings"][0], refusal))
            assert banner is not None
            assert banner.reject == 2, (acceptance, refusal)
    for acceptance in (*concepts["accept"], *concepts["accept_phrase"]):
        banner = find_banner(seen_banner(concepts["subject"][0], acceptance))
        assert banner is not None
        assert banner.reject is None, acceptance


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_accept_or_pay_is_told_apart(language: str) -> None:
    concepts = words(language)
    for price in concepts["pay"]:
        banner = find_banner(seen_banner(concepts["subject"][0], concepts["accept_phrase"][0], price))
        assert banner is not None
        assert banner.accept_or_pay, price
        assert banner.reject is None, price


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Book a table for two", ("Close", "Book")),
        ("Delete this invoice?", ("OK", "Cancel")),
        ("Invitation from Anna", ("Accept", "Decline")),
        ("Sign in to continue", ("Sign in", "No thanks")),
    ],
)
def test_the_sites_own_dialogs_are_left_alone(text: str, labels: tuple[str, ...]) -> None:
    banner = find_banner(seen_banner(text, *labels))
    assert banner is None or banner.reject is None


def test_an_identifier_of_a_consent_platform_is_enough() -> None:
    banner = find_banner(seen_banner("We value you", "Agree", "Decline", html_id="cookie-notice"))
    assert banner is not None
    assert banner.reject == 1


async def test_a_banner_is_refused_once_and_seen_to_be_gone(opened: Open) -> None:
    session, _ = await opened(banner_page("Accept all", "Settings", "Reject all"))
    assert await dismiss_banner(session) is BannerOutcome.REJECTED
    assert (await session.observe()).main.title == "Reject all"
    assert await dismiss_banner(session) is BannerOutcome.NONE


async def test_what_the_banner_covered_can_be_used_then(opened: Open) -> None:
    session, site = await opened(
        {
            "/": SHOW
            + "<a href=/next style='position:absolute;bottom:10px'>Next</a>"
            + BAR.format("Cookies! <button onclick=hit(1)>Necessary only</button><button onclick=hit(2)>OK</button>"),
            "/next": "N",
        }
    )
    assert await dismiss_banner(session) is BannerOutcome.REJECTED
    seen = await session.observe()
    assert (await session.click(seen, 0, 0)).kind == "navigated"
    assert site.asked("/next") == 1


async def test_accept_or_pay_is_left_to_a_person(opened: Open) -> None:
    session, _ = await opened(banner_page("Accept", "Subscribe"))
    assert await dismiss_banner(session) is BannerOutcome.ACCEPT_OR_PAY
    assert (await session.observe()).main.title == ""


async def test_only_settings_is_reported_and_not_followed(opened: Open) -> None:
    session, _ = await opened(banner_page("Accept all", "Manage preferences"))
    assert await dismiss_banner(session) is BannerOutcome.NOT_POSSIBLE
    assert (await session.observe()).main.title == ""


async def test_a_button_without_effect_is_not_believed(opened: Open) -> None:
    session, _ = await opened(BAR.format("We use cookies <button>Reject all</button><button>Accept all</button>"))
    assert await dismiss_banner(session) is BannerOutcome.NOT_POSSIBLE


async def test_a_banner_that_fades_away_is_waited_for(opened: Open) -> None:
    page = BAR.format("We use cookies <button onclick='setTimeout(() => bar.remove(), 600)'>Reject all</button>")
    session, _ = await opened(page)
    assert await dismiss_banner(session) is BannerOutcome.REJECTED


async def test_a_banner_in_a_shadow_root_is_found(opened: Open) -> None:
    session, _ = await opened("""<h1>Shop</h1><cmp-root></cmp-root><script>
      const root = document.querySelector('cmp-root').attachShadow({mode: 'open'});
      root.innerHTML = `<div style='position:fixed;inset:30% 0 0 0;background:#fff'>Usiamo i cookie
        <button>Accetta tutti</button>
        <button onclick="document.title='no';this.getRootNode().host.remove()">Solo necessari</button></div>`;
      </script>""")
    assert await dismiss_banner(session) is BannerOutcome.REJECTED
    assert (await session.observe()).main.title == "no"


async def test_a_banner_in_a_frame_of_another_origin_is_found(opened: Open) -> None:
    inner = """<p>Cookies and your privacy</p><button onclick="parent.postMessage('no', '*')">Reject all</button>
      <button onclick="parent.postMessage('yes', '*')">Accept all</button>"""
    with serve({"/": inner}) as cmp:
        (
            session,
            _,
        ) = await opened(f"""<h1>Shop</h1>
          <iframe src='{cmp.url}/' style='position:fixed;bottom:0;left:0;width:100%;height:200px'></iframe>
          <script>onmessage = (e) => {{ document.title = e.data; document.querySelector('iframe').remove() }}</script>
        """)
        assert await dismiss_banner(session) is BannerOutcome.REJECTED
        assert (await session.observe()).main.title == "no"


async def test_a_banner_that_is_part_of_the_page_is_found(opened: Open) -> None:
    session, _ = await opened("""<h1>Shop</h1><div class=notice><h2>Cookies</h2>We use them.
      <button>Accept all cookies</button>
      <button onclick="document.title='no';this.parentElement.remove()">Reject all cookies</button></div>
      <form><h2>Review</h2><button>Accept</button><button>Reject</button></form>""")
    assert await dismiss_banner(session) is BannerOutcome.REJECTED
    assert (await session.observe()).main.title == "no"
    assert await dismiss_banner(session) is BannerOutcome.NONE


async def test_an_applications_own_dialog_is_untouched(opened: Open) -> None:
    session, _ = await opened("""<div role=dialog aria-modal=true style='position:fixed;inset:10%;background:#fff'>
      <button aria-label=Close onclick="document.title='closed'">×</button>
      <form><input name=guests><button>Book</button></form></div>""")
    assert await dismiss_banner(session) is BannerOutcome.NONE
    assert (await session.observe()).main.title == ""
