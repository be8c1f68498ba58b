from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from remit.contract import Secret
from remit.server import http_app
from remit.settings import Settings

from .conversations import ERAS, Era, environment

TOKEN = "remit-canary-bearer-7f31"


@contextmanager
def serving(folder: Path, *options: str, **more: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "remit", "serve", "--http", "--port", str(port), *options]
    with subprocess.Popen(command, env=environment(folder, **more)) as process:
        try:
            _until_open(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            assert process.wait(timeout=20) in (0, -15, 143)


def _until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


@pytest.mark.parametrize("era", ERAS)
async def test_both_eras_work_over_http(tmp_path: Path, era: Era) -> None:
    with serving(tmp_path) as url:
        async with Client(streamable_http_client(url), mode=era) as client:
            assert len((await client.list_tools()).tools) >= 7
            result = await client.call_tool("list_credentials", {})
            assert result.structured_content == {"status": "done", "credentials": []}


def test_foreign_hosts_and_origins_are_refused(tmp_path: Path) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with serving(tmp_path) as url:
        assert httpx.post(url, json=body, headers={**headers, "Host": "evil.test"}).status_code == 421
        assert httpx.post(url, json=body, headers={**headers, "Origin": "http://evil.test"}).status_code == 403


def test_with_a_token_nothing_is_answered_without_it(tmp_path: Path) -> None:
    with serving(tmp_path, REMIT_HTTP_TOKEN=TOKEN) as url:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
            answer = httpx.post(url, json={}, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert httpx.post(url, json={}, headers={"Authorization": f"Bearer {TOKEN}"}).status_code != 401


def test_beyond_loopback_a_token_is_required(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, vault_dir=tmp_path)
    with pytest.raises(ValueError, match="bearer token is required"):
        http_app(settings, host="0.0.0.0")  # noqa: S104
    assert http_app(settings, host="0.0.0.0", token=Secret(TOKEN)) is not None  # noqa: S104
    command = [sys.executable, "-m", "remit", "serve", "--http", "--host", "0.0.0.0"]  # noqa: S104
    refused = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=60
    )
    assert refused.returncode == 1
    assert "REMIT_HTTP_TOKEN" in refused.stderr
    assert os.linesep.join(refused.stderr.splitlines()) == refused.stderr.strip()
