"""What a round changes against the one in force."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from controller.tournament.values import Key, Pairing, Player, Round

ChangeKind = Literal["new", "moved", "colours", "replaced", "data", "gone", "bye", "withdrawn", "came"]


class RoundChange(Struct, frozen=True, kw_only=True):
    """One change, of a game or of a player."""

    kind: ChangeKind
    now: Pairing | None = None
    before: Pairing | None = None
    player: Player | None = None  #: who is there no more, or is new


def changes(before: Round | None, now: Round) -> list[RoundChange]:
    """All that differs: games and byes in the order of the tables, games that are there no more, then the players."""
    found = list(_of_pairings(before, now))
    if before is None:
        return found
    old, new = ({player.key: player for player in each.players} for each in (before, now))
    found += [RoundChange(kind="withdrawn", player=old[key]) for key in old if key not in new]
    found += [RoundChange(kind="came", player=new[key]) for key in new if key not in old]
    return found


def _of_pairings(before: Round | None, now: Round) -> Iterator[RoundChange]:
    old = {} if before is None else {pairing.keys: pairing for pairing in before.pairings}
    at = {} if before is None else {pairing.table: pairing for pairing in before.games}
    kept = {pairing.keys for pairing in now.pairings}
    replaced: set[frozenset[Key]] = set()
    for pairing in now.pairings:
        same = old.get(pairing.keys)
        if same is not None:
            if same != pairing:
                yield RoundChange(kind=_differs(same, pairing), now=pairing, before=same)
            continue
        there = at.get(pairing.table)
        if pairing.black is None:
            yield RoundChange(kind="bye", now=pairing)
        elif there is not None and there.keys not in kept and there.keys & pairing.keys:
            replaced.add(there.keys)
            yield RoundChange(kind="replaced", now=pairing, before=there)
        else:
            yield RoundChange(kind="new", now=pairing)
    for keys, pairing in old.items():
        if keys not in kept | replaced and pairing.black is not None:
            yield RoundChange(kind="gone", before=pairing)


def _differs(before: Pairing, now: Pairing) -> ChangeKind:
    if before.white.key != now.white.key:
        return "colours"
    return "data" if before.table == now.table else "moved"
