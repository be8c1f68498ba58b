"""The panel's words: for people, in ours."""

from __future__ import annotations

from datetime import datetime

from remit.handoff import Asked, Effect, Verdict

TITLES = {
    Asked.CONSENT: "Allow this?",
    Asked.ONE_TIME_CODE: "Enter a one-time code",
    Asked.CHALLENGE: "The site asks for a person",
    Asked.CREDENTIAL: "Add a credential",
    Asked.CHOICE: "Choose one",
    Asked.SITE_DEMAND: "The site asks for something only you can do",
}
EFFECTS = {
    Effect.SIGN_IN: "Sign in with the stored credential.",
    Effect.USE_CONTROL: "Use a control that does more than open a page.",
    Effect.SEND_FORM: "Send a form.",
    Effect.DOWNLOAD: "Download a file.",
    Effect.READ_VALUES: "Show collected values to the assistant.",
    Effect.REMOVE_CREDENTIAL: "Remove a stored credential.",
}
ANSWERS = {
    Verdict.ALLOWED_ONCE: "Allow once",
    Verdict.ALLOWED_FOR_RUN: "Allow for this site for this run",
    Verdict.ALLOWED_FOR_SITE: "Always allow for this site",
    Verdict.RESUMED: "I am done, go on",
    Verdict.REFUSED: "Refuse",
    Verdict.CANCELLED: "Cancel",
}
ENDS = {
    Verdict.ALLOWED_ONCE: "allowed once",
    Verdict.ALLOWED_FOR_RUN: "allowed for this run",
    Verdict.ALLOWED_FOR_SITE: "allowed for this site",
    Verdict.CODE: "a code was given",
    Verdict.CHOSEN: "one was chosen",
    Verdict.RESUMED: "taken up again",
    Verdict.REFUSED: "refused",
    Verdict.CANCELLED: "cancelled",
    Verdict.EXPIRED: "nobody answered in time",
}


def clock(moment: float | None) -> str:
    """Local time of the day, with the date."""
    return "" if moment is None else datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S")
