"""What wants the arbiter: which case a ruling answers, what becomes of the others, what the sensors showed."""

from typing import Any

import pytest
from arbiter_kit import Bench, put_back, times
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller import contract as c
from controller.console.arbiter_board import ArbiterBoard
from controller.console.cases import Case, Cases
from controller.console.sight import TimeLine
from controller.journal import Opening


def test_a_breach_awaits_a_ruling_and_says_what_it_rests_on() -> None:
    bench = Bench(clock="300").touch("g1").play("e2e4")
    (case,) = bench.cases
    assert case.state == "open"
    (shown,) = bench.shown.docket("en").values()
    assert shown["answers"] == case.events[0].id
    assert shown["clauses"] == ["Article 4.3.1"]
    assert shown["inferred"] == ["move required: Nf3 or Nh3"]
    assert [(offer["key"], offer["do"]) for offer in shown["offers"]] == [
        ("uphold the breach", "uphold"),
        ("dismiss the breach", "dismiss"),
        ("set the clocks", "set-clock"),
    ]


@pytest.mark.parametrize("clock", [None, "300"])
def test_clocks_are_to_be_set_only_where_there_are_any(clock: str | None) -> None:
    bench = Bench(clock=clock).touch("g1").play("e2e4")
    for first in ("uphold the breach", "restore the board"):  # the ruling, and where the pieces are to be put back
        shown = [*bench.shown.docket("en").values()][-1]
        assert shown["offers"][0]["key"] == first
        assert ("set-clock" in [offer["do"] for offer in shown["offers"]]) is (clock is not None)
        bench.rule("uphold")


def test_of_what_was_inferred_it_is_said_in_words_how_likely_it_is() -> None:
    bench = Bench().play("e2e3").give(c.Lift, square="e3").give(c.Place, square="e4").give(c.Time)
    shown, *_ = bench.shown.docket("en").values()
    assert shown["inferred"] == ["whose hand it was is inferred from what followed, and almost certain"]


def test_a_case_says_whether_upholding_it_ends_the_game() -> None:
    illegal, touched = Bench().play("e2e5").cases[-1], Bench().touch("g1").play("e2e4").cases[-1]
    fallen = Bench(clock="60").play("e2e4").wait(61_000).give(c.Time).cases[-1]
    assert [case.state for case in (illegal, touched, fallen)] == ["open"] * 3
    assert [case.ends for case in (illegal, touched, fallen)] == [False, False, True]


def test_only_what_was_seen_as_it_happened_has_a_time_of_day() -> None:
    """How long the daemon was down is in no time of the game: what was before, no clock on the wall can tell."""
    bench = Bench().touch("g1").play("e2e4")
    bench.shown.wall = lambda ms: 1_790_000_000_000 + ms
    bench.rule("dismiss").touch("b8").play("e7e5").rule("dismiss")
    before, after = bench.shown.docket("en").values()
    assert (before["wall"], before["ruled_wall"], before["by"]) == (None, None, "Ana")
    assert after["wall"] == 1_790_000_000_000 + bench.cases[1].ms
    assert after["ruled_wall"] == 1_790_000_000_000 + (bench.cases[1].ruled_ms or 0)


@pytest.mark.parametrize(("apart", "order"), [(149, [1, 1]), (150, [1, 2])])
def test_pieces_touched_too_close_to_each_other_have_one_number(apart: int, order: list[int]) -> None:
    bench = Bench().give(c.Lift, square="b1")
    bench.ms += apart - 1000
    bench.give(c.Lift, square="g1").give(c.Time)
    touched = bench.shown.board("fr")["touched"]
    assert [each["order"] for each in touched] == order
    assert [each["text"] for each in touched] == ["le cavalier blanc en b1", "le cavalier blanc en g1"]


def test_of_a_game_that_is_over_nothing_is_touched_or_owed() -> None:
    bench = Bench().give(c.Lift, square="g1").give(c.Time)
    assert bench.shown.board("en")["owed"]
    bench.give(c.Resign, side="white")
    board = bench.shown.board("en")
    assert (board["owed"], board["touched"], board["targets"], board["closed"]) == (None, [], [], True)


