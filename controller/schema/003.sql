-- By what the journal is known to those who receive what stands in it. A new name is given where records may be missing
-- that somebody was sent: who hears it begins anew. From here on a witness stands beside the file.

CREATE TABLE origin (
    seq  INTEGER PRIMARY KEY,                            -- the first record under it, there yet or not
    name TEXT NOT NULL
) STRICT;

CREATE TRIGGER origin_stands BEFORE UPDATE ON origin BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER origin_stays BEFORE DELETE ON origin BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- Up to here it was the hash of the first record.
INSERT INTO origin SELECT seq, lower(hex(hash)) FROM record ORDER BY seq LIMIT 1;
INSERT INTO origin SELECT 1, lower(hex(randomblob(32))) WHERE NOT EXISTS (SELECT 1 FROM origin);
