"""How a game ended is told with its reason, and what shows whether a mate was possible."""

from typing import Any

import pytest
from sentences import tell

from controller import contract as c


def test_of_a_long_line_to_mate_its_beginning_and_the_mate_are_said() -> None:
    """Knights to and fro, and the fool's mate."""
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 4
    line = [*shuffle, "f2f3", "e7e5", "g2g4", "d8h4"]
    (said,) = tell(
        c.Result(
            ms=0, result="0-1", reason="time", article="6.9", status="proposed", mating="helpmate", line=line, id="1"
        )
    )
    said = said.replace("\N{NO-BREAK SPACE}", " ")
    assert "a mate by Black is still possible, for example: 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3" in said
    assert "7. Nf3 Nf6 ... 10. g4 Qh4#;" in said


LONE = "7k/8/8/8/8/8/2n5/K5Q1 w - - 0 1"


@pytest.mark.parametrize(
    ("reason", "article", "en", "fr"),
    [
        (
            "time",
            "6.9",
            "no mate by Black is possible with the pieces that are left",
            "aucun mat par les Noirs n’est possible",
        ),
        (
            "resignation",
            "5.1.2",
            "no mate by the opponent is possible with",
            "aucun mat par l’adversaire n’est possible",
        ),
        ("dead-position", "5.2.2", "no mate is possible with the pieces", "aucun mat n’est possible avec"),
    ],
)
def test_it_is_said_whose_mate_is_impossible_for_the_other_might_mate(
    reason: Any, article: str, en: str, fr: str
) -> None:
    """White has a queen, and his flag falls: he might have mated, the knight cannot."""
    flag = c.Flag(ms=0, side="white")
    drawn = c.Result(ms=0, result="1/2-1/2", reason=reason, article=article, status="final", mating="material")
    assert en in tell(flag, drawn, fen=LONE)[-1]
    assert fr in tell(flag, drawn, fen=LONE, code="fr")[-1]


def test_a_line_to_mate_that_black_begins_is_numbered_as_a_score_is() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    won = {"result": "0-1", "reason": "time", "article": "6.9", "status": "final", "mating": "helpmate"}
    (said,) = tell(c.Result(ms=0, line=["d8h4"], **won), fen=fen)
    assert said.endswith("a mate by Black is still possible, for example: 2…\N{NO-BREAK SPACE}Qh4#.")


def test_a_draw_for_an_illegal_position_that_was_found_says_so() -> None:
    found = c.Result(ms=0, result="1/2-1/2", reason="arbiter", article="A.5.4", status="proposed", id="1")
    (said,) = tell(found, play="rapid", supervised=False)
    assert "a draw because an illegal position still stands on the board after the next move (Appendix A.5.4)" in said


def test_a_draw_by_two_flags_is_not_said_to_be_for_want_of_a_mate() -> None:
    flags = (c.Flag(ms=0, side="white"), c.Flag(ms=1, side="black"))
    drawn = c.Result(ms=2, result="1/2-1/2", reason="time", article="A.4d", status="final")
    rapid: dict[str, Any] = {"laws": "fide-2009", "play": "rapid", "supervised": False}
    assert tell(*flags, drawn, **rapid)[-1] == (
        "The game is over: a draw because both flags have fallen (Appendix A.4d)."
    )
    assert "la partie est nulle parce que les deux drapeaux sont tombés" in tell(*flags, drawn, code="fr", **rapid)[-1]
