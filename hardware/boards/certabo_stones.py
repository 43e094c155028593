"""Which chip is in which piece of a Certabo set, and what stands on a board whose readings are not all true. No I/O but
for the file in which a set is kept.

A set is learnt from readings of the start position, where a further queen may stand on d3 and d6. It is kept as JSON:
``{"0300549a12": "P", …}``. Learning again adds to the file, so that a second set or a further queen may join.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path

import chess
import msgspec

from controller.errors import DeviceError
from controller.shown import START
from hardware.boards.certabo_protocol import NOBODY, ChipTag

LEARN = 7  #: so many readings in a row make a set
VOTE = 3  #: and so many decide what stands on a square
SPARE = {chess.D3: "Q", chess.D6: "q"}
UNKNOWN = "?"  #: a chip that belongs to no piece of the set

Stones = dict[ChipTag, str]
"""The FEN letter of each chip."""


def nobody(tag: ChipTag) -> bool:
    """Whether the square is empty. Half a chip's number is what an empty square gives when the reader errs."""
    return tag.count(0) > 2


class Lesson:
    """Learns a set from readings of the start position."""

    def __init__(self) -> None:
        self._readings: deque[Sequence[ChipTag]] = deque(maxlen=LEARN)

    def take(self, tags: Sequence[ChipTag]) -> Stones | None:
        """The set, once most of the last readings agree on 32 chips that stand as at the start, and on no other."""
        self._readings.append(tags)
        if len(self._readings) < LEARN:
            return None
        stones: Stones = {}
        for square in chess.SQUARES:
            tag, votes = Counter(reading[square] for reading in self._readings).most_common(1)[0]
            piece = START[square] or ("" if nobody(tag) else SPARE.get(square, ""))
            if 2 * votes <= LEARN or nobody(tag) != (piece == "") or tag in stones:
                return None
            if piece:
                stones[tag] = piece
        return stones


class Vote:
    """What stands on each square by most of the last readings; where they all differ, what stood there before."""

    def __init__(self, stones: Mapping[ChipTag, str]) -> None:
        self._stones = stones
        self._readings: deque[Sequence[ChipTag]] = deque(maxlen=VOTE)
        self._shown: list[ChipTag] = [NOBODY] * 64

    @property
    def whole(self) -> bool:
        """Whether there are readings enough."""
        return len(self._readings) == VOTE

    def take(self, tags: Sequence[ChipTag]) -> list[str]:
        """The FEN letters, empty for an empty square, :data:`UNKNOWN` for a chip that is not of the set; a1 first."""
        self._readings.append(tags)
        for square in chess.SQUARES:
            tag, votes = Counter(reading[square] for reading in self._readings).most_common(1)[0]
            if 2 * votes > VOTE:
                self._shown[square] = tag
        return ["" if nobody(tag) else self._stones.get(tag, UNKNOWN) for tag in self._shown]


def load(path: Path) -> Stones:
    """The set kept in ``path``; empty if there is none yet. Raises :exc:`DeviceError` for a file that is no set."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        stones = {bytes.fromhex(tag): piece for tag, piece in kept.items()}
        if wrong := [piece for piece in stones.values() if len(piece) != 1 or piece not in "PNBRQKpnbrqk"]:
            raise ValueError(f"no such piece: {wrong[0]!r}")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise DeviceError(
            f"the set of pieces in {path} cannot be read: {error}",
            "the file was changed, or belongs to another user",
            f"rm {path}, and set the pieces up at the start: they are learnt again",
        ) from error
    return stones


def save(path: Path, stones: Stones) -> None:
    """Adds ``stones`` to those kept in ``path``. Raises :exc:`DeviceError` where it cannot be written."""
    kept = {tag.hex(): piece for tag, piece in (load(path) | stones).items()}
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
        beside.replace(path)
    except OSError as error:
        raise DeviceError(
            f"the set of pieces cannot be kept in {path}: {error.strerror}",
            "a folder that is missing or belongs to another user",
            "set [board] stones to a path that jadoube may write",
        ) from error
