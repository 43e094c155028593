"""What is asked of a board by MQTT that changes nothing: what was told before, once more, or its games as their scores.

A replay is every event after a record. The scores are of each game in which something came after a record, whole, but
of its events those alone that make its score, in pieces: so that the results and the moves of a hall are together soon.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from controller.contract import Arbiter, Followed, Stalled
from controller.errors import LogError
from controller.journal import Journal, Record
from controller.journal.keeping import SCORE
from controller.outlets.follow import Follower
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.topics import where
from controller.wire import decode_input, encode

PIECE = 100  #: events: twenty kilobytes
MAKES_A_SCORE = SCORE | {kind.__struct_config__.tag for kind in (Stalled, Followed)}
Ruled = dict[int, str]
"""Who gave a ruling, where that is known, by when it was: in ms of the session."""
Number = Annotated[int, Meta(ge=0, lt=2**53)]


class Replay(Struct, frozen=True, forbid_unknown_fields=True, tag="replay"):
    """A receiver asks for the events after a record once more."""

    after: Number


class Games(Struct, frozen=True, forbid_unknown_fields=True, tag="games"):
    """Somebody asks for all games in which anything came after a record of the journal ``origin``; of another journal
    for all games."""

    after: Number = 0
    origin: str = ""


AnyQuestion = Replay | Games


class _QuestionType(Struct):
    type: str = ""


_typed = msgspec.json.Decoder(_QuestionType).decode


def asked(said: Fields, *, always: bool) -> AnyQuestion | None:
    """The question, if it is one. Raises :exc:`LogError` where it is malformed; ``always`` it has to be one."""
    if not always and said.get("type") not in ("replay", "games"):
        return None
    try:
        question: AnyQuestion = msgspec.convert(said, AnyQuestion)
    except msgspec.ValidationError as error:
        kind = "games" if said.get("type") == "games" else "replay"
        example = f'{{"type": "{kind}", "after": 7}}'
        raise LogError(f"malformed request: {error}", "a slip in the JSON", f"an example: {example}") from error
    return question


def scores(journal: Journal, board: str, asked: Games, now: Follower[Any]) -> Iterator[bytes]:
    """The answers, read bit by bit up to what is told ``now``: of each game its ``opening`` and first events, then the
    others; at the end ``done`` with how far it is known by that.
    """
    after, last = asked.after if asked.origin == now.origin else 0, now.seq
    for game in journal.games_after(board, after):
        about: dict[str, Any] = {"opening": journal.opening(game)}
        ruled: Ruled = {}
        told = events_of((record for record in journal.game(game) if record.seq <= last), ruled)
        events = (event for event in told if _typed(event).type in MAKES_A_SCORE)
        while (some := [Raw(event) for event in islice(events, PIECE)]) or about:
            by = {"ruled": [*ruled.items()]} if ruled else {}
            yield encode({"type": "score", "game": game, **about, "events": some, **by})
            about = {}
            ruled.clear()
    yield encode(where(now) | {"type": "done", "seq": last, "origin": now.origin})


def events_of(records: Iterable[Record], ruled: Ruled) -> Iterator[bytes]:
    """The events of a game. Who gave the rulings that came before each is put into ``ruled``."""
    for record in records:
        if record.kind == "event":
            yield record.body
        elif record.kind == "input" and b'"arbiter"' in record.body:
            item = decode_input(record.body)
            if isinstance(item, Arbiter) and item.by is not None:
                ruled[item.ms] = item.by