def test_an_illegal_move_is_one_case_with_its_price_in_the_buttons() -> None:
    bench = Bench().play("e2e5")
    released, case = bench.cases
    assert (released.state, released.outcome) == ("closed", "settled"), "by the press it was completed"
    assert [type(event).__name__ for event in case.events] == ["Illegal", "Penalty"]
    shown = [*bench.shown.docket("en").values()][1]
    (upholding,) = [offer for offer in shown["offers"] if offer["do"] == "uphold"]
    assert "2 min more for Black" in upholding["text"], "the penalty is applied by the same ruling"
    assert len([offer for offer in shown["offers"] if offer["do"] == "dismiss"]) == 1
    bench.rule("uphold")
    assert case.outcome == "upheld"
    assert [words["en"].what for words in case.after], "what was applied stands with the ruling"


def test_an_illegal_move_pressed_at_once_is_one_case_too() -> None:
    """It is told as not completed and as completed with the same press."""
    bench = Bench(clock="300+3")
    bench.give(c.Lift, square="e2")
    bench.ms -= 550
    bench.give(c.Place, square="e5")
    bench.ms -= 550
    bench.give(c.Press, side="white")
    assert [illegal.completed for illegal in bench.all(c.Illegal)] == [False, True]
    (case,) = bench.cases
    assert [type(event).__name__ for event in case.events] == ["Illegal", "Penalty"]
    (shown,) = bench.shown.docket("en").values()
    assert shown["what"][0].startswith("White completed an illegal move")
    assert [offer["do"] for offer in shown["offers"]] == ["uphold", "dismiss", "set-clock"]
    bench.rule("dismiss")
    assert [(case.state, case.outcome) for case in bench.cases] == [("closed", "dismissed")]


def test_a_claim_of_what_was_kept_is_one_case_with_it() -> None:
    """The case shows what was done, not what was played before the claim."""
    bench = Bench(laws="fide-2009", play="blitz", supervised=False).play("e2e5")
    _, kept = bench.cases
    assert kept.state == "held"
    line = kept.line
    bench.wait(5_000).claim("black", "illegal-move")
    _, case = bench.cases
    assert (case.state, case.line) == ("open", line)
    assert [type(event).__name__ for event in case.events] == ["Illegal", "Claimed", "Penalty"]
    bench.rule("uphold")
    assert case.outcome == "upheld"


def test_a_penalty_by_itself_has_buttons_of_its_own() -> None:
    """A claim of a draw that proves false costs time (9.5)."""
    bench = Bench().play("e2e4", "e7e5").give(c.Claim, side="white", of="threefold", move="g1f3")
    case = bench.cases[-1]
    assert [type(event).__name__ for event in case.events] == ["Claimed", "Penalty"]
    shown = [*bench.shown.docket("en").values()][-1]
    assert [offer["do"] for offer in shown["offers"]] == ["uphold", "dismiss"]


def test_each_that_is_open_is_ruled_upon_by_its_own_id() -> None:
    bench = Bench().touch("g1").play("e2e4").touch("g8").play("e7e5")
    assert [case.state for case in bench.cases] == ["open", "open"]
    first, second = (shown["answers"] for shown in bench.shown.docket("en").values())
    bench.rule("dismiss", answers=second)
    assert [case.outcome for case in bench.cases] == ["", "dismissed"]
    assert [shown["answers"] for shown in bench.shown.docket("en").values()] == [first, None]
    bench.rule("dismiss", answers=second)
    assert [case.outcome for case in bench.cases] == ["", "dismissed"], "sent twice, it is not applied to the next"


def test_a_ruling_that_names_nothing_answers_the_oldest() -> None:
    bench = Bench().touch("g1").play("e2e4").touch("g8").play("e7e5").rule("dismiss")
    assert [case.outcome for case in bench.cases] == ["dismissed", ""]


def test_a_ruling_taken_back_is_open_again() -> None:
    bench = Bench().touch("g1").play("e2e4").rule("dismiss")
    (case,) = bench.cases
    assert case.state == "closed"
    bench.rule("undo")
    assert (case.state, case.outcome, case.by) == ("open", "", None)


def test_put_right_unasked_nothing_awaits_a_ruling_any_more() -> None:
    """Before the press a player may still put right what he did (4.3)."""
    bench = Bench().touch("g1").make("e2e4")
    (case,) = bench.cases
    assert case.state == "open"
    bench.give(c.Lift, square="e4").give(c.Place, square="e2").make("g1f3")
    assert (case.state, case.outcome) == ("closed", "settled")


def test_where_only_players_claim_it_is_kept_and_not_urgent() -> None:
    bench = Bench(laws="fide-2009", play="blitz", supervised=False).touch("g1").play("e2e4")
    (case,) = bench.cases
    assert case.state == "held"
    assert bench.shown.attention == 0
    bench.play("e7e5")
    assert (case.state, case.outcome) == ("closed", "settled")


