"""Who may be asked, and how: questions with admissible answers, and the local models that answer them."""

from ._decision import Backend, BackendName, Decision, Description, ModelError
from ._embedded import EmbeddedBackend
from ._models import Models, ModelStatus, Refusal, choose_backend
from ._ollama import OllamaBackend
from ._question import (
    Answer,
    Candidate,
    Choose,
    Chosen,
    Extract,
    Extracted,
    Field,
    Intent,
    MapFields,
    Mapped,
    Order,
    Ordered,
    Question,
    Transcribe,
    Transcribed,
)
from ._reading import parse
from ._simple import NoModel, ScriptedBackend

__all__ = [
    "Answer",
    "Backend",
    "BackendName",
    "Candidate",
    "Choose",
    "Chosen",
    "Decision",
    "Description",
    "EmbeddedBackend",
    "Extract",
    "Extracted",
    "Field",
    "Intent",
    "MapFields",
    "Mapped",
    "ModelError",
    "ModelStatus",
    "Models",
    "NoModel",
    "OllamaBackend",
    "Order",
    "Ordered",
    "Question",
    "Refusal",
    "ScriptedBackend",
    "Transcribe",
    "Transcribed",
    "choose_backend",
    "parse",
]
