"""`remit check`: manifests against code, and `--write` to update the generated sections."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from remit.contract import ManifestError, Registry, Value, builtin_folder, declared, load_executor, parse_manifest
from remit.settings import Settings


def check_manifests(*, write: bool) -> int:
    """Print every difference; 0 when all manifests are published."""
    folders = (builtin_folder(), *Settings().manifest_dirs)
    if write:
        for folder in folders:
            for path in sorted(folder.glob("*.toml")):
                _update(path)
    registry = Registry(folders)
    for item in registry.dropped:
        print(item.problem)
    print(f"{len(registry.published)} published, {len(registry.dropped)} not")
    return 1 if registry.dropped else 0


def _update(path: Path) -> None:
    """Rewrite a manifest's `arguments` and `result` from the code; everything a person wrote above them stays."""
    text = path.read_text("utf-8")
    try:
        raw = tomllib.loads(text)
        bare = {key: value for key, value in raw.items() if key not in ("arguments", "result")}
        manifest = parse_manifest(bare, path.name)
        sections = declared(load_executor(manifest, path.name))
    except (tomllib.TOMLDecodeError, ManifestError) as error:
        print(f"{path.name}: not updated ({error})")
        return
    written = parse_manifest(raw, path.name) if _valid(raw, path.name) else None
    if written and all(dict(getattr(written, name)) == values for name, values in sections.items()):
        return
    plain = {name: _plain(values) for name, values in sections.items()}
    updated = _replace(text, plain)
    if not _says(updated, {**bare, **{name: values for name, values in plain.items() if values}}):
        print(f"{path.name}: not updated (its sections are written in a way that cannot be replaced safely)")
        return
    path.write_text(updated, "utf-8")
    print(f"{path.name}: updated")


def _says(text: str, wanted: dict[str, Any]) -> bool:
    """The text is TOML and means exactly this."""
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _valid(raw: dict[str, Any], source: str) -> bool:
    try:
        parse_manifest(raw, source)
    except ManifestError:
        return False
    return True


def _plain(values: dict[str, Value]) -> dict[str, Any]:
    return {
        name: value.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for name, value in values.items()
    }


def _replace(text: str, sections: dict[str, dict[str, Any]]) -> str:
    kept: list[str] = []
    skipping = False
    for line in text.splitlines():
        if line.startswith("["):
            skipping = line.lstrip("[").startswith(("arguments", "result"))
        if not skipping:
            kept.append(line)
    head, examples = _split_examples("\n".join(kept).rstrip() + "\n")
    generated = tomli_w.dumps({name: values for name, values in sections.items() if values})
    return f"{head.rstrip()}\n\n{generated.strip()}\n" + (f"\n{examples.strip()}\n" if examples else "")


def _split_examples(text: str) -> tuple[str, str]:
    at = text.find("[[examples]]")
    return (text, "") if at < 0 else (text[:at], text[at:])
