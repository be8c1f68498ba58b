"""Where Remit keeps its things and how it is configured: environment (`REMIT_*`) over `config.toml` over defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_config_path, user_data_path, user_documents_path
from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

APP = "remit"

ModelChoice = Literal["auto", "ollama", "embedded", "none"]


class Settings(BaseSettings):
    """One immutable configuration for a process. Unknown keys in `config.toml` are refused."""

    model_config = SettingsConfigDict(env_prefix="REMIT_", env_ignore_empty=True, frozen=True, extra="forbid")

    data_dir: Path = Field(default_factory=lambda: user_data_path(APP), description="Runs, journal, datasets.")
    vault_dir: Path = Field(
        default_factory=lambda: user_data_path(f"{APP}-vault"),
        description="Credentials. Not below data_dir: another data directory does not select another vault.",
    )
    files_dir: Path = Field(
        default_factory=lambda: user_documents_path() / "Remit", description="Spreadsheets that a person asked for."
    )
    policy_file: Path = Field(
        default_factory=lambda: user_config_path(APP) / "policy.toml",
        description="What this machine's owner allows, asks about or denies.",
    )
    manifest_dirs: tuple[Path, ...] = Field(default=(), description="Folders of user manifests.")
    vault_key: Literal["auto", "keyring", "file", "passphrase"] = "auto"

    model: ModelChoice = Field(default="auto", description="Which local model answers questions.")
    ollama_host: str = "http://127.0.0.1:11434"
    ollama_model: str = "qwen2.5:7b"
    ollama_allowed_hosts: tuple[str, ...] = Field(
        default=(), description="Non-loopback hosts the administrator trusts."
    )

    browser_path: Path | None = Field(default=None, description="Chromium to use; found automatically when unset.")
    headless: bool = True
    max_sessions: int = Field(default=8, ge=1, le=64)
    session_idle_s: float = Field(default=1800, gt=0)

    panel_port: int = Field(default=0, ge=0, le=65535, description="The panel's port; 0 takes the last one, or any.")
    panel_open: Literal["auto", "never"] = Field(
        default="auto", description="Whether Remit opens a question that no client can show in this desktop's browser."
    )

    handover_s: float = Field(default=45, gt=0, description="A call that lasts longer returns `running`.")
    progress_s: float = Field(default=5, gt=0, le=10, description="Longest silence of a call, in seconds.")

    @field_validator("data_dir", "vault_dir", "files_dir", "policy_file")
    @classmethod
    def _is_absolute(cls, folder: Path) -> Path:
        """A path that depends on where a client happens to start Remit is refused; `~` is the user's home."""
        folder = folder.expanduser()
        if not folder.is_absolute():
            raise PydanticCustomError("not_absolute", "must be an absolute path")
        return folder

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then environment, then the configuration file; no dotenv, so no folder can steer Remit."""
        toml = TomlConfigSettingsSource(settings_cls, user_config_path(APP) / "config.toml")
        return init_settings, env_settings, toml
