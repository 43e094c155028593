"""Makes a journal as the first version wrote it: ``python tests/daemon/journals/make.py schema-001.sqlite``.

It is written by SQL and by hand, not by the code under test: a fixture must not change when that does.
"""

import hashlib
import sqlite3
import sys
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[3] / "controller" / "schema" / "001.sql"
GAME = "20261121-140913-f904"
ROWS = (
    (
        "game",
        '{"game":"20261121-140913-f904","venue":"hall","board":"7","started":"2026-11-21T14:09:13+00:00",'
        '"tags":{"White":"Ann","Black":"Bob"},"session":{"type":"session","version":1,"clock":"300"}}',
    ),
    ("input", '{"type":"frame","ms":0,"occupied":"ffff00000000ffff"}'),
    ("event", '{"type":"clock","ms":0,"white_ms":300000,"black_ms":300000,"running":"white"}'),
    ("input", '{"type":"lift","ms":2000,"square":"e2"}'),
    ("input", '{"type":"place","ms":2600,"square":"e4"}'),
    ("event", '{"type":"touch","ms":2600,"side":"white","square":"e2","piece":"P"}'),
)


def main(path: Path) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA.read_text("utf-8") + "PRAGMA user_version = 1;")
    last = bytes(32)
    for seq, (kind, body) in enumerate(ROWS, 1):
        last = hashlib.sha256(last + f"{seq}\n{GAME}\n{kind}\n{body}".encode()).digest()
        connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?)", (seq, GAME, kind, body, last))
    connection.execute("INSERT INTO cursor VALUES ('mqtt', 5)")
    connection.commit()
    connection.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
