"""`remit vault`: what a person does with stored credentials. No secret is ever an argument, and none is printed."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from remit.contract import AddressError, Origin, Reason, RemitError, Secret
from remit.settings import Settings
from remit.vault import CredentialInfo, NewCredential, Vault, VaultError, status

vault_app = typer.Typer(
    help="Store, list and remove the credentials that Remit signs in with.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


@vault_app.command(
    help="Store a credential. User name, password and secret are asked for and not shown.\n\n"
    "If standard input is not a terminal, they are read from it, one a line: user name (the line may be empty), "
    "password, and with --totp the base32 secret or otpauth:// address."
)
def add(
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="An address of the site; its origin is stored.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="An exact origin where it may be typed. Repeat for several."),
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="What you call it. Default: the host.")] = None,
    login_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The sign-in page, if Remit should not look for it.")
    ] = None,
    cookie: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A cookie that changes when signing in. Repeat for several."),
    ] = None,
    keep_session: Annotated[
        bool, typer.Option("--keep-session", help="Keep the signed-in session, encrypted, between runs.")
    ] = False,
    totp: Annotated[bool, typer.Option("--totp", help="Also ask for the secret of one-time codes.")] = False,
) -> None:
    """Store a credential whose values come from hidden prompts or from standard input."""
    with _spoken_errors():
        origins = _origins(origin or [], url, login_url)
        vault = _open()
        username, password, code_secret = _typed_values(totp) if sys.stdin.isatty() else _piped_values(totp)
        info = vault.add(
            NewCredential(
                label=label or origins[0].host,
                origins=origins,
                login_url=login_url,
                username=username,
                password=password,
                totp=code_secret,
                session_cookies=tuple(cookie or ()),
                keep_session=keep_session,
            )
        )
    typer.echo(f"Stored as {info.id} for {', '.join(map(str, info.origins))}.")


@vault_app.command("list")
def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List what is stored: never a user name, never a password."""
    with _spoken_errors():
        credentials = _open().list()
    if as_json:
        typer.echo(json.dumps([_plain(info) for info in credentials], indent=2, ensure_ascii=False))
    elif credentials:
        Console().print(_table(credentials))
    else:
        typer.echo("No credentials are stored. Add one: remit vault add --url https://example.com")


@vault_app.command()
def remove(
    credential_id: Annotated[str, typer.Argument(metavar="ID", help="The id that `list` shows.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a credential, and everything kept for it."""
    with _spoken_errors():
        vault = _open()
        info = next((info for info in vault.list() if info.id == credential_id), None)
        if info is None:
            raise VaultError(Reason.UNKNOWN_CREDENTIAL)
        if not yes:
            typer.confirm(f"Remove {info.id} ({info.label})?", abort=True)
        vault.remove(info.id)
    typer.echo(f"Removed {info.id}.")


@contextmanager
def _spoken_errors() -> Iterator[None]:
    """End with the reason's sentence on stderr and exit code 1."""
    try:
        yield
    except RemitError as error:
        typer.echo(error.reason.sentence, err=True)
        raise typer.Exit(1) from None


def _open() -> Vault:
    settings = Settings()

    def passphrase() -> Secret:
        return (
            _hidden("Passphrase of the vault") if status(settings).present else _twice("New passphrase for the vault")
        )

    return Vault.open(settings, passphrase if sys.stdin.isatty() else None)


def _typed_values(with_totp: bool) -> tuple[Secret, Secret, Secret | None]:
    username = _hidden("User name (not shown; may be empty)")
    password = _twice("Password (not shown)")
    return username, password, _hidden("One-time-code secret (not shown)") if with_totp else None


def _hidden(text: str) -> Secret:
    """Ask without echo. Not by click: it shows the prompt before the echo is off, so quick typing would be seen."""
    return Secret(getpass.getpass(f"{text}: "))


def _twice(text: str) -> Secret:
    while True:
        first, again = _hidden(text), _hidden("Again")
        if first.reveal() == again.reveal():
            return first
        typer.echo("The two differ; please type it again.", err=True)


def _piped_values(with_totp: bool) -> tuple[Secret, Secret, Secret | None]:
    return _line(), _line(), _line() if with_totp else None


def _line() -> Secret:
    return Secret(sys.stdin.readline().removesuffix("\n").removesuffix("\r"))


def _origins(origins: list[str], url: str | None, login_url: str | None) -> tuple[Origin, ...]:
    """Those given, with the one of --url; the sign-in page's if neither is."""
    addresses = [*origins, *([url] if url else [])] or ([login_url] if login_url else [])
    if not addresses:
        raise AddressError
    return tuple(dict.fromkeys(map(Origin.of, addresses)))


def _plain(info: CredentialInfo) -> dict[str, str | bool | list[str]]:
    return {
        "id": info.id,
        "label": info.label,
        "origins": [str(origin) for origin in info.origins],
        "has_totp": info.has_totp,
        "keep_session": info.keep_session,
        "created_at": info.created_at.isoformat(timespec="seconds"),
    }


def _table(credentials: list[CredentialInfo]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Id", no_wrap=True)
    table.add_column("Credential", overflow="fold")
    table.add_column("Codes")
    table.add_column("Session")
    table.add_column("Added", no_wrap=True)
    for info in credentials:
        table.add_row(
            info.id,
            Text("\n").join([Text(info.label), *(Text(str(origin), style="dim") for origin in info.origins)]),
            "yes" if info.has_totp else "no",
            "kept" if info.keep_session else "not kept",
            f"{info.created_at.astimezone():%Y-%m-%d}",
        )
    return table
