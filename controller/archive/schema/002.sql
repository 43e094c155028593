-- The questions that people ask, as views.

-- How many touches and how much time went before each move, by player and number of the move.
CREATE VIEW move_effort AS
SELECT venue, board, game, side, ply, (ply + 1) / 2 AS number, body ->> 'san' AS san, ms AS made_ms,
       (SELECT count(*) FROM event t WHERE t.origin = m.origin AND t.board = m.board AND t.month = m.month
            AND t.game = m.game AND t.type = 'touch' AND t.side = m.side AND t.seq < m.seq
            AND t.seq > coalesce((SELECT max(p.seq) FROM event p WHERE p.origin = m.origin AND p.board = m.board
                AND p.month = m.month AND p.game = m.game AND p.type = 'move' AND p.side = m.side AND p.seq < m.seq), 0)
       ) AS touches
FROM event m WHERE type = 'move';

-- The time that each completed move took its player, by his clock; the increment is in what is left.
CREATE VIEW time_used AS
SELECT venue, board, game, side, ply, body ->> 'uci' AS uci, left_ms,
       lag(left_ms) OVER (PARTITION BY origin, game, side ORDER BY seq) - left_ms AS used_ms
FROM (SELECT *, (body ->> (side || '_ms'))::bigint AS left_ms FROM event WHERE type = 'completed') AS completed;

-- Offences by kind, with the edition of the Laws under which they were committed.
CREATE VIEW offence AS
SELECT e.venue, e.board, e.game, e.seq, e.side, e.type, e.body ->> 'kind' AS kind, e.body ->> 'article' AS article,
       coalesce(g.opening -> 'session' ->> 'laws', 'fide-2023') AS edition, e.ply, e.ms,
       (e.body ->> 'confidence')::real AS confidence
FROM event e JOIN game g USING (origin, game) WHERE e.type IN ('violation', 'illegal');

CREATE VIEW offences_by_kind AS
SELECT edition, type, kind, count(*) AS times, count(DISTINCT (venue, game)) AS games FROM offence GROUP BY 1, 2, 3;

-- Squares whose sensors seemed not to work, by board.
CREATE VIEW failing_sensor AS
SELECT e.venue, e.board, square, count(*) AS times, count(DISTINCT e.game) AS games, max(g.started) AS latest
FROM event e JOIN game g USING (origin, game), jsonb_array_elements_text(e.body -> 'squares') AS square
WHERE e.type = 'disbelieved' GROUP BY 1, 2, 3;

-- Boards that told more than is here yet.
CREATE VIEW behind AS
SELECT h.venue, h.board, h.origin, coalesce(l.last, 0) AS archived, h.last AS told, h.heard
FROM head h LEFT JOIN line l USING (origin, board) WHERE h.last > coalesce(l.last, 0);
