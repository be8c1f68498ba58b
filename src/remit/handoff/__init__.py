"""Asking a person: what is asked, and what it means that nobody can answer."""

from ._asking import Asked, NeedsPersonError, Question, ask

__all__ = ["Asked", "NeedsPersonError", "Question", "ask"]
