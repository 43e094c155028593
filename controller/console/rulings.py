"""What an arbiter may send from his page, made into the commands that MQTT knows too."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.console.played import MOST
from controller.contract import Ply, Ruling, Score, Side, Uci
from controller.errors import LogError
from controller.outlets.command import Fields

MOST_MS = 100 * 3_600_000  #: on a clock
Left = Annotated[int, Meta(ge=0, le=MOST_MS)]
More = Annotated[int, Meta(ge=-MOST_MS, le=MOST_MS)]


class PageRuling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One ruling on one board."""

    do: Ruling | Literal["seen"]
    case: int | None = None  #: that it is meant for: with ``uphold``, ``dismiss`` and ``seen``
    answers: str | None = None  #: the id of its notice that is ruled on: with what answers one
    white_ms: Left | None = None  #: with ``set-clock``
    black_ms: Left | None = None
    white_add_ms: More | None = None  #: to what it shows then
    black_add_ms: More | None = None
    white_moves: Annotated[int, Meta(ge=0, le=1000)] | None = None  #: what the counters of moves shall show
    black_moves: Annotated[int, Meta(ge=0, le=1000)] | None = None
    replaced: bool | None = None  #: the clock had a defect, and another one stands there
    result: Score | None = None
    kind: str | None = None  #: with ``report``: what was seen
    side: Side | None = None  #: and of whom; not of the beginning
    piece: Literal["q", "r", "b", "n", "p"] | None = None  #: with ``mislaid-stock``
    #: with ``correct``: the first move that was another; what was played, and instead of how many
    ply: Ply | None = None
    moves: Annotated[tuple[Uci, ...], Meta(max_length=MOST)] = ()
    replaces: Annotated[int, Meta(ge=0)] | None = None
    reason: Annotated[str, Meta(max_length=200)] | None = None
    text: Annotated[str, Meta(max_length=1000)] | None = None  #: what he says to it, in his own words
    witnesses: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=10)] = ()  #: who saw it
    extra: bool | None = None  #: with ``postpone``: the opponent is given more time
    of: Annotated[int, Meta(ge=0)] | None = None  #: with ``undo``: when that was which is meant, as the page was told
    insist: bool | None = None  #: with ``resume``: the pieces stand right, though the board does not show it


def read(body: bytes) -> PageRuling:
    """Raises :exc:`LogError` saying what was expected."""
    try:
        ruling = msgspec.json.decode(body, type=PageRuling)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LogError(f"malformed ruling: {error}", "a page of another version", "load the page again") from error
    rules = ruling.do in ("uphold", "dismiss", "postpone")
    if (ruling.case is None and (rules or ruling.do == "seen")) or (ruling.answers is None and rules):
        raise LogError("a ruling says which case it answers", "a page of another version", "load the page again")
    if ruling.do == "result" and ruling.result is None:
        raise LogError("which result?", "a slip", "choose one")
    if ruling.do == "correct" and (ruling.ply is None or not (ruling.moves or ruling.replaces)):
        raise LogError("what was played?", "no move was chosen", "choose it")
    if ruling.do == "report" and ruling.kind is None:
        raise LogError("what is reported?", "a slip", "choose it")
    return ruling


def said(ruling: PageRuling) -> dict[str, Any]:
    """The fields that are given in it."""
    return {name: value for name, value in msgspec.to_builtins(ruling).items() if value not in (None, ())}


def command(ruling: PageRuling, by: str) -> Fields:
    """The command that carries it out, with who gave it."""
    fields = said(ruling)
    fields.pop("case", None)
    return {"type": "arbiter", "by": by} | fields
