"""The spectators: so many are served at a time, and no address has the places of others.

When all places are taken, the address that has most of them gives one up for who comes from one that has fewer: its
latest, for who was there first is more likely to be meant well. Where it would be its own, who comes is refused.
"""

from controller.console.hub import PageReader
from controller.outlets.entrance import origin


class Crowd:
    """At most ``most`` readers."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._here: dict[str, list[PageReader]] = {}

    def enter(self, address: str) -> PageReader | None:
        """A place for who comes from there; None where there is none."""
        here = self._here.get(origin(address), [])
        if sum(map(len, self._here.values())) >= self._most:
            greediest = max(self._here.values(), key=len)
            if len(greediest) <= len(here) + 1:
                return None
            greediest.pop().end()
        reader = PageReader()
        self._here.setdefault(origin(address), []).append(reader)
        return reader

    def leave(self, address: str, reader: PageReader) -> None:
        """He who came from there is gone."""
        here = self._here.get(origin(address), [])
        if reader in here:
            here.remove(reader)
        if not here:
            self._here.pop(origin(address), None)
