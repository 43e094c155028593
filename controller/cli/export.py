"""``jadoube export``: the games of a journal as session logs, which ``jadoube replay`` judges again, and as scores.

Of a damaged journal what can be read is exported; the file itself is not changed.
"""

import re
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.cli.terminal import many
from controller.errors import DamageError, DeviceError
from controller.journal import Opening, Reader, connect_to_read, salvage
from controller.outlets.bpgn import BPGN
from controller.outlets.pgn import PGN, Form
from controller.outlets.writing import write_atomically
from controller.wire import decode_event, encode


def export(path: Path, out: Path) -> int:
    """Writes ``<game>.jsonl`` and a PGN, of a match a BPGN, of each game to ``out``.

    0 if all could be read; 1 if the journal is damaged, and what can be read of it was written. Raises
    :exc:`JournalError` for what is no journal, and :exc:`DeviceError` where ``out`` cannot be written to.
    """
    try:
        with closing(Reader(connect_to_read(path), path)) as reader:
            reader.verify()
            reader.check_pages()
            _write(reader, out)
    except DamageError as damage:
        print(damage.what, file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / path.name
            restored = salvage(path, new)
            with closing(Reader(connect_to_read(new), new)) as reader:
                _write(reader, out)
        print(f"{restored.records} records could be read", file=sys.stderr)
        return 1
    return 0


def _write(reader: Reader, out: Path) -> None:
    games = alone = 0
    scores = reader.scores()
    try:
        out.mkdir(parents=True, exist_ok=True)
        for opening in reader.openings():
            log, sheet = _told(reader, opening)
            name = re.sub(r"[^\w.-]", "_", opening.game)  # one that somebody else has written may say anything
            if opening.game in scores:
                alone += 1
            else:
                write_atomically(out / f"{name}.jsonl", log)
            form = _form(opening)
            write_atomically(out / form.name.format(name), form.text(sheet))
            games += 1
    except OSError as error:
        cause = "a full disk, a folder of another user, or no folder at all"
        what = f"{out} cannot be written to: {error.strerror}"
        raise DeviceError(what, cause, f"ls -ld {out}; df -h {out}") from error
    print(f"{out}: {many(games, 'game')}")
    if alone:
        print(
            f"  of {alone} of them the score alone: their touches were let go by age, see [journal] keep_touches_days"
        )


def write_scores(reader: Reader, out: Path) -> int:
    """Writes to ``out`` the score of each game of which there is none yet; how many these were. Raises OSError."""
    written = 0
    for opening in reader.openings():
        form = _form(opening)
        if not (path := out / form.name.format(opening.game)).exists():
            write_atomically(path, form.text(_told(reader, opening)[1]))
            written += 1
    return written


def _told(reader: Reader, opening: Opening) -> tuple[str, Any]:
    """The session log of a game, and the sheet of its score."""
    lines, sheet = [encode(opening.session)], _form(opening).begin(opening)
    for record in reader.game(opening.game):
        if record.kind == "input":
            lines.append(record.body)
        elif record.kind == "event":
            event = decode_event(record.body)
            if sheet.concerns(event):
                sheet.apply(event)
    return "".join(f"{line.decode()}\n" for line in lines), sheet


def _form(opening: Opening) -> Form[Any]:
    return PGN if opening.session.match is None else BPGN
