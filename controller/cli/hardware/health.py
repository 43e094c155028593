"""What a check has found, and how the findings of all checks are told: in text, in JSON, as an exit status."""

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Literal

import msgspec
from msgspec import Struct

from controller.cli.terminal import many
from controller.errors import JadoubeError
from hardware.boards import Fault

HealthStatus = Literal["ok", "warning", "fault"]
ORDER: tuple[HealthStatus, ...] = ("ok", "warning", "fault")  #: the exit status is the worst one's place here
WIDTH = 80
COLUMNS = 24  #: the width of the area and the status before the words


class CheckResult(Struct, frozen=True):
    """One thing that was looked at."""

    area: str  #: such as ``ports``
    status: HealthStatus
    what: str
    cause: str = ""
    next_step: str = ""  #: the command that mends it, of everything that is not right


def ok(area: str, what: str) -> CheckResult:
    return CheckResult(area, "ok", what)


def warning(area: str, what: str, cause: str, next_step: str) -> CheckResult:
    return CheckResult(area, "warning", what, cause, next_step)


def fault(area: str, what: str, cause: str, next_step: str) -> CheckResult:
    return CheckResult(area, "fault", what, cause, next_step)


def failed(area: str, error: JadoubeError | Fault) -> CheckResult:
    return fault(area, error.what, error.cause, error.next_step)


def status(found: Iterable[CheckResult]) -> int:
    """0 if all is right, 1 if something wants attention, 2 if something does not work."""
    return max((ORDER.index(one.status) for one in found), default=0)


def text(found: Sequence[CheckResult]) -> str:
    """A paragraph for each, at 80 columns; commands are never broken."""
    lines = []
    for one in found:
        shown = one.status if one.status == "ok" else one.status.upper()
        head = f"{one.area:<{COLUMNS - 9}}{shown:<9}"
        lines.append(
            fill(one.what, WIDTH, initial_indent=head, subsequent_indent=" " * COLUMNS, break_long_words=False)
        )
        if one.cause:
            lines.append(_beside(f"Likely cause: {one.cause}"))
        if one.next_step:
            lines.append(" " * COLUMNS + f"Next: {one.next_step}")
    counts = {kind: sum(one.status == kind for one in found) for kind in ORDER}
    lines += ["", f"{counts['ok']} right, {many(counts['warning'], 'warning')}, {many(counts['fault'], 'fault')}"]
    return "\n".join(lines)


def json(found: Sequence[CheckResult]) -> str:
    """The same as one JSON list."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()


def _beside(words: str) -> str:
    return fill(words, WIDTH, initial_indent=" " * COLUMNS, subsequent_indent=" " * COLUMNS, break_long_words=False)
