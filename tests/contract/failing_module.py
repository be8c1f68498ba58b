"""Fails while it is imported."""

raise ValueError("secret words")