def test_that_the_game_began_wrongly_and_is_played_on_is_to_be_seen_and_no_piece_is_to_be_put_back() -> None:
    pawns = [move for file in "abcdefgh" for move in (f"{file}2{file}3", f"{file}7{file}6")]
    bench = Bench(clock="5400").play(*pawns, "a3a4", "a6a5", "h3h4", "h6h5")
    bench.rule("report", kind="colours-reversed")
    (late,) = bench.cases
    assert (late.state, bench.shown.docket("en")[f"case {late.seq}"]["restore"]) == ("told", None)
    bench.rule("report", kind="wrong-array", side="white")
    assert [case.state for case in bench.cases] == ["told", "open"], "in standard play a wrong array is never too late"
    bench.shown.cases.seen(late.seq)
    assert (late.state, late.outcome) == ("closed", "seen")


@pytest.mark.parametrize(("laws", "play"), [("fide-2005", "blitz"), ("fide-2009", "rapid")])
def test_what_is_kept_for_a_claim_is_settled_once_it_can_be_claimed_no_more(laws: c.Edition, play: str) -> None:
    bench = Bench(laws, clock="900" if play == "rapid" else "300", play=play, supervised=False).play("e2e4", "e7e5")
    *_, kept = bench.play("g1g3").cases
    assert kept.state == "held"
    bench.make("b8c6")
    assert (kept.state, kept.outcome) == ("closed", "settled")


def test_what_was_out_of_turn_is_told_and_closed_once_seen() -> None:
    bench = Bench().give(c.Lift, square="g8", side="black").give(c.Place, square="g8", side="black")
    case = bench.cases[0]
    assert (case.state, bench.shown.attention) == ("told", 2)
    assert all(
        offer["do"] not in ("uphold", "dismiss") for offer in next(iter(bench.shown.docket("en").values()))["offers"]
    )
    bench.shown.cases.seen(case.seq)
    assert (case.outcome, bench.shown.attention) == ("seen", 0)


E4 = c.Move(ms=9, side="white", uci="e2e4", san="e4", fen="", ply=1)
E5 = c.Move(ms=9, side="black", uci="e7e5", san="e5", fen="", ply=2)
BACK = c.Retract(ms=9, uci="e2e4", fen="")
RELEASED = c.Violation(ms=1, side="white", kind="released-move", article="4.7", report="arbiter", uci="e2e4")
HELD = c.Violation(ms=1, side="white", kind="touch-move", article="4.3", report="on-claim", uci="e2e4")
STRAY = c.Illegal(ms=1, side="white", kind="illegal-move", article="7.5.1", completed=False, count=0, report="arbiter")


@pytest.mark.parametrize(
    ("told", "later", "closes"),
    [
        (RELEASED, BACK, True),  # the move that it was is taken back
        (RELEASED, c.Retract(ms=9, uci="d2d4", fen=""), False),
        (RELEASED, E5, False),
        (HELD, E5, True),  # who plays on claims no more
        (HELD, E4, False),
        (HELD, STRAY, False),
        (STRAY, E4, True),  # he has corrected it
        (STRAY, E5, False),
        (STRAY, BACK, True),
        (c.Ambiguous(ms=1, moves=["e2e4", "d2d4"]), E4, True),  # later play has told
    ],
)
def test_what_awaits_no_ruling_is_settled_by_what_takes_its_object_away(
    told: c.AnyEvent, later: c.AnyEvent, closes: bool
) -> None:
    cases = Cases()
    for number, event in enumerate((told, later), 1):
        cases.begin(c.Time(ms=event.ms))
        cases.take(number, number, event, {})
        cases.end(number, number, ())
    assert cases.all[0].state == ("closed" if closes else "held" if told is HELD else "told")


def test_a_ruling_that_ends_the_game_is_told_with_who_gave_it() -> None:
    """Black presses without having moved, twice: the second illegal move loses (7.5.5)."""
    bench = Bench().play("e2e4").give(c.Press, side="black").rule("uphold", "resume")
    bench.give(c.Press, side="black").rule("uphold")
    assert bench.shown.over
    presses = [case for case in bench.cases if isinstance(case.events[0], c.Illegal)]
    assert [(case.outcome, case.by) for case in presses] == [("upheld", "Ana")] * 2


