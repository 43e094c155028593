"""How far a board is archived without a gap: each event names the one before it."""


class ArchivedLine:
    """Of one board and one journal. ``last``: up to which event all is archived; None: nothing of it is known yet."""

    def __init__(self, last: int | None = None) -> None:
        self.last = last
        self._ahead: list[tuple[int, int]] = []  # what came beyond a gap: each run from after an event to another

    def event(self, after: int, seq: int, *, begins: bool) -> None:
        if self.last is None:
            # Of a board that is new here: its games before this one are not asked for.
            self.last = after if begins else 0
        if after <= self.last:
            self.move_on(seq)
        else:
            self._put_ahead(after, seq)

    def move_on(self, seq: int) -> None:
        """Up to that number there is nothing more to wait for."""
        self.last = max(self.last or 0, seq)
        for first, end in sorted(self._ahead):
            if first <= self.last:
                self.last = max(self.last, end)
        self._ahead = [(first, end) for first, end in self._ahead if end > self.last]

    def _put_ahead(self, after: int, seq: int) -> None:
        for n, (first, end) in enumerate(self._ahead):
            if first <= after <= end:
                self._ahead[n] = (first, max(end, seq))
                return
        self._ahead.append((after, seq))
