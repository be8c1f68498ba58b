from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, types
from mcp.client.stdio import stdio_client

from remit.contract import builtin_folder

from .conversations import ERAS, Era, connected, environment, server

USER_MANIFEST = (builtin_folder() / "list_credentials.toml").read_text().replace('"list_credentials"', '"list_twice"')


@pytest.mark.parametrize("era", ERAS)
async def test_both_eras_list_the_same_tools_and_get_the_same_results(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        assert (client.protocol_version >= "2026") == (era != "legacy")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert len(tools) >= 7
        for name, arguments, reason in (
            ("list_credentials", {}, None),
            ("continue_run", {"run_id": "r_none"}, "unknown_run"),
            ("write_spreadsheet", {"dataset_id": "ds_none", "name": "x.xlsx"}, "unknown_dataset"),
            ("open_sites", {"urls": []}, None),
        ):
            result = await client.call_tool(name, arguments)
            content = result.structured_content
            assert content is not None
            assert content.get("reason") == reason
            assert result.is_error == (reason is not None)
            Draft202012Validator(tools[name].output_schema or {}).validate(content)
            text = result.content[0]
            assert isinstance(text, types.TextContent)
            assert json.loads(text.text) == content


@pytest.mark.parametrize("era", ERAS)
async def test_wrong_arguments_are_named_and_never_repeated(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        for arguments in ({}, {"urls": "hunter2"}, {"urls": ["x"], "hunter3": "hunter2"}, {"urls": [["hunter2"]]}):
            result = await client.call_tool("open_sites", arguments)
            assert result.is_error
            assert result.structured_content is not None
            assert result.structured_content["reason"] == "invalid_arguments"
            message = result.structured_content["message"]
            assert "urls" in message or "an unknown argument" in message
            assert "hunter" not in str(result)


async def test_an_unknown_tool_is_a_protocol_error(tmp_path: Path) -> None:
    async with connected(tmp_path) as client:
        with pytest.raises(MCPError) as error:
            await client.call_tool("nothing_here", {})
        assert error.value.code == types.INVALID_PARAMS


async def test_annotations_follow_from_the_effect(tmp_path: Path) -> None:
    async with connected(tmp_path) as client:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    reading, acting = hints["list_credentials"], hints["login_sites"]
    assert reading is not None
    assert acting is not None
    assert (reading.read_only_hint, acting.read_only_hint, acting.open_world_hint) == (True, False, True)


@pytest.mark.parametrize("era", ERAS)
async def test_a_new_manifest_is_published_and_clients_are_told(tmp_path: Path, era: Era) -> None:
    manifests = tmp_path / "manifests"
    manifests.mkdir()
    told = anyio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            told.set()

    parameters = server(tmp_path, REMIT_MANIFEST_DIRS=json.dumps([str(manifests)]))
    async with Client(stdio_client(parameters), mode=era, message_handler=hear) as client:
        before = {tool.name for tool in (await client.list_tools()).tools}
        async with anyio.create_task_group() as group:
            if era != "legacy":

                async def listen() -> None:
                    async with client.listen(tools_list_changed=True) as subscription:
                        async for _ in subscription:
                            told.set()

                group.start_soon(listen)
                await anyio.sleep(0.3)
            (manifests / "list_twice.toml").write_text(USER_MANIFEST)
            with anyio.fail_after(10):
                await told.wait()
            group.cancel_scope.cancel()
        after = {tool.name for tool in (await client.list_tools()).tools}
    assert after - before == {"list_twice"}


def test_a_dropped_manifest_is_told_on_stderr_and_stdout_stays_clean(tmp_path: Path) -> None:
    (tmp_path / "bad_one.toml").write_text("manifest = 2")
    serving = subprocess.run(
        [sys.executable, "-m", "remit", "serve"],
        env=environment(tmp_path, REMIT_MANIFEST_DIRS=json.dumps([str(tmp_path)])),
        input=b"", capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert serving.returncode == 0
    assert serving.stdout == b""
    assert b"bad_one is not published: bad_one.toml: " in serving.stderr


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (None, 0)])
def test_signals_and_eof_end_the_server_in_order(tmp_path: Path, sent: signal.Signals | None, code: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "remit", "serve"],
        env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        hello = {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
            },
        }  # fmt: skip
        process.stdin.write(json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["result"]["capabilities"]["tools"]["listChanged"] is True
        if sent is None:
            process.stdin.close()
        else:
            os.kill(process.pid, sent)
        assert process.wait(timeout=15) == code
