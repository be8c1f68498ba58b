"""`login_sites`: sign in to open sessions with stored credentials, and know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from remit.contract import ArgumentsModel, Branch, Outcome, Reason, RemitError, ResultModel, Secret, Status
from remit.handoff import Answer, Asked, NeedsPersonError
from remit.loop import Ending, LoopOutcome, run_bounded
from remit.runs import Call

from ._asking import ASKED, question_of
from ._batch import overall
from ._one_time import MOST_CODES
from ._sessions import note_signed_in, session_of
from ._shared import Handle, ReasonCode, StatusCode, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.browser import Session
    from remit.models import Models
    from remit.vault import Credential

MOST_QUESTIONS = 5
"""After so many answers of a person within one sign-in, the next obstacle is its end."""

REJECTIONS = frozenset({Reason.REJECTED, Reason.CODE_REJECTED})


class Arguments(ArgumentsModel):
    """Which sessions; the credential is found by origin unless it is named."""

    session_ids: Annotated[tuple[Handle, ...], Field(max_length=16)]
    credential_id: Handle | None = None


class LoginItem(ResultModel):
    """One session: whether being signed in was observed, or why not."""

    session_id: Handle
    status: StatusCode
    reason: ReasonCode | None = None
    already: bool | None = None


class Result(ResultModel):
    """In the order of the sessions."""

    sessions: tuple[LoginItem, ...]


class LoginSites:
    """Signs in, session by session."""

    arguments_model = Arguments
    result_model = Result
    resumes_after = frozenset({Reason.WAS_WAITING})

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when being signed in was observed in every session."""
        items: dict[str, LoginItem] = {}
        models = (await call.models()).for_run(decision_s=call.limits.decision_s)

        def note(item: LoginItem) -> None:
            items[item.session_id] = item
            call.checkpoint(Result(sessions=tuple(items.values())))

        wanted = tuple(dict.fromkeys(arguments.session_ids))
        for number, session_id in enumerate(wanted):
            call.progress(number, len(wanted), f"signing in, site {number + 1}")
            note(await _login(call, models, session_id, arguments.credential_id))
        for item in [item for item in items.values() if item.status is Status.NEEDS_USER]:
            note(await _with_a_person(call, models, item, arguments.credential_id, note))
        status, reason = overall([(item.status, item.reason) for item in items.values()])
        following = "collect_sites" if any(item.status is Status.DONE for item in items.values()) else None
        return Outcome(status, Result(sessions=tuple(items.values())), reason, following)


async def _login(
    call: Call, models: Models, session_id: str, credential_id: str | None, code: Secret | None = None
) -> LoginItem:
    try:
        session = await session_of(call, session_id)
        with session.use():
            credential = await _credential(call, session, credential_id)
            already = await _sign_in(call, models, session, credential, code)
    except RemitError as error:
        status = Status.NEEDS_USER if error.reason in ASKED else Status.FAILED
        return LoginItem(session_id=session_id, status=status, reason=error.reason)
    return LoginItem(session_id=session_id, status=Status.DONE, already=already or None)


async def _with_a_person(
    call: Call, models: Models, item: LoginItem, credential_id: str | None, note: Callable[[LoginItem], None]
) -> LoginItem:
    """Ask a person for what only a person has, and go on from the page as it then stands."""
    codes = 0
    for _ in range(MOST_QUESTIONS):
        assert item.reason is not None
        codes += ASKED[item.reason] is Asked.ONE_TIME_CODE
        if codes > MOST_CODES:
            return item.model_copy(update={"status": Status.FAILED, "reason": Reason.CODE_REJECTED})
        note(item)
        try:
            answer = await _answer(call, item.session_id, item.reason)
        except NeedsPersonError:
            return item
        except RemitError as error:
            return item.model_copy(update={"status": Status.FAILED, "reason": error.reason})
        item = await _login(call, models, item.session_id, credential_id, answer.code)
        if item.status is not Status.NEEDS_USER:
            return item
    return item


async def _answer(call: Call, session_id: str, reason: Reason) -> Answer:
    """A person's answer; the session is kept for the run meanwhile."""
    session = await session_of(call, session_id)
    with session.use():
        return await call.ask(question_of(reason, session, "login_sites"))


async def _credential(call: Call, session: Session, credential_id: str | None) -> Credential:
    """The one credential for the session's exact origin; the session may belong to no other."""
    origin = session.origin
    if origin is None:
        raise RemitError(Reason.SITE_UNREACHABLE)
    chosen = credential_id or session.credential_id
    if chosen is None:
        infos = await in_thread(lambda: call.vault.for_origin(origin))
        if len(infos) != 1:
            raise RemitError(Reason.SEVERAL_CREDENTIALS if infos else Reason.NO_CREDENTIAL)
        chosen = infos[0].id
    if session.credential_id not in (None, chosen):
        raise RemitError(Reason.IDENTITY_MISMATCH)
    credential = await in_thread(lambda: call.vault.get(chosen))
    if origin not in credential.origins:
        raise RemitError(Reason.ORIGIN_NOT_ALLOWED)
    return credential


async def _sign_in(call: Call, models: Models, session: Session, credential: Credential, code: Secret | None) -> bool:
    """Sign in; whether the session already was. `code` is what a person gave for a form that asks for one.

    Raises:
        RemitError: why being signed in was not observed.
    """
    from . import _kept_session, _known_route
    from ._cool_down import forget, note_rejection
    from ._signing_in import SignedIn, SignIn, Unfinished

    vault = call.vault
    session.allow(frozenset(credential.origins))
    left = session.unfinished
    if session.credential_id is None and left is None and await _kept_session.restore(vault, session, credential):
        await note_signed_in(call, vault, session, keep=True)
        return True
    budget = call.budget_for_target()
    task = SignIn(
        call,
        session,
        credential,
        budget,
        models,
        known=await _known_route.known(vault, credential.id),
        unfinished=left if isinstance(left, Unfinished) and left.credential_id == credential.id else None,
        code=code,
    )
    session.unfinished = None
    outcome: LoopOutcome[SignedIn] = await run_bounded(task, budget)
    if outcome.ending is not Ending.COMPLETED or outcome.value is None:
        reason = _reason(outcome.reason or Reason.NOT_VERIFIED, task.secret_sent)
        if reason in REJECTIONS:
            await in_thread(lambda: note_rejection(vault, credential.id))
        session.unfinished = task.unfinished if reason in ASKED else None
        raise RemitError(reason)
    session.credential_id = credential.id
    if not outcome.value.already:
        if credential.login_url is not None:
            session.home = session.url  # the opened page has no way in: what is for those inside begins here
        await in_thread(lambda: forget(vault, credential.id))
        await _known_route.remember(vault, credential.id, task.route)
    await _kept_session.keep(vault, session, credential)
    await note_signed_in(call, vault, session, keep=credential.keep_session)
    return outcome.value.already


def _reason(reason: Reason, secret_sent: bool) -> Reason:
    """Once the password left, what matters is that being signed in was not observed."""
    if secret_sent and reason.branch not in (Branch.LOGIN, Branch.SITE):
        return Reason.NOT_VERIFIED
    return reason