def test_what_an_arbiter_does_of_himself_stands_beside_his_rulings_with_who_he_is_and_why() -> None:
    bench = Bench(clock="5400").play("e2e4").rule("pause").rule("set-clock", white_ms=5000, reason="for the record")
    bench.rule("resume").play("e7e5").rule("correct", ply=2, moves=("c7c5",)).rule("undo").rule("result", result="1-0")
    assert bench.done == [
        "Stop the clocks",
        "Set the clocks: White 0:00:05.0, Black 1:29:59",
        "Resume",
        "Set the score right: 1…",
        "Take back",
        "1–0: White wins",
    ]
    shown = [*bench.shown.docket("en").values()]
    assert [(each["by"], each["state"]) for each in shown[:3]] == [("Ana", "closed")] * 3
    assert shown[1]["after"] == ["in the arbiter's words: “for the record”"]


def test_what_was_taken_back_is_named() -> None:
    bench = Bench(clock="5400").play("e2e4", "e7e5")
    bench.rule("undo", of=bench.shown.sheet.entries[-1].made_ms).rule("result", result="1-0")
    bench.rule("undo", of=bench.shown.cases.all[-1].ms)
    assert bench.done == ["Take back: Black's move e5", "1–0: White wins", "Take back: 1–0: White wins"]
    bench = Bench(clock="5400").touch("g1").play("e2e4").rule("uphold")
    (breach, _) = bench.cases
    bench.rule("undo", of=breach.ruled_ms)
    assert bench.done == [f"Take back: {breach.said[0]['en'].what} – Upheld"]


def test_moves_made_since_a_breach_are_named_where_it_is_ruled_on() -> None:
    bench = Bench().touch("g1").play("e2e4")
    assert bench.shown.docket("en")[f"case {bench.cases[0].seq}"]["later"] == []
    bench.play("e7e5", "g1f3")
    assert bench.shown.docket("en")[f"case {bench.cases[0].seq}"]["later"] == ["e5", "Nf3"]


def test_what_takes_nothing_back_names_no_moves() -> None:
    bench = Bench().play("e2e4").rule("report", side="white", kind="phone").play("e7e5")
    assert bench.shown.docket("en")[f"case {bench.cases[0].seq}"]["later"] == []


def test_moves_are_named_by_where_they_stand_in_the_score_though_it_was_set_right_since() -> None:
    bench = Bench().play("e2e4", "e7e5").touch("g1").play("d2d4", "d7d6").rule("correct", ply=1, moves=("e2e3",))
    assert bench.shown.docket("en")[f"case {bench.cases[0].seq}"]["later"] == ["d6"]


def test_an_open_case_stays_however_often_the_clocks_are_stopped_and_started() -> None:
    bench = Bench().touch("g1").play("e2e4")
    for _ in range(40):
        bench.rule("pause", "resume")
    assert (bench.cases[0].state, bench.shown.attention) == ("open", 3)
    assert len(bench.done) < 80, "the others go, one by one"


def test_what_changes_nothing_is_not_noted() -> None:
    bench = Bench().play("e2e4").give(c.Lift, square="e7").give(c.Place, square="e5").rule("resume")
    assert bench.done == []


def test_pieces_knocked_over_once_all_are_back_are_displaced_by_somebody() -> None:
    bench = put_back(Bench().touch("g1").play("e2e4").rule("uphold"))
    bench.give(c.Lift, square="h7").give(c.Place, square="h5").wait(1000)
    assert [each.article for each in bench.all(c.Displaced)] == ["7.1", "7.1", "7.4.1", "7.4.1"]


def test_what_was_touched_when_the_rule_was_broken_is_shown_again_where_that_is_ruled_on_late() -> None:
    bench = Bench().touch("g1").play("e2e4", "e7e5", "d2d4").rule("uphold")
    shown = bench.shown.board("en")
    assert [each["square"] for each in shown["touched"]] == ["g1", "e2"]
    assert shown["hand"] == [], "the pieces stand elsewhere, until they are put back"


def test_what_an_arbiter_does_to_a_case_is_told_of_that_alone() -> None:
    bench = put_back(Bench().touch("g1").play("e2e4").rule("uphold"))
    bench.rule("set-clock", white_ms=times(bench), black_ms=5_400_000)
    assert bench.done == []


