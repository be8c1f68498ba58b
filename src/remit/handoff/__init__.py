"""Asking a person: what is asked, what an answer can be, and the desk where questions wait."""

from ._asking import Answer, Asked, Effect, NeedsPersonError, Question, Through, Verdict
from ._desk import QUESTION_S, AnswerError, Asking, Desk, Pending

__all__ = [
    "QUESTION_S",
    "Answer",
    "AnswerError",
    "Asked",
    "Asking",
    "Desk",
    "Effect",
    "NeedsPersonError",
    "Pending",
    "Question",
    "Through",
    "Verdict",
]
