"""A hall as ``jadoube hall init`` has written it: its broker, its commands, its configurations made fit for a test."""

import asyncio
import re
from pathlib import Path

import pytest
from hall import free_port
from secured import Secured

from controller.cli.main import main


def checked(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["hall", "check", "--config", str(folder / "hall.toml"), *options])
    return int(stopped.value.code or 0), capsys.readouterr().out


async def found(folder: Path, capsys: pytest.CaptureFixture[str], status: int, words: str, *options: str) -> str:
    """What is said once it is that; what changes is told a moment later."""
    for _ in range(20):
        capsys.readouterr()
        said = await asyncio.to_thread(checked, folder, capsys, *options)
        if said[0] == status and words in said[1]:
            return said[1]
        await asyncio.sleep(0.2)
    raise AssertionError(said)


def jadoube(*arguments: object) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    assert not stopped.value.code


class Host(Secured):
    """A mosquitto under what ``jadoube hall init`` has written for it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder / "broker", free_port()
        self.public_port = self.port
        file = self.folder / "mosquitto.conf"
        text = re.sub(r"(?m)^listener \d+$", f"listener {self.port} 127.0.0.1", file.read_text())
        text = text.replace("/etc/mosquitto/jadoube", str(self.folder))
        file.write_text(f"user {Path.home().owner()}\n{text}")
        self.start()

    def fit(self, config: Path) -> Path:
        """The configuration for this broker, at whatever port for its pages; what it keeps stands beside it."""
        text = config.read_text().replace("port = 8883", f"port = {self.port}").replace("# port = 8064", "port = 0")
        config.write_text(re.sub('(?m)^path = .*jadoube.sqlite"', f'path = "{config.parent}/jadoube.sqlite"', text))
        return config
