"""Who can still mate, by any series of legal moves of both sides (5.2.2, 6.9)."""
