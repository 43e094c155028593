"""A copy of a journal, also of one that a daemon writes to; and how such a copy goes on as a journal of its own."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

from controller.journal import store
from controller.journal.reading import Proof, Reader
from controller.journal.witness import Witness, hear


def copy(path: Path, new: Path) -> Proof:
    """Puts the journal ``path``, as it is at one moment, into a file ``new``, and proves the copy.

    What the disk does not take at present and is kept in memory is not in it. Raises :exc:`JournalError` where there is
    no journal, :exc:`DamageError` for a damaged one, and :exc:`OSError` or :exc:`sqlite3.Error` where ``new`` cannot be
    written.
    """
    noted = hear(path).noted  # first: beside a daemon it may be late, but not ahead
    with closing(store.connect_to_read(path, noted)) as connection:
        reader = Reader(connection, path)
        reader.check_pages()
        reader.check_end(noted)
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
        reader = Reader(connection, path)
        with connection:
            store.part(connection, reader.end(), f"{told} {datetime.now():%Y-%m-%d %H:%M:%S}")
        witness = Witness(path, store.NEWEST)
        witness.begin(reader.head())
        witness.close()
