"""What may go wrong at this room's door. Reasons only: no address, no selector, no page text.

BrowserError        the browser, the session or the site
└─ ControlError     a control was not used, or its use was not observed
   └─ FillError     a field was not filled
"""

from __future__ import annotations

from remit.contract import Reason, RemitError


class BrowserError(RemitError):
    """The browser, a session or a site could not be used."""


class ControlError(BrowserError):
    """A control was not used (or, with `Reason.OUTCOME_UNKNOWN`, was used and nothing was observed).

    `overlay` is the index, among the overlays of the frame in the observation that was given, of what covers the
    control; None when it was not there yet.
    """

    def __init__(self, reason: Reason, overlay: int | None = None) -> None:
        super().__init__(reason)
        self.overlay = overlay


class FillError(ControlError):
    """A field was not filled, or did not keep what was typed. Nothing may be submitted."""
