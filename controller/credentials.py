"""Secrets: passwords and keys, which stand in files of their own and never in the configuration, a log or an answer.

A name without a slash is that of a systemd credential, as ``LoadCredential=`` of the unit hands them over in the folder
``$CREDENTIALS_DIRECTORY`` (systemd.exec(5)); anything else is the path of a file.
"""

import os
import secrets
import stat
from pathlib import Path

from controller.errors import ConfigError

MOST = 65_536  #: bytes of a secret, or of a file with one a line


def read(name: str, option: str) -> str:
    """The secret that the configuration's ``option`` names, without white space around it.

    Raises :exc:`ConfigError` where it cannot be read, could be by everybody, or is none.
    """
    path = where(name)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if mode & (stat.S_IROTH | stat.S_IWOTH):
                raise ConfigError(
                    f"the file {path} with a secret is open to every user of this machine",
                    f"{option} names a file that was made without care for its mode, {stat.S_IMODE(mode):04o}",
                    f"chmod 0600 {path}; and take a new secret if others use this machine",
                )
            secret = file.read(MOST + 1)
    except OSError as error:
        raise ConfigError(
            f"the file {path} with a secret cannot be read: {error.strerror}",
            f"{option} names another file, or the daemon's user may not read it",
            f"ls -l {path}",
        ) from error
    if len(secret) > MOST:
        raise ConfigError(f"the file {path} with a secret has more than {MOST} bytes", f"{option} names another file")
    if not secret.strip():
        given = "/" not in name and _handed_over() is not None
        raise ConfigError(
            f"the file {path} with a secret is empty",
            f"{option} names a file that was not there when the service started" if given else "it was not filled yet",
            f"systemctl cat says in LoadCredential={name} which file is meant: fill it, and start the service anew"
            if given
            else f"write the secret to {path}",
        )
    try:
        return secret.decode().strip()
    except UnicodeDecodeError as error:
        raise ConfigError(f"the file {path} with a secret is not text", f"{option} names another file") from error


def new() -> str:
    """A new password, of 192 bits: digits and letters alone, since a command takes what begins with a dash for an
    option."""
    return secrets.token_hex(24)


def where(name: str) -> Path:
    """The file behind a name."""
    folder = _handed_over()
    if folder is not None and "/" not in name:
        return folder / name
    return Path(name).expanduser()


def look_at_those_of(unit: str) -> None:
    """Credentials are those of a service that runs, for a command beside it; only its user and root may read them."""
    folder = Path(f"/run/credentials/{unit}.service")
    if _handed_over() is None and folder.is_dir():
        os.environ["CREDENTIALS_DIRECTORY"] = str(folder)


def _handed_over() -> Path | None:
    """Where systemd has put the credentials of this program."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    return Path(folder) if folder else None
