"""Every event of the contract has a sentence in every language; a kind that is added without one fails here."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args, get_origin, get_type_hints

import chess
import pytest
from every import AFTER_E4, EVENTS, every
from msgspec.structs import replace
from sentences import session, tell

from controller import contract as c
from controller.words.context import Context
from controller.words.language import Language, language
from controller.words.options import options, waiting
from controller.words.say import parts, say

CLAUSE = re.compile(r"(?:[Aa]rticle|Appendix|annexe|Guideline|directive) ([\w.]+)\)")
KINDS_OF_PLAY = tuple(product(get_args(c.Edition), get_args(c.Play), (True, False)))


# -- every event ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EVENTS)
def test_every_kind_of_event_is_one_finished_sentence(kind: type[c.Event], to: Language) -> None:
    context = Context(session())
    for event in every(kind):
        sentence = say(event, to.code, context)
        assert sentence[0].isupper(), sentence
        assert sentence.endswith(".")
        assert not set("{}\n") & set(sentence), sentence
        assert not re.search(r"[.?!] [A-ZÉÀL]", re.sub(r"\d\. ", "", sentence)), f"two sentences: {sentence}"


@pytest.mark.parametrize("kind", [kind for kind in EVENTS if "article" in kind.__struct_fields__])
def test_the_clause_quoted_is_the_events_own(kind: type[c.Event], to: Language) -> None:
    context = Context(session())
    for event in every(kind):
        assert CLAUSE.findall(say(event, to.code, context)) == ([event.article] if event.article else [])


def test_every_notice_can_be_said_under_every_edition_and_play(to: Language) -> None:
    """What upholding would do, and how long a thing waits for a claim, are said by the profile in force."""
    notices = [event for kind in (c.Violation, c.Illegal, c.Flag, c.Claimed) for event in every(kind)]
    # What they rest on has no part in it.
    notices = [event for event in notices if not getattr(event, "uci", None) and not getattr(event, "basis", None)]
    notices = [event for event in notices if len(getattr(event, "squares", [""])) == 1]
    for laws, play, supervised in KINDS_OF_PLAY:
        context = Context(session(laws, play=play, supervised=supervised))
        for event in notices:
            for phrase in (*options(event, to, context).values(), waiting(event, to, context)):
                assert "{" not in phrase


def codes() -> Iterator[str]:
    """The contract's own words that no sentence should be made of."""
    for kind in EVENTS:
        for hint in get_type_hints(kind).values():
            if get_origin(hint) is not None:
                yield from (
                    word for word in get_args(hint) if isinstance(word, str) and "-" in word and word[0].isalpha()
                )


def test_no_code_of_the_contract_is_left_in_a_french_sentence() -> None:
    context, words = Context(session()), set(codes())
    for kind in EVENTS:
        for event in every(kind):
            sentence = say(event, "fr", context)
            assert not [code for code in words if code in sentence], sentence


# -- what asks for an arbiter ------------------------------------------------------------------------------------


def notices() -> Iterator[c.AnyEvent]:
    common = {"ms": 1000, "article": "7.5.5"}
    yield from (event for event in every(c.Violation) if event.report == "arbiter")
    yield from (event for event in every(c.Illegal) if event.report == "arbiter" and event.completed)
    yield from (event for event in every(c.Penalty) if event.status == "proposed")
    yield from (event for event in every(c.Result) if event.status == "proposed")
    yield from every(c.Displaced)
    yield from every(c.Ambiguous)
    yield c.Claimed(side="white", of="quickplay", verdict="referred", **common)
    yield c.Claimed(side="white", of="threefold", verdict="referred", **common)


def test_every_notice_says_what_is_open_to_the_arbiter() -> None:
    context = Context(session())
    for notice in notices():
        assert len(parts(notice, "en", context).options) >= 2, notice


def test_what_is_final_or_applied_leaves_nothing_open() -> None:
    context = Context(session())
    settled = [e for e in every(c.Penalty) if e.status == "applied"] + [
        e for e in every(c.Result) if e.status == "final"
    ]
    assert settled
    assert not any(parts(event, "en", context).options for event in settled)


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009"])
def test_what_is_held_for_a_claim_names_who_may_claim_it_and_offers_the_arbiter_nothing(laws: c.Edition) -> None:
    held = c.Violation(ms=1000, side="white", kind="touch-move", article="4.3a", report="on-claim")
    said = parts(held, "en", Context(session(laws, play="rapid", supervised=False)))
    assert said.options == {}
    assert "it waits for Black to claim it, before Black touches a piece" in said.text


