"""The local panel: where a person answers, enters secrets, and sees what Remit did."""

from ._finding import LivePanel, live_panels
from ._pairing import Pairings
from ._panel import Panel

__all__ = ["LivePanel", "Pairings", "Panel", "live_panels"]
