"""The time of day in a text: found, read, and cut out of it."""

from __future__ import annotations

import re
from datetime import UTC, time, timedelta, timezone

_HALF = r"(?P<half>[ap])\.?\s?m\b\.?"
_ZONE = r"(?P<zone>z\b|utc\b|gmt\b|(?:(?:utc|gmt)\s?)?[+-]\d\d(?::?\d\d)?)(?!\w)"
_NAMED_ZONE = r"(?:ce|e|we|b|c|m|p|is|js|ms|ae)(?:s|d)?t\b"
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
_LETTER_H = r"(?P<hour_h>\d{1,2})\s?h(?:\s?(?P<minute_h>\d\d))?\b"
_WORDED = r"\b(?:ore|alle|uhr|um|klo|kl|kello|at|om)\.?\s(?P<hour_w>\d{1,2})\.(?P<minute_w>\d\d)(?![.\d])"
_BEFORE_UHR = r"(?P<hour_u>\d{1,2})\.(?P<minute_u>\d\d)(?=\suhr\b)"
_HOUR_ONLY = r"(?P<hour_o>\d{1,2})(?=\s?[ap]\.?\s?m\b)"
_TIME = re.compile(
    rf"(?<![\d:.,])(?:{_CLOCK}|{_LETTER_H}|{_WORDED}|{_BEFORE_UHR}|{_HOUR_ONLY})"
    rf"(?:\s?{_HALF})?(?:\s?{_ZONE}|\s{_NAMED_ZONE})?(?![\d:])"
)
_NAMED_TIMES = {"noon": "12:00", "midnight": "00:00"}
_NAMED_TIME = re.compile(r"\b(?:noon|midnight)\b")
_ISO_T = re.compile(r"(?<=\d)t(?=\d\d:)")


class BadTimeError(ValueError):
    """The text has a time that does not exist, or more than one."""


def cut_time(folded: str) -> tuple[str, time | None]:
    """Folded text without its time of day, and the time; None if it names none.

    An offset from UTC is kept; the letters of a zone ("CET") are not, for they name no single offset.

    Raises:
        BadTimeError: an impossible time such as 25:10, or several.
    """
    text = _NAMED_TIME.sub(lambda found: _NAMED_TIMES[found[0]], _ISO_T.sub(" ", folded))
    found = list(_TIME.finditer(text))
    if not found:
        return folded, None
    if len(found) > 1:
        raise BadTimeError
    match = found[0]
    return f"{text[: match.start()]} {text[match.end() :]}", _read(match)


def _read(match: re.Match[str]) -> time:
    parts = match.groupdict()
    hour, minute = _either(parts, "hour"), _either(parts, "minute")
    if parts["half"] is not None:
        if not 1 <= hour <= 12:
            raise BadTimeError
        hour = hour % 12 + (12 if parts["half"] == "p" else 0)
    microsecond = int((parts["fraction"] or "0").ljust(6, "0")[:6])
    try:
        return time(hour, minute, int(parts["second"] or 0), microsecond, _zone(parts["zone"]))
    except ValueError:
        raise BadTimeError from None


def _either(parts: dict[str, str | None], name: str) -> int:
    return int(next((text for key, text in parts.items() if key.startswith(name) and text), "0"))


def _zone(text: str | None) -> timezone | None:
    if text is None:
        return None
    digits = re.sub(r"\D", "", text)
    if not digits:
        return UTC
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if "-" in text else offset)
