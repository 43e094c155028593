"""Where pages, LiveChess and the URLs of a broadcast are reached, and whether their ports can be had."""

from collections.abc import Iterator

from controller import addresses
from controller.cli.hardware.health import CheckResult, failed, ok
from controller.config import Setup


def served(config: Setup, running: bool) -> Iterator[CheckResult]:
    """A line for each of them. ``running``: the daemon has the ports already."""
    for area, scheme, host, port in _places(config):
        if running or (found := _taken(area, host, port)) is None:
            yield ok(area, f"at {' '.join(addresses.urls(scheme, host, port))}")
        else:
            yield found


def _places(config: Setup) -> Iterator[tuple[str, str, str, int]]:
    if (pages := config.console) is not None and pages.port:
        yield "pages", "http" if pages.cert_file is None else "https", pages.host, pages.port
    if (livechess := config.livechess) is not None:
        yield "livechess", "ws", livechess.host, livechess.port
    if (broadcast := config.broadcast) is not None and broadcast.port is not None:
        yield "broadcast", "http", broadcast.host, broadcast.port


def _taken(area: str, host: str, port: int) -> CheckResult | None:
    """Why we could not listen at this port; None if we could."""
    from controller.outlets.entrance import listen
    from controller.outlets.serving import explain  # 9 MB that a board without pages does not need

    try:
        listen(host, port).close()
    except OSError as error:
        return failed(area, explain(host, port, error))
    return None
