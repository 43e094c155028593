"""The journal: every game's inputs and events in SQLite, append-only, each row hashed together with the one before.

It is at once the memory of the daemon (recovery is replay), the outbox of every outlet (one cursor each), and the
evidence of an arbiter. WAL with `synchronous=FULL`: with NORMAL, simulated power cuts lost acknowledged rows in
half of the states tried, with FULL in none. One thread writes; what is queued meanwhile shares one commit.
Beside the file stand a lock and a witness of how far it has come, by which it is noticed that its end is missing;
elsewhere a spill of what waits for the disk.
The tables stand in ``schema/NNN.sql``; a journal of an older schema is brought up to date when it is opened.

While the disk takes nothing, the game goes on and is kept in memory, in order, and written before anything newer once
the disk takes it; also where the program is killed or started anew meanwhile, but not without power. Until then no
outlet sends any of it, for what was sent must never be lost; that something is wrong is no part of a game and is said
at once. The players' own clock alone goes on showing what is so.

one file       ``store``: opened, and by whom; ``record``: what stands in it; ``reading``: and proven; ``copying``
writing        ``journal``; ``writer``: the thread; ``latest``: what it tells the others; ``spill``: for a full disk
beside it      ``hold``: who may write, and whether the file is where it was; ``witness``: how far it has come
what ends      ``rescue``, ``pages``: what can be read of a damaged file; ``keeping``: what is too old
"""

from controller.journal.hold import holder, in_use
from controller.journal.journal import Journal
from controller.journal.keeping import Keeper
from controller.journal.reading import Reader
from controller.journal.record import GENESIS, Head, Opening, Record, decode_opening
from controller.journal.rescue import RescuedJournal, salvage, unseen
from controller.journal.store import connect_to_read, unknown
from controller.journal.witness import hear

__all__ = [
    "GENESIS",
    "Head",
    "Journal",
    "Keeper",
    "Opening",
    "Reader",
    "Record",
    "RescuedJournal",
    "connect_to_read",
    "decode_opening",
    "hear",
    "holder",
    "in_use",
    "salvage",
    "unknown",
    "unseen",
]
