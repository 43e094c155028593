"""Material that never mates, wherever it stands."""

from chess import BB_DARK_SQUARES, Color

from controller.mating.state import MatingState


def too_little(state: MatingState, colour: Color) -> bool:
    """Whether ``colour`` has too little left to mate with, for what the other side has to block its king's way."""
    _, white, black, pawns, knights, bishops, rooks, queens, kings, *_ = state
    own, enemy = (white, black) if colour else (black, white)
    if own & (pawns | rooks | queens):
        return False
    if own & knights:
        # A knight alone needs a piece in the king's way, and a queen always takes it or steps in between.
        return own.bit_count() == 2 and not enemy & ~(kings | queens)
    if own & bishops:
        one_shade = not bishops & BB_DARK_SQUARES or not bishops & ~BB_DARK_SQUARES
        return one_shade and not pawns | knights
    return True