@pytest.mark.parametrize("turned", [False, True], ids=["plain", "turned round"])
def test_on_a_board_that_tells_only_what_changes_all_pieces_stand_but_the_one_in_hand(turned: bool) -> None:
    bench = Bench(scanned=False, turned=turned)
    assert (bench.shown.board("en")["seen"], bench.shown.board("en")["hand"]) == (True, [])
    bench.play("e2e4").give(c.Lift, square="g8")
    assert bench.shown.board("en")["hand"] == ["the black knight on g8"]
    bench.give(c.Place, square="f6").give(c.Press, side="black")
    board = bench.shown.board("en")
    assert (board["hand"], board["extra"]) == ([], [])


@pytest.mark.parametrize("turned", [False, True], ids=["plain", "turned round"])
def test_the_time_line_shows_when_each_square_was_empty(turned: bool) -> None:
    bench = Bench(turned=turned).play("e2e4", "e7e5").touch("g1").play("f1c4")
    case = bench.cases[-1]
    line = case.line
    assert line is not None
    lanes = {lane.square: lane.open for lane in line.lanes}
    (violation,) = [event for event in case.events if isinstance(event, c.Violation)]
    assert lanes["g1"] == [(violation.touched_ms[0], violation.touched_ms[0] + 1000)]
    (lifted, end), *_ = lanes["f1"]
    assert end is None
    assert lanes["c4"][-1][1] == lifted + 1000, "empty until the bishop came"
    assert "e7" not in lanes, "what had moved before is no part of it"
    assert _whole(case, line)


def _whole(case: Case, line: TimeLine) -> bool:
    spans = [span for lane in line.lanes for span in lane.open]
    return line.begin < line.end == case.ms and all(
        line.begin <= start <= line.end for start, _ in spans if start is not None
    )


