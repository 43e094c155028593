"""What only a match has to say: stocks, pieces that must be dropped, and what it came to."""

import pytest

from controller import contract as c
from controller.match import game_of
from controller.words.context import Contexts
from controller.words.say import say

FENS = c.BoardFens(A="4k3/8/8/8/8/8/4P3/4K3[NPq] w - - 0 1", B="startpos")
SESSION = c.Session(version=1, clock="180", match="bughouse", fen=FENS, play="blitz", supervised=False)
TOUCHED = [
    c.Lift(ms=500, board="A", square="e2"),
    c.Place(ms=900, board="A", square="e4"),
    c.Press(ms=1500, board="A", side="white"),
    c.Lift(ms=2000, board="A", square="e8"),
    c.Place(ms=2400, board="A", square="e7"),
    c.Press(ms=3000, board="A", side="black"),
    c.Choose(ms=3500, board="A", side="white", piece="n"),
    c.Place(ms=4000, board="A", square="c3"),
    c.Lift(ms=4300, board="A", square="c3"),
    c.Time(ms=4900, board="A"),
]


def told(*items: c.AnyInput, code: str = "en") -> list[str]:
    game, contexts, said = game_of(SESSION), Contexts(SESSION), []
    for item in items:
        for event in game.handle(item):
            said.append(say(event, code, contexts.of(event)))  # type: ignore[arg-type]
            contexts.of(event).apply(event)
    return said


@pytest.mark.parametrize(
    ("code", "begins"),
    [
        ("en", "White must drop a piece from the stock, as one has touched an empty square (Article 4.3.1): N@a1, "),
        ("fr", "Les Blancs doivent poser une pièce de leur stock, car l’une d’elles a touché une case vide"),
    ],
)
def test_a_stock_piece_that_touched_the_board_is_to_be_dropped(code: str, begins: str) -> None:
    (owed,) = [text for text in told(*TOUCHED, code=code) if text.startswith(begins)]
    assert "e2" not in owed, "what he touched in his last turn binds no longer"


def test_a_claim_of_repetition_says_that_it_has_to_have_been_counted_aloud() -> None:
    claim = c.Claimed(
        ms=1, board="A", side="white", of="fourfold", verdict="referred", article="19", plies=[0, 4, 8, 12]
    )
    sentence = say(claim, "en", Contexts(SESSION).of(claim))
    assert "only if the repetitions were counted aloud" in sentence
    assert "take back" not in sentence


@pytest.mark.parametrize(
    ("code", "touched"),
    [
        ("en", "touched in this order: the white knight from the stock on c3 (4.0 s), the white king on e1 (5.0 s)"),
        ("fr", "le cavalier blanc du stock en c3 (4,0 s), le roi blanc en e1 (5,0 s)"),
    ],
)
def test_a_breach_by_another_piece_tells_of_the_stock_piece_s_touch(code: str, touched: str) -> None:
    king = (c.Lift(ms=5000, board="A", square="e1"), c.Place(ms=5500, board="A", square="d1"))
    assert touched in told(*TOUCHED, *king, c.Press(ms=6500, board="A", side="white"), code=code)[-3]


def test_of_a_stock_piece_whose_kind_nobody_has_said_it_tells_the_square() -> None:
    unsaid = [item for item in TOUCHED if not isinstance(item, c.Choose)]
    king = (c.Lift(ms=5000, board="A", square="e1"), c.Place(ms=5500, board="A", square="d1"))
    said = told(*unsaid, *king, c.Press(ms=6500, board="A", side="white"))
    assert any("a piece from the stock on c3 (4.0 s), the white king on e1 (5.0 s)" in text for text in said)


def test_a_drop_out_of_turn_is_told_by_its_square() -> None:
    early = c.Place(ms=200, board="A", square="c3", side="black")
    assert any(
        "touched: a piece from the stock on c3 (0.2 s)" in text for text in told(early, c.Time(ms=900, board="A"))
    )


def test_a_stock_is_said_in_the_letters_of_the_language() -> None:
    stock = c.Stock(ms=1, board="B", white="", black="qp")
    context = Contexts(SESSION).of(stock)
    assert say(stock, "en", context) == "In stock: nothing for White, QP for Black."
    assert "DP pour les Noirs" in say(stock, "fr", context)