@pytest.mark.parametrize(
    ("laws", "play", "count", "price"),
    [
        ("fide-2005", "standard", 2, "2 min more for Black"),
        ("fide-2005", "standard", 3, "loss of the game"),
        ("fide-2014", "standard", 2, "loss of the game (a draw if Black cannot mate by any series of legal moves)"),
        ("fide-2023", "rapid", 1, "1 min more for Black"),
    ],
)
def test_the_price_of_an_illegal_move_is_the_editions(laws: c.Edition, play: c.Play, count: int, price: str) -> None:
    event = c.Illegal(
        ms=1000, side="white", kind="illegal-move", article="7", completed=True, count=count, report="arbiter"
    )
    (offer, *_) = parts(event, "en", Context(session(laws, play=play))).options.values()
    assert f"penalise the illegal move: {price}" in offer


# -- what was seen before ----------------------------------------------------------------------------------------

TOUCHED = c.Touch(ms=12_300, side="white", square="g1", piece="N")
OWED = c.Obligation(ms=12_300, side="white", must="move", moves=["g1f3", "g1h3"], article="4.3.1")
PLAYED = c.Move(ms=15_000, side="white", uci="e2e4", san="e4", fen=AFTER_E4, ply=1)
BREACH = c.Violation(
    ms=15_000,
    side="white",
    kind="touch-move",
    article="4.3.1",
    report="arbiter",
    uci="e2e4",
    squares=["g1", "e2"],
    touched_ms=[12_200, 13_900],
    owed=["g1f3", "g1h3"],
)
PAWN = c.Touch(ms=14_000, side="white", square="e2", piece="P")
TAKEN_BACK = c.Retract(ms=16_000, uci="e2e4", fen=chess.STARTING_FEN)
ORDER = "touched in this order: the white knight on g1 (12.2 s), the white pawn on e2 (13.9 s)"


def test_a_breach_tells_what_was_touched_in_order_what_that_obliged_and_what_was_played() -> None:
    *_, said = tell(TOUCHED, OWED, PAWN, PLAYED, BREACH)
    assert said == (
        "White played e4 although a touched piece called for another move (Article 4.3.1); "
        f"{ORDER}; seen at 15.0 s; move required: Nf3 or Nh3; the arbiter may rule it a breach (the position before "
        "the move is restored and the obligation holds), dismiss it (the move stands) or set the clocks."
    )


def test_the_same_in_french() -> None:
    *_, said = tell(TOUCHED, OWED, PAWN, PLAYED, BREACH, code="fr")
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "Les Blancs ont joué e4 alors qu’une pièce touchée exigeait un autre coup (article 4.3.1) ; pièces touchées, "
        "dans l’ordre : le cavalier blanc en g1 (12,2 s), le pion blanc en e2 (13,9 s) ; constaté à 15,0 s ; "
        "coup exigé : Cf3 ou Ch3 ; l’arbitre peut constater l’infraction (la position d’avant le coup est "
        "rétablie et l’obligation demeure), ne pas retenir l’infraction (le coup est maintenu) ou régler les pendules."
    )


def test_measured_inferred_and_options_can_be_had_apart() -> None:
    context = Context(session())
    for event in (TOUCHED, OWED, PAWN, PLAYED):
        context.apply(event)
    said = parts(BREACH, "en", context)
    shown = (ORDER, "seen at 15.0 s")
    assert (said.measured, said.inferred, len(said.options)) == (shown, ("move required: Nf3 or Nh3",), 3)


