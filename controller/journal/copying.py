"""A copy of a journal, also of one that a daemon writes to; and how such a copy goes on as a journal of its own."""

import secrets
from contextlib import closing
from datetime import datetime
from pathlib import Path

from controller.journal import store
from controller.journal.journal import Journal
from controller.journal.reading import Proof, Reader
from controller.journal.rescue import LEAP


def copy(path: Path, new: Path) -> Proof:
    """Puts the journal ``path``, as it is at one moment, into a file ``new``, and proves the copy.

    What the disk does not take at present and is kept in memory is not in it. Raises :exc:`JournalError` where there is
    no journal, :exc:`DamageError` for a damaged one, and :exc:`OSError` or :exc:`sqlite3.Error` where ``new`` cannot be
    written.
    """
    with closing(store.connect_to_read(path)) as connection:
        Reader(connection, path).check_pages()
        connection.execute("VACUUM INTO ?", (str(new),))
    return prove(new)


def prove(path: Path) -> Proof:
    """Of the whole file. Raises :exc:`JournalError` and :exc:`DamageError`."""
    with closing(Reader(store.connect_to_read(path), path)) as reader:
        reader.check_pages()
        return reader.verify()


def go_on(path: Path, told: str) -> None:
    """Lets a copy go on under a name of its own: from where it was made another may go on, too, with the same numbers.

    Receivers begin anew when they hear the name. Raises :exc:`JournalError` and :exc:`sqlite3.Error`.
    """
    with closing(store.connect(path)) as connection:
        store.migrate(connection, path)
        end = Reader(connection, path).end()
        seq = end.seq + 1 + LEAP
        with connection:
            connection.execute("INSERT INTO seam VALUES (?, ?, ?)", (seq, end.hash, f"{told} {datetime.now():%F %T}"))
            connection.execute("INSERT INTO origin VALUES (?, ?)", (seq, secrets.token_hex(32)))
    Journal(path).close()  # as the daemon will open it
