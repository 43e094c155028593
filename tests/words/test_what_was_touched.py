"""What is said of hands is true: which piece was touched first and when, as far as that can be known, and what follows.

Each log is judged as it would be live, and read in words.
"""

from typing import Any

import msgspec
import pytest

from controller import contract as c
from controller.cli.explain import explain
from controller.words.context import Context
from controller.words.language import language
from controller.words.say import say
from controller.words.touched import together

PAIR = "4k3/8/8/3r4/8/8/4B3/4K2R w K - 0 1"  # the bishop cannot take the rook; castling is legal
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
BARRED = "3rkr2/8/8/8/8/8/8/4K2R w K - 0 1"  # the rook f8 bars castling


def lifted(ms: int, square: str) -> dict[str, Any]:
    return {"ms": ms, "type": "lift", "square": square}


def placed(ms: int, square: str) -> dict[str, Any]:
    return {"ms": ms, "type": "place", "square": square}


def pressed(ms: int, side: str = "white") -> dict[str, Any]:
    return {"ms": ms, "type": "press", "side": side}


def claimed(ms: int, of: str, **fields: str) -> dict[str, Any]:
    return {"ms": ms, "type": "claim", "side": "black", "of": of} | fields


def told(*inputs: dict[str, Any], code: Any = "en", **session: Any) -> list[str]:
    """Each event in one sentence, without its time; the spaces of French typography as any other."""
    log = [{"type": "session", "version": 1, "clock": "5400+30"} | session, *inputs]
    lines = [msgspec.json.encode(line) for line in log]
    return [line[12:].replace("\N{NO-BREAK SPACE}", " ") for line in explain(lines, "log", code)]


def of(sentences: list[str], *words: str) -> str:
    """The last sentence with these words."""
    return [each for each in sentences if all(word in each for word in words)][-1]


# -- when ------------------------------------------------------------------------------------------------------------

STRAIGHT = (lifted(1000, "b1"), placed(2000, "b3"), pressed(4000))  # a knight that goes straight


def test_a_claim_of_an_illegal_move_tells_when_the_piece_was_touched_and_since_when_the_move_stands() -> None:
    said = of(told(*STRAIGHT, claimed(5000, "illegal-move")), "Black claims")
    assert "the move is b1-b3; touched: the white knight on b1 (1.0 s); on the record since 4.0 s; " in said


def test_a_claim_of_a_breach_tells_each_touch_with_its_own_time() -> None:
    other = (lifted(1000, "g1"), placed(2000, "g1"), lifted(3000, "e2"), placed(4000, "e4"), pressed(5000))
    said = of(told(*other, claimed(6000, "touch-move")), "Black claims")
    assert "touched in this order: the white knight on g1 (1.0 s), the white pawn on e2 (3.0 s); " in said


def test_the_same_touch_has_the_same_time_wherever_it_is_told() -> None:
    said = told(lifted(1000, "g1"), placed(2000, "g1"), lifted(3000, "e2"), placed(4000, "e4"), pressed(5000))
    assert "the white knight on g1 (1.0 s)" in of(said, "must move")
    assert "the white knight on g1 (1.0 s)" in of(said, "although a touched piece called for another move")


def test_a_claim_of_before_touches_were_kept_with_their_times_says_none() -> None:
    old = c.Claimed(
        ms=5000,
        side="black",
        of="illegal-move",
        verdict="upheld",
        article="7.5.1",
        uci="c3b5",
        squares=["c3"],
        since_ms=4000,
    )
    said = say(old, "en", Context(c.Session(version=1)))
    assert "the move is c3-b5; touched on c3; on the record since 4.0 s; " in said


# -- in what order -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "first", "second", "follows", "suit"),
    [
        (PAIR, "h1", "e1", "king and rook count as touched together", "simultanément"),
        (BARRED, "e1", "h1", "king and rook count as touched together", "simultanément"),
        (PAIR, "d5", "e2", "the player's own piece counts as the first", "la propre pièce du joueur"),
        (PAIR, "e2", "d5", "the player's own piece counts as the first", "la propre pièce du joueur"),
    ],
)
def test_of_touches_too_close_to_each_other_no_order_is_claimed(
    fen: str, first: str, second: str, follows: str, suit: str
) -> None:
    hands = (lifted(1000, first), lifted(1149, second), placed(2000, first), placed(2100, second))
    said = of(told(*hands, fen=fen), "(Article 4.", f"on {second} (1.1 s)")
    assert "in this order" not in said
    assert f"{first} and {second} were touched less than 0.15 s apart, and nobody can know which was first: " in said
    assert follows in said
    french = of(told(*hands, fen=fen, code="fr"), "(article 4.", f"en {second} (1,1 s)")
    assert f"les pièces en {first} et {second} ont été touchées à moins de 0,15 s d’intervalle" in french
    assert suit in french


def test_touches_as_far_apart_as_the_threshold_have_an_order() -> None:
    said = of(told(lifted(1000, "h1"), lifted(1150, "e1"), fen=PAIR), "(Article 4.4.2)")
    assert said.endswith("touched in this order: the white rook on h1 (1.0 s), the white king on e1 (1.1 s).")


