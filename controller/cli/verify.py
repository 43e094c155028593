"""``jadoube verify``: proves that a journal says what was written, row by row, and that its end is there."""

from contextlib import closing
from pathlib import Path

from controller.cli.terminal import many
from controller.errors import DamageError
from controller.journal import Reader, connect_to_read, hear, in_use, unseen


def verify(path: Path) -> int:
    """0 if each row is what was written and follows from the one before; 1 if not, and says which is the first. So also
    where the end is missing that the witness has seen; without one, where SQLite does not see all that its log holds.

    Where rows were lost before, and the journal was restored, that is told; what is there is proven all the same.
    Raises :exc:`JournalError` for what is no journal, or cannot be opened. Nothing is changed; a daemon may be at work.
    """
    testimony = hear(path)  # first: where a daemon is at work, it may be late, but not ahead
    try:
        with closing(Reader(connect_to_read(path, testimony.noted), path)) as reader:
            proof = reader.verify()
            reader.check_pages()
            reader.check_end(testimony.noted)
            if testimony.trouble and not in_use(path):
                unseen(path, reader.head())
            games = sum(1 for _ in reader.openings())
            gone = reader.let_go()
    except DamageError as damage:
        print(damage)
        return 1
    print(f"{path}: {many(proof.records, 'record')} of {many(games, 'game')}, each as it was written")
    for seam in proof.seams:
        alone = "" if seam.before is not None else "; what it follows from is lost, so that row stands unproven"
        print(f"  before record {seam.seq} rows are missing, {seam.told}{alone}")
    for each in gone:
        what = many(each.games, "game")
        what = f"touches of {what}" if each.what == "touches" else what
        records = many(each.records, "record")
        print(f"  let go by age on {each.day}: {what}, {records}; the rest is proven as before")
    for seam in reader.seams.values():
        if seam.seq > proof.head.seq:
            print(f"  after record {proof.head.seq} rows may be missing: {seam.told}")
    if testimony.trouble:
        print(f"  {testimony.trouble}, so nobody can say whether there were more")
    print(f"head {proof.head.seq} {proof.head.hash.hex()}")
    return 0
