"""Files that somebody else has written, read whole, but never more of them than makes sense."""

from pathlib import Path

from controller.errors import ConfigError


def read(path: Path, most: int) -> bytes:
    """What is in the file. Raises OSError, and :exc:`ConfigError` where that is more than ``most`` bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ConfigError(f"{path}: more than {most // 1024} kB", "this is another kind of file", f"ls -l {path}")
    return data
