"""Offers of a draw on one board, and what became of each (9.1), from what players said and did. For arbiters alone."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from controller.contract import AnyEvent, AnyInput, BoardId, Claimed, Draw, Move, Side, Touch, other
from controller.words.language import Language


class DrawOffer(Struct):
    """The last one of a player. Times are ms of the session, and of the wall since 1970 where that is known."""

    side: Side
    ms: int
    ply: int  #: how many moves had been made
    wall_ms: int | None
    fate: Literal["stands", "accepted", "declined", "lapsed"] = "stands"


class Offers:
    """Those on the board ``board_id``. In a match who declines does so for both boards."""

    def __init__(self, board_id: BoardId | None) -> None:
        self.board_id = board_id
        self._last: dict[Side, DrawOffer] = {}

    def hear(self, item: AnyInput, ply: int, wall_ms: int | None) -> None:
        """An input, after so many moves."""
        if not isinstance(item, Draw):
            return
        if item.act == "offer" and item.board == self.board_id:
            self._offer(item.side, item.ms, ply, wall_ms)
        elif item.act == "decline":
            self._answer("declined", *([other(item.side)] if item.board is None else self._last))
        elif item.act == "accept" and item.board == self.board_id:
            self._answer("accepted", other(item.side))

    def apply(self, event: AnyEvent, ply: int, wall_ms: int | None) -> None:
        """An event on this board, before which so many moves had been made. Who touches a piece or moves has let the
        offer pass."""
        match event:
            case Claimed() if self.board_id is None and _is_offer(event):
                self._offer(event.side, event.ms, ply, wall_ms)
            case Touch() if (offer := self._last.get(other(event.side))) is not None and event.began_ms > offer.ms:
                self._answer("lapsed", offer.side)
            case Move() if (offer := self._last.get(other(event.side))) is not None and event.ply > offer.ply:
                self._answer("lapsed", offer.side)
            case _:
                pass

    def shown(self, to: Language, ply: int, *, over: bool) -> Sequence[dict[str, Any]]:
        """In words, as JSON, the latest last, when so many moves have been made. One that was accepted, and the game
        is not ``over``, was so too early or too late; of a match all four have to accept."""
        in_vain = not over and self.board_id is None
        return [
            {
                "side": offer.side,
                "stands": offer.fate == "stands",
                # It may have lapsed by a move that was made before it, and told later.
                "open": offer.fate == "stands" or (offer.fate == "lapsed" and ply <= offer.ply + 1),
                "text": to.text("page", _said(offer.fate, in_vain=in_vain), **to.sides(offer.side)),
                "at": to.at(offer.ms),
                "wall": offer.wall_ms,
            }
            for offer in sorted(self._last.values(), key=lambda offer: offer.ms)
        ]

    def _offer(self, side: Side, ms: int, ply: int, wall_ms: int | None) -> None:
        self._last[side] = DrawOffer(side, ms, ply, wall_ms)

    def _answer(self, fate: Literal["accepted", "declined", "lapsed"], *sides: Side) -> None:
        for side in sides:
            offer = self._last.get(side)
            all_agree = self.board_id is not None and fate == "declined"  # who declines in a match does so for all
            if offer is not None and (offer.fate == "stands" or (all_agree and offer.fate == "accepted")):
                offer.fate = fate


def _said(fate: str, *, in_vain: bool) -> str:
    """The id of the sentence that says it."""
    return "offer-in-vain" if in_vain and fate == "accepted" else f"offer-{fate}"


def _is_offer(claim: Claimed) -> bool:
    """Whether who claims a draw so has offered one with it (9.1)."""
    return claim.of in ("threefold", "fifty-moves") or (claim.of == "quickplay" and claim.verdict == "referred")