def test_the_threshold_is_that_of_the_event() -> None:
    said = told(lifted(1000, "h1"), lifted(1150, "e1"), fen=PAIR, settings={"simultaneous_ms": 300})
    assert "h1 and e1 were touched less than 0.3 s apart" in of(said, "(Article 4.4.1)")


def test_a_breach_says_it_too() -> None:
    king = (lifted(1000, "d5"), lifted(1100, "e2"), placed(2000, "e2"), placed(2100, "d5"))
    said = of(told(*king, lifted(3000, "e1"), placed(4000, "f1"), pressed(5000), fen=PAIR), "White played Kf1")
    assert "the player's own piece counts as the first; move required: B" in said
    assert "in this order" not in said


def test_where_the_laws_say_nothing_of_it_the_order_of_the_sensors_is_told_as_such() -> None:
    both = (lifted(1000, "b1"), lifted(1100, "g1"), placed(2000, "b1"), placed(2100, "g1"))
    inputs = (*both, lifted(3000, "e2"), placed(4000, "e4"), pressed(5000))
    assert "nobody can know which was first: the sensors showed b1 first; " in of(told(*inputs), "White played e4")
    assert "les capteurs ont montré b1 en premier ; " in of(told(*inputs, code="fr"), "ont joué e4")


def test_pieces_touched_out_of_turn_bind_nobody_so_nothing_follows_of_their_order() -> None:
    said = of(told(lifted(1000, "b8") | {"side": "black"}, lifted(1050, "g8") | {"side": "black"}), "Black touched")
    assert "nobody can know" not in said


@pytest.mark.parametrize(
    ("times", "ranks"),
    [([], []), ([5], [0]), ([0, 149, 298, 448], [0, 0, 0, 3]), ([0, 150, 299], [0, 1, 1])],
)
def test_those_too_close_to_each_other_have_one_number(times: list[int], ranks: list[int]) -> None:
    assert together(times, 150) == ranks


# -- what is owed ------------------------------------------------------------------------------------------------------


def test_a_capture_begun_is_to_be_finished_though_the_piece_taken_was_never_touched() -> None:
    begun = (lifted(1000, "e5"), placed(2000, "d6"), lifted(3000, "e5"))
    said = told(*begun[:2], fen=EN_PASSANT)
    assert of(said, "(Article 4.7.1)").startswith("White must finish the capture that was begun (Article 4.7.1): exd6")
    french = told(*begun[:2], fen=EN_PASSANT, code="fr")
    assert of(french, "4.7.1").startswith("Les Blancs doivent terminer la prise commencée (article 4.7.1) : exd6")


# -- the score ---------------------------------------------------------------------------------------------------------


def test_moves_are_numbered_as_in_the_score_where_black_begins() -> None:
    fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 31"
    reply = (lifted(1000, "e7"), placed(2000, "e6"), pressed(3000, "black"), lifted(4000, "e2"), placed(5000, "e3"))
    said = told(*reply, pressed(6000), fen=fen)
    assert of(said, "Black plays") == "Black plays 31… e6."
    assert of(said, "White plays") == "White plays 32. e3."


def test_a_draw_claimed_by_the_move_written_down_says_that_it_is_one_more() -> None:
    there = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] * 2
    inputs: list[dict[str, Any]] = []
    for number, (origin, target) in enumerate(there[:7], 1):
        ms = 10_000 * number
        side = "white" if number % 2 else "black"
        inputs += [lifted(ms, origin), placed(ms + 1000, target), pressed(ms + 2000, side)]
    said = of(told(*inputs, claimed(90_000, "threefold", move="f6g8")), "Black claims")
    assert (
        "the position has stood twice: at the start and after Black's move 2; the move written down is one more" in said
    )


# -- rulings -----------------------------------------------------------------------------------------------------------


def test_an_illegal_move_is_penalised_never_confirmed() -> None:
    """Who reads the choices alone must not think that the move would stand."""
    said = of(told(*STRAIGHT), "completed illegal move")
    assert (
        "the arbiter may penalise the illegal move: 2 min more for Black (the position before the irregularity is "
        "restored), dismiss it (play goes on from the board as it stands) or set the clocks." in said
    )
    french = of(told(*STRAIGHT, code="fr"), "coup illégal achevé")
    assert (
        "l’arbitre peut constater le coup illégal et le sanctionner : 2 min de plus pour les Noirs (la position "
        "d’avant l’irrégularité est rétablie), ne pas le retenir (la partie continue à partir de la position sur "
        "l’échiquier) ou régler les pendules." in french
    )


def test_what_the_clock_shows_of_its_misuse_is_said_as_it_was() -> None:
    said = told(pressed(4000), laws="fide-2009")
    assert of(said, "6.7").startswith("White pressed the clock without having made a move (Article 6.7c)")


@pytest.mark.parametrize("key", ["stalemate", "flag", "fivefold", "seventy_five_moves"])
def test_a_game_is_drawn_in_french_and_not_annulled(key: str) -> None:
    assert "nulle" in language("fr").text("rule", key)
    assert "annul" not in language("fr").text("rule", key)
