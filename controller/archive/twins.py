"""A board named twice: two computers tell of one venue and number, each out of its own journal, in turn.

A journal may get another name, where records of it may be lost; it never gets the old one again. So a name that comes
back after another one is that of a second board.
"""

from controller.archive.heard import HEAD, Foreign, QueuedHead, VenueBoard

KEPT = 8  #: names of journals that are remembered of a board


class TwinBoards:
    """What journals were heard of for each board, the last one last. ``found``: the boards that are named twice."""

    def __init__(self) -> None:
        self._journals: dict[VenueBoard, list[str]] = {}
        self.found: set[VenueBoard] = set()

    def hear(self, head: QueuedHead) -> Foreign | None:
        """What is to be noted where a board is found to be named twice; None where it is not, or was found before."""
        known = self._journals.setdefault(head.place, [])
        if known[-1:] == [head.origin]:
            return None
        again = head.origin in known
        self._journals[head.place] = [*(each for each in known if each != head.origin), head.origin][-KEPT:]
        if not again or head.place in self.found:
            return None
        self.found.add(head.place)
        one, other = (each[:12] for each in sorted((known[-1], head.origin)))
        name = f"{head.place.venue} {head.place.board}"
        why = f"two boards are called {name}: the journals {one} and {other} tell of it in turn"
        return Foreign(head.place.topic(HEAD), head.hash, f"{why}; give one of them another [event] venue or board")
