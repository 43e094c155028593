"""Material that never mates, wherever it stands."""

from chess import BB_DARK_SQUARES, Color

from controller.mating.state import State


def too_little(state: State, colour: Color) -> bool:
    """Whether ``colour`` has too little left to mate with, for what the other side has to block its king's way."""
    own, enemy = (state.white, state.black) if colour else (state.black, state.white)
    if own & (state.pawns | state.rooks | state.queens):
        return False
    if own & state.knights:
        # A knight alone needs a man in the king's way, and a queen always takes it or steps in between.
        return own.bit_count() == 2 and not enemy & ~(state.kings | state.queens)
    if own & state.bishops:
        one_shade = not state.bishops & BB_DARK_SQUARES or not state.bishops & ~BB_DARK_SQUARES
        return one_shade and not state.pawns | state.knights
    return True