moves = st.sampled_from(["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "e2e5", "d1h5", "a7a5", "b1c3", "d7d6"])
acts = st.one_of(
    st.tuples(st.just("play"), moves),
    st.tuples(st.just("make"), moves),
    st.tuples(st.just("touch"), st.sampled_from(["g1", "b1", "e2", "g8", "e7", "d1", "d8"])),
    st.tuples(st.just("rule"), st.sampled_from(["uphold", "dismiss", "undo", "resume", "pause"])),
    st.tuples(st.just("answer"), st.sampled_from(["uphold", "dismiss"])),
)


@example(
    [("make", "g1f3"), ("touch", "g1"), ("play", "e2e4"), ("play", "b8c6"), ("touch", "g1"), ("play", "e7e5")],
    "fide-2005",  # an offence told when it was released, whose completion waits
)
@example(
    [("play", "e2e5"), ("play", "e2e4"), ("play", "b8c6"), ("touch", "b1"), ("play", "g1f3")],
    "fide-2005",  # told while one story was followed, and again in another, in which it is another notice
)
@example(
    [
        *[("play", "f1c4"), ("play", "d1h5"), ("rule", "resume"), ("make", "d7d6"), ("touch", "g1"), ("rule", "undo")],
        *[("play", "a7a5"), ("play", "d7d6"), ("play", "e2e4"), ("answer", "uphold"), ("rule", "undo")],
    ],
    "fide-2023",  # an offence that nobody was to hear of, as it was not likely, and told when a ruling was taken back
)
@given(st.lists(acts, max_size=16), st.sampled_from(["fide-2005", "fide-2014", "fide-2023"]))
@settings(max_examples=60, deadline=None)
def test_whatever_is_played_and_ruled_the_page_shows_what_the_game_would_answer(
    log: list[tuple[str, str]], laws: Any
) -> None:
    bench = Bench(laws=laws)
    for act, what in log:
        answered = {case.seq: bench.shown.cases.answered_by(case) for case in bench.cases}
        was_open = list(bench.awaiting)
        if act == "answer":
            bench.give(c.Time)
            for case in [case for case in bench.cases if case.state == "open"][-1:]:
                name = bench.shown.cases.answered_by(case)
                bench.rule(what, answers=name)
                closed = case.outcome in ("upheld", "dismissed")
                assert closed or bench.shown.cases.answered_by(case) not in (None, name), "two came of one input"
        else:
            getattr(bench, act)(what)
        assert {case.input for case in bench.cases if case.state == "open"} == {number for number, _ in bench.awaiting}
        for case in bench.cases:
            assert (bench.shown.cases.answered_by(case) is not None) == (case.state == "open")
        if act == "rule" and what in ("uphold", "dismiss") and was_open and list(bench.awaiting) != was_open:
            (oldest,) = [case for case in bench.cases if answered.get(case.seq) in was_open[0][1]]
            assert oldest.outcome in ("upheld", "dismissed"), "what was shown as oldest is what was answered"
        bench.shown.docket("fr")
        bench.shown.board("fr")


def test_after_a_restart_what_was_told_is_no_news_but_the_outage_is() -> None:
    bench = Bench().give(c.Lift, square="g8", side="black").give(c.Place, square="g8", side="black")
    bench.give(c.Outage, away_ms=60_000)
    bench.shown.cases.seen_before()
    told = {type(case.events[0]).__name__: case.outcome or case.state for case in bench.cases}
    assert told["Violation"] == "seen"
    assert told["Interrupted"] == "told"


def test_a_score_that_stands_is_to_be_seen_until_the_game_is_found_again() -> None:
    """Nobody presses, so that nothing completes the illegal move."""
    bench = Bench()
    for origin, target in [("a1", "a3"), ("d7", "d5"), ("d2", "d4"), ("g8", "f6")]:
        bench.give(c.Lift, square=origin).give(c.Place, square=target).give(c.Time)
    (case,) = [case for case in bench.cases if isinstance(case.events[0], c.Stalled)]
    assert (case.state, bench.shown.attention) == ("told", 2)
    shown = bench.shown.docket("en")[f"case {case.seq}"]
    assert shown["what"] == ["The score stops before the first move: play goes on, and the score cannot follow it"]
    assert shown["inferred"] == ["an illegal move was not put right"]
    assert ("give the result", "result") in [(offer["key"], offer["do"]) for offer in shown["offers"]]
    assert {"a1", "a3"} <= {*bench.shown.board("en")["displaced"]}
    for origin, target in [("f6", "g8"), ("d4", "d2"), ("d5", "d7"), ("a3", "a1")]:
        bench.give(c.Lift, square=origin).give(c.Place, square=target).give(c.Time)
    assert (case.state, case.outcome) == ("closed", "settled")
    assert bench.shown.board("en")["displaced"] == []


def test_a_warning_settles_a_case_of_misconduct_and_is_counted() -> None:
    bench = Bench().play("e2e4").rule("report", side="black", kind="conduct", text="a quarrel")
    (reported,) = bench.shown.docket("en").values()
    assert (reported["measured"], len(reported["told"])) == ([], 2)
    (shown,) = bench.shown.docket("en").values()
    acts = [offer["do"] for offer in shown["offers"]]
    assert (acts.count("warn"), acts.count("uphold"), acts.count("dismiss")) == (1, 1, 1)
    assert shown["side"] == "black"
    bench.rule("warn", answers=shown["answers"])
    (case,) = bench.cases
    assert (case.state, case.outcome) == ("closed", "warned")
    assert bench.shown.board("en")["warned"] == {"white": 0, "black": 1}
    assert case.after[0]["en"].what.startswith("Black is warned")


def test_a_claim_of_the_quickplay_finish_may_be_postponed_in_two_ways() -> None:
    bench = Bench("fide-2009", clock="7200").rule("set-clock", white_ms=100_000)
    bench.give(c.Claim, side="white", of="quickplay")
    *_, shown = bench.shown.docket("en").values()
    assert [offer["do"] for offer in shown["offers"]] == ["result", "dismiss", "postpone", "postpone extra", "uphold"]
    bench.rule("postpone", answers=shown["answers"])
    assert bench.cases[0].outcome == "postponed"


def test_what_the_arbiter_said_to_a_ruling_stands_with_it_also_where_nothing_came_of_it() -> None:
    bench = Bench().play("e2e4").rule("report", side="black", kind="conduct")
    bench.rule("dismiss", text="both were loud", witnesses=("Eva", "Udo"))
    (shown,) = bench.shown.docket("fr").values()
    said = [text.replace("\N{NO-BREAK SPACE}", " ") for text in shown["after"]]
    assert said == ["selon l’arbitre : « both were loud »", "témoins : Eva et Udo"]


def test_of_a_match_what_is_done_on_one_board_is_noted_on_that_alone() -> None:
    session = c.Session(version=1, match="bughouse", clock="180")
    opening = Opening(game="g", venue="hall", board="7+8", started="2026-01-01T00:00:00+00:00", session=session)
    boards = {name: ArbiterBoard(opening, name, lambda: ()) for name in ("A", "B")}
    for board in boards.values():
        board.hear(c.Arbiter(ms=1000, board="A", do="pause", by="Ana"))
        for number, name in enumerate(boards, 1):
            board.apply(number, c.Clock(ms=1000, board=name, white_ms=179_000, black_ms=180_000, running=None))
        board.settle()
    assert [len(board.cases.all) for board in boards.values()] == [1, 0]
