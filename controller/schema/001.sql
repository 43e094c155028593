-- The journal, first form. One table in the order in which things happened; nothing in it is ever changed.

CREATE TABLE record (
    seq  INTEGER PRIMARY KEY,                                        -- 1, 2, 3 … without gaps, over all games
    game TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('game', 'input', 'event')),   -- an input is followed by the events it led to
    body TEXT NOT NULL,                                              -- JSON, in the vocabulary of the contract
    hash BLOB NOT NULL CHECK (length(hash) = 32)                     -- SHA-256 over the hash before and this row
) STRICT;

CREATE INDEX record_game ON record (game, seq);
CREATE INDEX record_opening ON record (seq) WHERE kind = 'game';

CREATE TRIGGER record_stands BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_stays BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- How far each way out has come. It may lag behind what was sent, never run ahead of it.
CREATE TABLE cursor (
    outlet TEXT PRIMARY KEY,
    seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
