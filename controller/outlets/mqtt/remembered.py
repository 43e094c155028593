"""Compares the head that the broker retained with the journal: that shows where an older copy was put in the journal's
place, which the copy cannot know.

A broker proves no number, for who may write there may say any: only whether the journal is the one that was told of.
"""

from typing import Annotated

from msgspec import Meta, Struct

from controller.errors import JournalError
from controller.journal import GENESIS, Journal
from controller.wire import heard_as


class RememberedHead(Struct, frozen=True):
    """A head that was published, or another topic that says of which game it is. Its hash says nothing where it is
    GENESIS, that before the first row."""

    seq: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    hash: str = ""
    origin: str | None = None
    game: str | None = None


def read(payload: bytes | None) -> RememberedHead:
    """What a broker had retained; of something else, that nothing was told."""
    return heard_as(payload, RememberedHead) or RememberedHead()


def contradicts(told: RememberedHead, journal: Journal) -> str | None:
    """In what the ``journal`` is not what was ``told`` under its own name; None where it is, as far as that goes."""
    if told.origin != journal.origin or not told.seq or told.hash == GENESIS.hex():
        return None
    if [told.hash] == [record.hash.hex() for record in journal.after(told.seq - 1, 1) if record.seq == told.seq]:
        return None
    if told.seq > journal.head.seq:
        seen = f"ends with record {journal.head.seq}, and the broker was told up to {told.seq}"
    else:
        seen = f"has another record {told.seq} than the broker was told"
    return f"{seen}: an older copy of it was put in its place"


def another(told: RememberedHead, journal: Journal, outlet: str) -> JournalError | None:
    """What there is to say where the broker was told of another journal by now, and never of this one."""
    if told.origin in (None, journal.origin) or journal.restored is not None or journal.cursor(outlet) or not told.seq:
        return None
    return JournalError(
        f"the journal {journal.path} is another one than the broker was told of up to now, up to record {told.seq}",
        "a new one was begun on purpose; or the old one was deleted or moved away",
        f"if nobody meant it: look for the old one, ls -la {journal.path.parent}",
    )
