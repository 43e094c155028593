-- The archive, first form: events as the journals of the boards have them, each once.

-- Which month a game counts to is decided once, so that all its rows, told again or not, go to the same partition.
CREATE TABLE game (
    origin  text NOT NULL,                       -- the journal that it stands in, by the name of which heads tell
    game    text NOT NULL,
    venue   text NOT NULL,
    board   text NOT NULL,                       -- board/7, match/2
    month   date NOT NULL CHECK (extract(day FROM month) = 1),
    started timestamptz,                         -- null as long as only later events of it came
    opening jsonb,
    PRIMARY KEY (origin, game)
);
CREATE INDEX game_venue ON game (venue, board, started);

CREATE TABLE event (
    origin text NOT NULL,
    board  text NOT NULL,
    seq    bigint NOT NULL,                      -- the number of the record in that journal
    month  date NOT NULL,
    venue  text NOT NULL,
    game   text NOT NULL,
    ply    int NOT NULL,                         -- moves made so far
    type   text NOT NULL,
    side   text,
    ms     bigint,                               -- since the game began; null of its beginning
    body   jsonb NOT NULL,
    PRIMARY KEY (origin, board, seq, month)      -- month depends on the three before it
) PARTITION BY RANGE (month);
CREATE INDEX event_game ON event (game, seq);
CREATE INDEX event_type ON event (type, month);

-- Up to which event a board is archived without a gap.
CREATE TABLE line (
    origin text NOT NULL,
    board  text NOT NULL,
    venue  text NOT NULL,
    last   bigint NOT NULL,
    PRIMARY KEY (origin, board)
);

-- How far each board says that it is.
CREATE TABLE head (
    venue  text NOT NULL,
    board  text NOT NULL,
    origin text NOT NULL,
    seq    bigint NOT NULL,
    hash   bytea NOT NULL CHECK (length(hash) = 32),
    last   bigint NOT NULL,
    heard  timestamptz NOT NULL,
    PRIMARY KEY (venue, board)
);

-- What a board could not tell any more, as it had let it go.
CREATE TABLE gone (
    origin text NOT NULL,
    board  text NOT NULL,
    first  bigint NOT NULL,
    last   bigint NOT NULL,
    PRIMARY KEY (origin, board, first)
);

-- What contradicts what is archived, or makes no sense: nothing of it is thrown away in silence.
CREATE TABLE trouble (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    heard   timestamptz NOT NULL DEFAULT now(),
    what    text NOT NULL,
    topic   text NOT NULL,
    payload bytea NOT NULL
);
