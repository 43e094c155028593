"""What an arbiter may do: a row for each ruling. The checks of commands, the pages and the undoing read it here."""

from typing import Literal

from msgspec import Struct

Ruling = Literal[
    "pause",
    "resume",
    "uphold",
    "dismiss",
    "set-clock",
    "undo",
    "result",
    "neutralise",
    "report",
    "correct",
    "arrived",
    "absent",
    "warn",
    "postpone",
]
"""What an arbiter does."""


class RulingRow(Struct, frozen=True):
    """What a ruling asks for, and what it leaves behind. Its fields are those of :class:`.Arbiter`; beside them any
    ruling may have a ``reason``, a ``text`` and ``witnesses``."""

    needs: tuple[str, ...] = ()  #: the fields that it cannot do without
    takes: tuple[str, ...] = ()  #: the other ones that it has a use for
    outcome: str = ""  #: what has become of the notice that it answers; empty where it answers none
    undone: bool = False  #: `undo` takes it back
    asked: bool = False  #: the game is asked first whether it would change anything; where it names a notice, always

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it has a use for."""
        return (*self.needs, *self.takes, *(("answers",) if self.outcome else ()))


CLOCK = ("white_ms", "black_ms", "white_add_ms", "black_add_ms", "white_moves", "black_moves", "replaced")

RULINGS: dict[Ruling, RulingRow] = {
    "pause": RulingRow(),
    "resume": RulingRow(takes=("insist",), asked=True),
    "uphold": RulingRow(outcome="upheld", undone=True, asked=True),
    "dismiss": RulingRow(outcome="dismissed", undone=True, asked=True),
    "set-clock": RulingRow(takes=CLOCK),
    "undo": RulingRow(takes=("of",), asked=True),
    "result": RulingRow(needs=("result",), takes=("insist",), undone=True, asked=True),
    "neutralise": RulingRow(),
    "report": RulingRow(needs=("kind",), takes=("side", "piece"), undone=True),
    "correct": RulingRow(takes=("ply", "moves", "replaces"), undone=True, asked=True),
    "arrived": RulingRow(needs=("side",)),
    "absent": RulingRow(needs=("side",)),
    "warn": RulingRow(takes=("side",), outcome="warned", undone=True),
    "postpone": RulingRow(takes=("extra",), outcome="postponed", undone=True),
}

ANSWERS = frozenset(do for do, row in RULINGS.items() if row.outcome)
"""The rulings that answer a notice."""