def test_what_a_person_told_and_what_was_inferred_are_not_said_to_have_been_seen() -> None:
    hands = c.Illegal(
        ms=9000,
        side="white",
        kind="two-hands",
        article="7.5.4",
        completed=True,
        count=1,
        report="arbiter",
        uci="e2e4",
        basis="reported",
    )
    (said,) = tell(hands)
    assert "the move is e4; reported by the arbiter at 9.0 s; the arbiter may" in said
    heard = parts(replace(hands, text="a hand each", witnesses=["Eva"]), "en", Context(session()))
    assert heard.measured == ("the move is e4",)
    assert heard.told == ("reported by the arbiter at 9.0 s", "in the arbiter's words: “a hand each”", "seen by Eva")
    moved_on = c.Violation(
        ms=9000,
        side="white",
        kind="out-of-turn",
        article="11.5",
        report="arbiter",
        squares=["d2", "d4"],
        basis="inferred",
    )
    parted = parts(moved_on, "en", Context(session()))
    assert parted.measured == ("pieces moved between d2 and d4", "seen at 9.0 s")
    assert parted.inferred == ("whose hand it was is inferred from what followed",)


GUESSED = replace(
    PLAYED,
    basis="inferred",
    confidence=0.9,
    others=[c.Other(uci="e2e3", less_likely=12.2), c.Other(less_likely=40.0)],
)


def test_of_a_move_that_was_not_seen_whole_it_is_said_what_else_it_may_have_been() -> None:
    (said,) = tell(GUESSED)
    assert said == (
        "White plays 1. e4; it was not seen whole, and is very likely; "
        "else e3 (12 times less likely) or no move yet (40 times less likely)."
    )
    (said,) = tell(GUESSED, code="fr")
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "Les Blancs jouent 1. e4 ; le coup n’a pas été vu en entier, mais il est très probable ; "
        "sinon e3 (12 fois moins probable) ou encore aucun coup (40 fois moins probable)."
    )


@pytest.mark.parametrize(
    ("times", "en", "fr"),
    [
        (1.0, "e3 (as likely)", "e3 (tout aussi probable)"),
        (1.49, "e3 (as likely)", "e3 (tout aussi probable)"),
        (2.5, "e3 (2.5 times less likely)", "e3 (2,5 fois moins probable)"),
        (9.96, "e3 (10 times less likely)", "e3 (10 fois moins probable)"),
        (0.5, "e3 (2 times likelier)", "e3 (2 fois plus probable)"),
    ],
)
def test_how_much_less_likely_is_said_as_people_say_it(times: float, en: str, fr: str) -> None:
    guessed = replace(GUESSED, others=[c.Other(uci="e2e3", less_likely=times)])
    assert tell(guessed)[0].endswith(f"else {en}.")
    assert tell(guessed, code="fr")[0].endswith(f"sinon {fr}.")


@pytest.mark.parametrize(
    ("confidence", "likely"),
    [
        (0.98, "almost certain"),
        (0.969, "very likely"),
        (0.7, "likely"),
        (0.495, "as likely as not"),
        (0.331, "one of several possibilities"),
    ],
)
def test_how_likely_it_is_is_said_in_words(confidence: float, likely: str) -> None:
    assert f"and is {likely}" in tell(replace(GUESSED, confidence=confidence))[0]
    inferred = replace(BREACH, basis="inferred", confidence=confidence)
    phrase = f"whose hand it was is inferred from what followed, and {likely}"
    assert phrase in parts(inferred, "en", Context(session())).inferred


def test_touches_go_on_binding_when_the_move_is_taken_back() -> None:
    *_, said = tell(TOUCHED, OWED, PAWN, PLAYED, BREACH, TAKEN_BACK, OWED)
    assert said.endswith("touched in this order: the white knight on g1 (12.3 s), the white pawn on e2 (14.0 s).")


def test_touches_that_were_withdrawn_are_not_told_again() -> None:
    withdrawn = c.Obligation(ms=13_000, side="white", must="none", moves=[], article="4.3.1")
    assert "knight" not in tell(TOUCHED, OWED, withdrawn, PAWN, OWED)[-1]


def test_a_new_turn_begins_without_the_touches_of_the_last() -> None:
    reply = c.Touch(ms=17_000, side="black", square="e7", piece="p")
    owed = c.Obligation(ms=17_000, side="black", must="move", moves=["e7e5"], article="4.3.1")
    said = tell(TOUCHED, OWED, PAWN, PLAYED, reply, owed)[-1]
    assert said == "Black must move the touched piece (Article 4.3.1): e5; touched: the black pawn on e7 (17.0 s)."


