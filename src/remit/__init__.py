"""Remit: executors for AI planners that keep secrets, selectors and pages to themselves."""

__version__ = "0.1.0"
