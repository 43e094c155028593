"""Python's garbage collector, told what a game is like."""

import gc


def few_collections() -> None:
    """Look for garbage seldom: a game keeps nearly all that it makes, so that looking often finds nothing, and a long
    look keeps the board's next move waiting, or those of all boards of a hall.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
