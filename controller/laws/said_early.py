"""What a player says just before his opponent's move is seen to stand. A board looks at its squares now and then, so
the move may have stood by then: whether he spoke in his own turn shows when it is made, or does not come.
"""

from chess import PIECE_SYMBOLS
from msgspec.structs import replace

from controller import contract as c
from controller.laws.state import State
from controller.sensing.difference import LEGAL


def may_be_his_turn(s: State, side: c.Side) -> bool:
    """Whether what ``side`` says now may be of his own turn, though it is the opponent's by what is seen: the opponent
    holds a piece, or has set it down unseen."""
    return side != s.turn.side and not s.stopped and s.gone() != 0 and s.turn.difference.kind not in LEGAL


def keep(s: State, word: c.Adjust | c.Choose) -> State:
    """Keep the word until it shows whose turn it was."""
    return replace(s, kept_words=(*s.kept_words, replace(word, ms=s.now)))


def due(s: State) -> c.Ms | None:
    """When a kept word proves to have come too early; None while the move that stands may have stood by then."""
    return min([_late(s, word) for word in s.kept_words if not _stood(s, word)], default=None)


def judge(s: State) -> State:
    """Judge the kept words that have come too early by now: the opponent had the move still."""
    early = [word for word in s.kept_words if _late(s, word) <= s.now and not _stood(s, word)]
    s = replace(s, kept_words=tuple([word for word in s.kept_words if word not in early]))
    for word in early:
        if type(word) is c.Adjust:
            s = s.violate(word.side, "adjust-out-of-turn", s.laws.clause.adjust)
    return s


def in_his_turn(s: State) -> State:
    """The opponent makes his move: the kept words are of the turn that begins."""
    for word in s.kept_words:
        if type(word) is c.Choose:
            s = replace(s, chosen={**s.chosen, word.side: PIECE_SYMBOLS.index(word.piece)})
    return replace(s, kept_words=())


def _late(s: State, word: c.Adjust | c.Choose) -> c.Ms:
    """From when on a move that is seen to stand did not stand yet when that was said: the two were not simultaneous."""
    return word.ms + s.together_ms


def _stood(s: State, word: c.Adjust | c.Choose) -> bool:
    """Whether the move that stands may have stood by then."""
    return s.turn.difference.kind in LEGAL and s.turn.stands_since < _late(s, word)
