"""The pages of a question: what is asked, its answer, and the live page where a person takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response

from remit.contract import Reason, RemitError, Secret
from remit.handoff import Answer, AnswerError, Asked, Pending, Through, Verdict

from ._words import ANSWERS, EFFECTS, ENDS, TITLES, clock

if TYPE_CHECKING:
    from remit.browser import LiveView

    from ._app import Visit

_LIVE = frozenset({Asked.CHALLENGE, Asked.SITE_DEMAND, Asked.ONE_TIME_CODE})


async def show(visit: Visit) -> Response:
    """The question while it is open, else what became of it."""
    question_id = visit.request.path_params["id"]
    pending = visit.house.desk.get(question_id)
    if pending is None:
        return _closed(visit, question_id)
    question = pending.question
    return visit.page(
        "question.html",
        title=TITLES[question.asked],
        pending=pending,
        question=question,
        effect=EFFECTS.get(question.effect) if question.effect else None,
        offers=[(verdict, ANSWERS[verdict]) for verdict in question.offers if verdict in ANSWERS],
        live=question.asked in _LIVE and question.session_id is not None,
        until=clock(pending.expires),
        asked=question.asked.value,
    )


def _closed(visit: Visit, question_id: str) -> Response:
    known = next((each for each in visit.house.desk.history() if each.id == question_id), None)
    if known is None:
        return visit.page("problem.html", 404, sentence=Reason.QUESTION_CLOSED.sentence)
    what = ENDS[known.verdict] if known.verdict else "Remit stopped while it was open"
    return visit.page("answered.html", what=what, when=clock(known.closed), run_id=known.run_id)


async def answer(visit: Visit) -> Response:
    """Take an answer, once. A second one, from whatever tab, is told what the first was."""
    question_id = visit.request.path_params["id"]
    pending = visit.house.desk.get(question_id)
    if pending is None:
        return _closed(visit, question_id)
    try:
        visit.house.desk.answer(question_id, _answer_of(visit.form), run_id=visit.form.get("run"))
    except AnswerError as error:
        if error.reason is Reason.QUESTION_CLOSED:
            return _closed(visit, question_id)
        raise
    return visit.go(f"/runs/{pending.run_id}")


def _answer_of(form: dict[str, str]) -> Answer:
    try:
        verdict = Verdict(form.get("verdict", ""))
        choice = int(form["choice"]) if "choice" in form else None
    except ValueError:
        raise AnswerError(Reason.BAD_ANSWER) from None
    code = form.get("code", "").strip()
    return Answer(verdict, Through.PANEL, Secret(code) if code else None, choice)


async def picture(visit: Visit) -> Response:
    """The page as it was when the question was asked."""
    pending = _open(visit)
    if pending.question.picture is None:
        return PlainTextResponse("Not here.", 404)
    return Response(pending.question.picture, media_type="image/jpeg")


async def frame(visit: Visit) -> Response:
    """The page as it is now, every field covered."""
    view = await _view(visit)
    return Response(await view.picture(), media_type="image/jpeg")


async def act(visit: Visit) -> Response:
    """A press or a turn of the wheel on the live page, while its question is open."""
    view, form = await _view(visit), visit.form
    try:
        if form.get("act") == "press":
            await view.press(float(form["x"]), float(form["y"]))
        elif form.get("act") == "scroll":
            await view.scroll(float(form["down"]))
        else:
            raise AnswerError(Reason.BAD_ANSWER)
    except (KeyError, ValueError):
        raise AnswerError(Reason.BAD_ANSWER) from None
    return PlainTextResponse("")


def _open(visit: Visit) -> Pending:
    pending = visit.house.desk.get(visit.request.path_params["id"])
    if pending is None:
        raise RemitError(Reason.QUESTION_CLOSED)
    return pending


async def _view(visit: Visit) -> LiveView:
    """The session of an open question that is about what a page shows; no other session can be seen."""
    from remit.browser import LiveView

    pending = _open(visit)
    session_id = pending.question.session_id
    if session_id is None or pending.question.asked not in _LIVE:
        raise RemitError(Reason.UNKNOWN_SESSION)
    broker = await visit.house.rooms.broker()
    return LiveView(broker.session(session_id, pending.principal))