def test_displaced_pieces_are_told_with_what_should_stand_there() -> None:
    (said,) = tell(c.Displaced(ms=0, squares=["a1", "e4"]))
    assert "according to the game there should be the white rook on a1 and nothing on e4" in said


KING_AND_QUEEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1"


def test_pieces_exchanged_at_the_beginning_are_told_with_what_the_edition_prescribes() -> None:
    early, late = (
        c.Displaced(
            ms=400, squares=squares, article="7.2.1", beginning="wrong-array", remedy=remedy, fen=KING_AND_QUEEN
        )
        for squares, remedy in ((["d1", "e1"], "new-game"), ([], "play-on"))
    )
    assert tell(early)[0] == (
        "The game began with pieces exchanged in the initial position on d1 and e1 (Article 7.2.1); seen at 0.4 s; "
        "according to the game there should be the white queen on d1 and the white king on e1; it is not too late for "
        f"a new game; the position that counts is {KING_AND_QUEEN}; the arbiter may uphold it (a new game begins) or "
        "dismiss it (play goes on from the board as it stands)."
    )
    assert (
        "reported by the arbiter at 0.4 s; under this edition and for this kind of play it is too late for a new game"
        in tell(late)[0]
    )
    assert "couleurs inversées (article 7.3)" in tell(
        c.Displaced(ms=400, squares=[], article="7.3", beginning="colours-reversed", remedy="play-on"), code="fr"
    )[0].replace("\N{NO-BREAK SPACE}", " ")


def test_moves_are_told_from_the_position_that_pieces_exchanged_led_to() -> None:
    began = c.Displaced(ms=0, squares=["d1", "e1"], beginning="wrong-array", remedy="new-game", fen=KING_AND_QUEEN)
    king = c.Obligation(ms=900, side="white", must="move", moves=["d1d2"], article="4.3.1")
    after = "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBKQBNR b kq - 0 1"
    moved = c.Move(ms=1000, side="white", uci="d2d3", san="d3", fen=after, ply=1)
    assert "Kd2" in tell(began, moved, c.Retract(ms=1500, uci="d2d3", fen=after.replace(" b ", " w ")), king)[-1]
    restored = tell(began, c.Restored(ms=500, fen=chess.STARTING_FEN), king)[-1]
    assert "d1-d2" in restored


def test_a_position_to_be_restored_is_told_with_the_clocks_proposed() -> None:
    (said,) = tell(c.Displaced(ms=0, squares=["e2", "e4"], article="7.1", white_ms=5_400_000, black_ms=5_390_000))
    assert said.startswith("The board does not match the game on e2 and e4 (Article 7.1); ")
    shown = "1:30:00 for White and 1:29:50 for Black, as they stood when that was played, penalties included"
    assert f"proposed for the clocks: {shown}" in said


@pytest.mark.parametrize(
    ("of", "shown", "phrase"),
    [
        (
            "threefold",
            {"plies": [0, 7, 8]},
            "the position has stood 3 times: at the start, after White's move 4 and after Black's move 4",
        ),
        ("fifty-moves", {"quiet_plies": 99}, "moves since the last capture or pawn move: 49 by Black, 50 by White"),
        ("flag", {"since_ms": 61_500}, "the time ran out at 1:01.5"),
        ("illegal-move", {"since_ms": 4000, "uci": "c4b6"}, "the move is c4-b6; on the record since 4.0 s"),
        ("touch-move", {"since_ms": 1000, "squares": ["g1", "e2"]}, "touched on g1, e2; on the record since 1.0 s"),
    ],
)
def test_a_claim_is_answered_with_what_the_record_shows(of: str, shown: dict[str, Any], phrase: str) -> None:
    claim = c.Claimed(ms=70_000, side="black", of=of, verdict="upheld", article="9.2.2", **shown)
    assert phrase in parts(claim, "en", Context(session())).text


def test_where_the_start_is_unknown_moves_go_by_their_squares_until_a_move_tells_the_position() -> None:
    context = Context(session(), begun=True)
    assert "g1-f3 or g1-h3" in say(OWED, "en", context)
    context.apply(PLAYED)
    reply = c.Obligation(ms=17_000, side="black", must="move", moves=["g8f6", "g8h6"], article="4.3.1")
    assert "Nf6 or Nh6" in say(reply, "en", context)


