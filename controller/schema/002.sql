-- Where a damaged journal was restored and rows could not be read: the chain begins anew with the row `seq`.

CREATE TABLE seam (
    seq    INTEGER PRIMARY KEY,                          -- the first row after it, there yet or not
    before BLOB CHECK (length(before) = 32),             -- the hash that row follows from, where it is known
    told   TEXT NOT NULL                                 -- when it was restored, and from which file
) STRICT;

CREATE TRIGGER seam_stands BEFORE UPDATE ON seam BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER seam_stays BEFORE DELETE ON seam BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
