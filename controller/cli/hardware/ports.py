"""Where on this machine a board may be: serial ports with what they say of themselves, HID devices, the Pi's buses."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from controller.cli.hardware import buses
from controller.cli.hardware.probe import FoundPort, ProbedPort, RecognisedBoard, probe
from controller.errors import DeviceError
from hardware.boards.chessnut import find

BY_ID = Path("/dev/serial/by-id")


def ports() -> list[FoundPort]:
    from serial.tools.list_ports import comports

    names = {str(link.resolve()): str(link) for link in sorted(BY_ID.glob("*"))} if BY_ID.is_dir() else {}
    found = []
    for port in sorted(comports()):
        ids = "" if port.vid is None else f" [{port.vid:04x}:{port.pid:04x}]"
        said = " ".join(word for word in (port.manufacturer, port.product) if word) or port.description
        path = names.get(port.device, port.device)
        found.append(FoundPort(path, f"{said}{ids}", port.vid is not None or "rfcomm" in port.device))
    return found


def look(paths: Sequence[str] = (), kind: str | None = None) -> list[ProbedPort]:
    """Asks who is on each port, all ports at once, and on the buses; on ``paths`` instead, where any are given.
    ``kind``: of board that is looked for, if one is."""
    chosen = [FoundPort(path, "as named") for path in paths] if paths else [port for port in ports() if port.asked]
    with ThreadPoolExecutor(max(len(chosen), 1)) as pool:
        return [*pool.map(partial(_ask, kind), chosen), *([] if paths else [*_hid(), *buses.look()])]


def _ask(kind: str | None, port: FoundPort) -> ProbedPort:
    try:
        return ProbedPort(port, probe(port.path, kind))
    except DeviceError as error:
        return ProbedPort(port, None, error)


def _hid() -> list[ProbedPort]:
    try:
        return [ProbedPort(FoundPort(find(), "HID device"), RecognisedBoard("chessnut", "by the number of its maker"))]
    except DeviceError:
        return []
