-- What was let go by its age: the rows themselves are not there any more, the proof of the others is.

CREATE TABLE gone (
    first INTEGER PRIMARY KEY,                                    -- the rows from `first`
    last  INTEGER NOT NULL CHECK (last >= first),                 -- to `last` are not there any more
    hash  BLOB NOT NULL CHECK (length(hash) = 32),                -- that of the row `last`, from which the next follows
    game  TEXT NOT NULL,
    what  TEXT NOT NULL CHECK (what IN ('touches', 'game')),      -- all but the score, or all of it
    day   TEXT NOT NULL                                           -- on which that was done; '': it is being done
) STRICT;

CREATE INDEX gone_game ON gone (game, first);

-- What is too old, and since when that is known: it goes a day later, if it is so still.
CREATE TABLE due (
    what  TEXT NOT NULL,
    name  TEXT NOT NULL,                                          -- of a game or a file
    since TEXT NOT NULL,
    PRIMARY KEY (what, name)
) STRICT, WITHOUT ROWID;

DROP TRIGGER record_stays;
CREATE TRIGGER record_stays BEFORE DELETE ON record
    WHEN NOT EXISTS (SELECT 1 FROM gone WHERE first <= old.seq AND last >= old.seq)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
