-- What the hall's pages are made of beside the events, and who may sign in there.

-- When an event was archived. Spectators see it once the delay of the event has passed since.
ALTER TABLE event ADD COLUMN archived timestamptz NOT NULL DEFAULT now();

-- What awaited a ruling in a game, and what people said to it, as it was told last: docs/mqtt.md, topic docket.
CREATE TABLE docket (
    venue  text NOT NULL,
    board  text NOT NULL,
    game   text NOT NULL,
    origin text NOT NULL,
    last   bigint NOT NULL,                      -- the last event that there was then
    body   jsonb NOT NULL,
    PRIMARY KEY (game, venue, board)
);

-- What an arbiter has seen of that which awaits no ruling; a case is called by the number of its first record.
CREATE TABLE seen (
    venue  text NOT NULL,
    board  text NOT NULL,
    game   text NOT NULL,
    number bigint NOT NULL,
    by     text NOT NULL,
    at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game, venue, board, number)
);

-- Codes to sign in with, as salted hashes, good once; and the devices that are signed in, by the hash of their cookie.
CREATE TABLE pairing_code (
    venue  text NOT NULL,
    salt   text NOT NULL,
    hash   text NOT NULL,
    until  timestamptz NOT NULL,
    may    jsonb NOT NULL,
    PRIMARY KEY (venue, salt)
);
CREATE TABLE device (
    venue  text NOT NULL,
    name   text NOT NULL,
    body   jsonb NOT NULL,
    until  timestamptz NOT NULL,
    heard  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (venue, name)
);

-- Each change is told to who listens, as [what, venue, …]; with the commit, and not before.
CREATE FUNCTION tell_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('jadoube', jsonb_build_array('line', NEW.venue, NEW.board, NEW.origin, NEW.last)::text);
    RETURN NULL;
END $$;
CREATE TRIGGER line_begins AFTER INSERT ON line FOR EACH ROW EXECUTE FUNCTION tell_line();
CREATE TRIGGER line_moves_on AFTER UPDATE ON line FOR EACH ROW WHEN (NEW.last > OLD.last) EXECUTE FUNCTION tell_line();

CREATE FUNCTION tell_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('jadoube', jsonb_build_array(TG_TABLE_NAME, NEW.venue, NEW.board, NEW.game)::text);
    RETURN NULL;
END $$;
CREATE TRIGGER docket_changes AFTER INSERT OR UPDATE ON docket FOR EACH ROW EXECUTE FUNCTION tell_game();
CREATE TRIGGER case_is_seen AFTER INSERT ON seen FOR EACH ROW EXECUTE FUNCTION tell_game();

CREATE FUNCTION tell_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('jadoube', jsonb_build_array(
        'device', coalesce(NEW.venue, OLD.venue), coalesce(NEW.name, OLD.name))::text);
    RETURN NULL;
END $$;
CREATE TRIGGER device_comes_or_goes AFTER INSERT OR DELETE ON device FOR EACH ROW EXECUTE FUNCTION tell_device();
