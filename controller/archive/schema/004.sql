-- The time that each move took its player's clock while that ran: what is earned with a move, or given, is no part of it.
DROP VIEW time_used;
CREATE VIEW time_used AS
WITH told AS (
    SELECT *, body ->> 'board' AS half,
           CASE lag(type) OVER line WHEN 'clock' THEN lag(body ->> 'running') OVER line END AS ran,
           ms - lag(ms) OVER line AS since_ms
    FROM event WHERE type IN ('clock', 'completed')
    WINDOW line AS (PARTITION BY origin, board, game, body ->> 'board' ORDER BY seq)
), charged AS (
    SELECT *, CASE side WHEN 'white' THEN sum(since_ms) FILTER (WHERE ran = 'white') OVER so_far
                        ELSE sum(since_ms) FILTER (WHERE ran = 'black') OVER so_far END AS run_ms
    FROM told WINDOW so_far AS (PARTITION BY origin, board, game, half ORDER BY seq)
)
SELECT venue, board, game, side, ply, body ->> 'uci' AS uci, (body ->> (side || '_ms'))::bigint AS left_ms,
       (run_ms - lag(run_ms, 1, 0::numeric) OVER (PARTITION BY origin, board, game, half, side ORDER BY seq))::bigint AS used_ms
FROM charged WHERE type = 'completed';