@pytest.mark.parametrize(("count", "number"), [(1, "first"), (2, "second"), (3, "third"), (4, "4th")])
def test_illegal_moves_are_counted_for_their_player(count: int, number: str) -> None:
    event = c.Illegal(
        ms=1000, side="black", kind="no-move", article="7.5.3", completed=True, count=count, report="arbiter"
    )
    assert f"Black's {number} completed illegal move" in tell(event)[0]


def test_an_illegal_move_that_was_not_pressed_is_not_told_as_completed() -> None:
    event = c.Illegal(
        ms=1000, side="black", kind="illegal-move", article="7.5.1", completed=False, count=0, report="arbiter"
    )
    assert tell(event)[0].startswith("Black made an illegal move (Article 7.5.1), not yet completed")


def test_each_board_of_a_match_has_its_own_context() -> None:
    fens = c.BoardFens(A=chess.STARTING_FEN, B="k7/8/8/8/8/8/8/K6R[Pp] w - - 0 1")
    displaced = [c.Displaced(ms=0, board=board, squares=["h1"]) for board in ("A", "B")]
    assert ["nothing" in said for said in tell(*displaced, fen=fens, match="bughouse")] == [False, False]
    assert "the white rook on h1" in tell(displaced[1], fen=fens, match="bughouse")[0]


# -- how a language writes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uci", "english", "french"),
    [
        ("g1f3", "Nf3", "Cf3"),
        ("e2e4", "e4", "e4"),
        ("e2e5", "e2-e5", "e2-e5"),
        ("e7e8q", "e7-e8=Q", "e7-e8=D"),
        ("R@e6", "R@e6", "T@e6"),
    ],
)
def test_moves_have_the_letters_of_the_language(uci: str, english: str, french: str) -> None:
    board = chess.Board()
    assert (language("en").move(uci, board), language("fr").move(uci, board)) == (english, french)


def test_pieces_and_their_colours_agree_in_gender() -> None:
    said = [language("fr").piece(symbol) for symbol in "NrQb"]
    assert said == ["le cavalier blanc", "la tour noire", "la dame blanche", "le fou noir"]


def test_of_many_moves_the_first_are_named_and_the_others_counted() -> None:
    moves = [move.uci() for move in chess.Board().legal_moves]
    said = language("en").moves(moves, chess.Board())
    assert said.endswith("or one of 14 others")
    assert said.count(",") == 5


@pytest.mark.parametrize(
    ("ms", "english", "french"),
    [
        (0, "0.0 s", "0,0 s"),
        (59_999, "59.9 s", "59,9 s"),
        (61_500, "1:01.5", "1:01,5"),
        (3_723_000, "1:02:03.0", "1:02:03,0"),
    ],
)
def test_times_have_the_decimal_sign_of_the_language(ms: int, english: str, french: str) -> None:
    assert (language("en").at(ms), language("fr").at(ms)) == (english, french)


def test_a_clock_shows_tenths_in_its_last_ten_seconds_and_never_less_than_nothing() -> None:
    assert [language("en").clock(ms) for ms in (5_398_000, 10_000, 9_870, -1)] == [
        "1:29:58",
        "0:00:10",
        "0:00:09.8",
        "0:00:00.0",
    ]


# -- what an arbiter put into the record ---------------------------------------------------------------------------


def test_a_move_that_an_arbiter_put_in_says_who_told_it() -> None:
    given = c.Move(ms=4000, side="white", uci="e2e4", san="e4", fen=AFTER_E4, ply=1, basis="reported")
    assert tell(given) == ["White plays 1. e4; reported by the arbiter at 4.0 s."]
    assert "signalé par l’arbitre à 4,0 s" in tell(given, code="fr")[0]


def test_in_a_match_nobody_is_offered_to_set_the_record_right() -> None:
    doubt = c.Ambiguous(ms=1, moves=["e2e4", "e2e3"])
    assert "set the record right" in options(doubt, language("en"), Context(session()))
    match = Context(session(match="bughouse", clock="180"), "A")
    assert "set the record right" not in options(doubt, language("en"), match)
