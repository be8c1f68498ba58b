"""The way to an Ollama server: which hosts are local, a transport that goes nowhere else, and what a model is."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from remit.contract import Reason

from ._decision import ModelError

RESPONSE_BYTES = 4_000_000
"""Longest response that is read: far above any answer, and above `/api/show` with a licence and a tokenizer."""


class _Remote(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    remote_host: str | None = None
    remote_model: str | None = None


class _Listed(_Remote):
    name: str = ""
    model: str = ""


class _Tags(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    models: list[_Listed] = Field(default_factory=list)


class _Shown(_Remote):
    capabilities: list[str] | None = None


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the server says of a model that is there and local; `sees` is whether it takes images."""

    name: str
    sees: bool


def local_address(host: str, allowed: Sequence[str]) -> str:
    """`scheme://host:port` of an Ollama server that may be asked.

    Loopback always; another host only if `allowed` lists it, with or without its port. Raises ModelError
    (MODEL_NOT_LOCAL) for any other, and for an address with a user or a path.
    """
    try:
        parts = urlsplit(host if "://" in host else f"http://{host}")
        name, port = parts.hostname or "", parts.port or 11434
    except ValueError:
        raise ModelError(Reason.MODEL_NOT_LOCAL) from None
    plain = parts.scheme in {"http", "https"} and not parts.username and parts.path in {"", "/"} and not parts.query
    listed = {item.lower().strip() for item in allowed}
    if not plain or not (_loopback(name) or name in listed or f"{name}:{port}" in listed):
        raise ModelError(Reason.MODEL_NOT_LOCAL)
    return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}"


def cloud_name(model: str) -> bool:
    """Whether a model's name says that it runs in its vendor's cloud (`gpt-oss:120b-cloud`, `kimi:cloud`)."""
    return model.lower().strip().endswith(("-cloud", ":cloud"))


class LocalTransport(httpx.AsyncBaseTransport):
    """Sends requests to one address only, without any credential, and reads bounded answers.

    The Ollama client would add OLLAMA_API_KEY to every request; a local model needs no key, so none leaves.
    """

    def __init__(self, address: str) -> None:
        self._address = httpx.URL(address)
        # Without TLS there is nothing to verify, and loading the certificates costs tens of milliseconds.
        self._inner = httpx.AsyncHTTPTransport(verify=self._address.scheme == "https", trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The server's response; ConnectError for any other address."""
        url = request.url
        if (url.scheme, url.host, url.port) != (self._address.scheme, self._address.host, self._address.port):
            raise httpx.ConnectError("not the local model's address", request=request)
        request.headers.pop("authorization", None)
        request.headers["accept-encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if "content-encoding" in response.headers:
            await response.aclose()
            raise httpx.RemoteProtocolError("a compressed answer was not asked for", request=request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Bounded(response.stream)
        return response

    async def aclose(self) -> None:
        """Close connections."""
        await self._inner.aclose()


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream
        self._left = RESPONSE_BYTES

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise httpx.RemoteProtocolError("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def model_card(address: str, model: str, timeout_s: float) -> ModelCard:
    """What the server at `address` says of `model`.

    Raises ModelError: MODEL_UNAVAILABLE (nobody answers, or not like Ollama), MODEL_MISSING, MODEL_NOT_LOCAL (a cloud
    model, or a redirect), MODEL_TIMEOUT. The `ollama` client drops the `remote_*` fields, so these calls are our own.
    """
    if cloud_name(model):
        raise ModelError(Reason.MODEL_NOT_LOCAL)
    async with httpx.AsyncClient(base_url=address, transport=LocalTransport(address), timeout=timeout_s) as client:
        try:
            tags = _Tags.model_validate_json(_body(await client.get("/api/tags")))
            listed = [item for item in tags.models if _same(model, item.name) or _same(model, item.model)]
            if not listed:
                raise ModelError(Reason.MODEL_MISSING)
            response = await client.post("/api/show", json={"model": model})
            # A server that lists the model but has no such call is old, not wrong.
            body = b"{}" if response.status_code == httpx.codes.NOT_FOUND else _body(response)
            shown = _Shown.model_validate_json(body)
        except httpx.TimeoutException:
            raise ModelError(Reason.MODEL_TIMEOUT) from None
        except (httpx.HTTPError, ValidationError):
            raise ModelError(Reason.MODEL_UNAVAILABLE) from None
    origins: list[_Remote] = [*listed, shown]
    if any(item.remote_host or item.remote_model for item in origins):
        raise ModelError(Reason.MODEL_NOT_LOCAL)
    return ModelCard(model, sees=shown.capabilities is None or "vision" in shown.capabilities)


def reason_of(status: int, text: str) -> Reason:
    """The reason that an HTTP error of the server stands for; `text` is only searched, never kept."""
    if 300 <= status < 400:
        return Reason.MODEL_NOT_LOCAL
    if status == httpx.codes.NOT_FOUND:
        return Reason.MODEL_MISSING
    if status == httpx.codes.BAD_REQUEST:
        over = any(word in text.lower() for word in ("context", "exceed", "too long"))
        return Reason.MODEL_TRUNCATED if over else Reason.MODEL_NO_ANSWER
    return Reason.MODEL_UNAVAILABLE


def _body(response: httpx.Response) -> bytes:
    if response.is_success:
        return response.content
    raise ModelError(reason_of(response.status_code, "") if response.is_redirect else Reason.MODEL_UNAVAILABLE)


def _same(wanted: str, name: str) -> bool:
    return name.lower() in {wanted.lower(), f"{wanted.lower()}:latest"}


def _loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
