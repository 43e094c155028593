"""``jadoube verify``: proves that a journal says what was written, row by row."""

from contextlib import closing
from pathlib import Path

from controller.errors import DamageError
from controller.journal import Reader, connect_to_read


def verify(path: Path) -> int:
    """0 if each row is what was written and follows from the one before; 1 if not, and says which is the first.

    Where rows were lost before, and the journal was restored, that is told; what is there is proven all the same.
    Raises :exc:`JournalError` for what is no journal, or cannot be opened. Nothing is changed; a daemon may be at work.
    """
    try:
        with closing(Reader(connect_to_read(path), path)) as reader:
            proof = reader.verify()
            reader.check_pages()
            games = sum(1 for _ in reader.openings())
    except DamageError as damage:
        print(damage)
        return 1
    print(f"{path}: {proof.records} records of {games} games, each as it was written")
    for seam in proof.seams:
        alone = "" if seam.before is not None else "; what it follows from is lost, so that row stands unproven"
        print(f"  before record {seam.seq} rows are missing, {seam.told}{alone}")
    print(f"head {proof.head.seq} {proof.head.hash.hex()}")
    return 0
