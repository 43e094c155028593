"""The search for what hands may have done: which line is found, what it costs, and that it is bounded for every input.

Costs are compared with the rates, never with numbers: what is checked is which rates are to be paid.
"""

import random
from itertools import pairwise
from math import inf
from unittest.mock import patch

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from shorthand import CASTLING, EN_PASSANT, MIDDLEGAME, PROMOTION

from controller import contract as c
from controller.position import EMPTY, Position
from controller.sensing import costs
from controller.sensing.budget import NODE, WORK, Budget
from controller.sensing.costs import REPORTED, Rates
from controller.sensing.difference import Readings
from controller.sensing.question import Asked, Explanation, Question
from controller.sensing.readings import FITS, SOMETHING, reading
from controller.sensing.search import DEPTH, EDGES, WRONG, explain
from controller.sensing.trace import Edge

ONE_VICTIM = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
TWO_VICTIMS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
TAKEN_BACK = "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1"
SCANNED = replace(costs.SCANNED, stuck=inf)  #: of sensors that fail nothing is asked here
BOARDS = pytest.mark.parametrize("rates", [REPORTED, SCANNED], ids=["reported", "scanned"])


def readings_of(board: chess.Board, senses: c.Senses = "occupancy") -> list[str]:
    """What a board of that kind shows of these pieces."""
    return [reading(piece.symbol() if (piece := board.piece_at(square)) else EMPTY, senses) for square in chess.SQUARES]


def edges_of(log: str) -> list[Edge]:
    """One edge for each ``-e2`` (it opens) or ``+e4`` (it closes; ``+e4w`` with a reading), 400 ms apart."""
    return [
        Edge(400 * number, chess.parse_square(word[1:3]), EMPTY if word[0] == "-" else word[3:] or SOMETHING)
        for number, word in enumerate(log.split())
    ]


def ask(
    fen: str, edges: list[Edge], rates: Rates = SCANNED, unseen: str = "", readings: Readings | None = None
) -> Question:
    """What these edges mean. ``unseen``: edges that were lost, of which only the outcome is seen."""
    board = chess.Board(fen)
    if readings is None:
        shown = readings_of(board)
        for edge in [*edges, *edges_of(unseen)]:
            shown[edge.square] = edge.seen
        readings = tuple(shown)
    return Question(Position(board), edges, readings, rates, release_ms=400)


def found(question: Question) -> list[Explanation]:
    return explain(question, Budget())


def line(explanation: Explanation) -> list[str]:
    return [made.move.uci() for made in explanation.moves]


def lost(rates: Rates, edges: int) -> float:
    """What it costs that so many edges are lost in one gap."""
    return rates.lost + (edges - 1) * rates.again if edges else 0.0


# -- what was seen is free -------------------------------------------------------------------------------------------


@BOARDS
@pytest.mark.parametrize(
    ("fen", "log", "moves"),
    [
        (MIDDLEGAME, "-d2 +d3", "d2d3"),
        (MIDDLEGAME, "-e5 -f3 +e5", "f3e5"),
        (MIDDLEGAME, "-f3 -e5 +e5", "f3e5"),
        (CASTLING, "-e1 +g1 -h1 +f1", "e1g1"),
        (CASTLING, "-e1 -a1 +d1 +c1", "e1c1"),
        (EN_PASSANT, "-e5 +d6 -d5", "e5d6"),
        (EN_PASSANT, "-d5 -e5 +d6", "e5d6"),
        (PROMOTION, "-a7 +a8", "a7a8q"),
        (PROMOTION, "-b8 -a7 +b8", "a7b8q"),
        (MIDDLEGAME, "-d2 +d3 -d7 +d6 -c1 +g5", "d2d3 d7d6 c1g5"),
    ],
)
def test_a_line_of_which_every_edge_is_seen_costs_nothing(rates: Rates, fen: str, log: str, moves: str) -> None:
    best = found(ask(fen, edges_of(log), rates))[0]
    assert (line(best), best.cost) == (moves.split(), 0.0)
    assert not any(made.hidden for made in best.moves)
    assert best.moves[-1].edges == len(log.split()), "no edge is left for the next move"


# -- what was lost costs what the rates say --------------------------------------------------------------------------


@BOARDS
@pytest.mark.parametrize(
    ("fen", "log", "unseen", "moves", "edges"),
    [
        ("startpos", "-e2", "+e4", "e2e4", 1),
        ("startpos", "+e4", "-e2", "e2e4", 1),
        ("startpos", "", "-e2 +e4", "e2e4", 2),
        ("startpos", "-e2", "+e4 -e7 +e5", "e2e4 e7e5", 3),
        ("startpos", "", "-e2 +e4 -e7 +e5", "e2e4 e7e5", 4),
        (EN_PASSANT, "-e5 +d6", "-d5", "e5d6", 1),
        (CASTLING, "-e1 +g1 +f1", "-h1", "e1g1", 1),
        (CASTLING, "-e1 +g1", "-h1 +f1", "e1g1", 2),
    ],
)
def test_of_edges_in_one_gap_the_first_is_dear_and_the_others_are_cheap(
    rates: Rates, fen: str, log: str, unseen: str, moves: str, edges: int
) -> None:
    start = chess.STARTING_FEN if fen == "startpos" else fen
    told = found(ask(start, edges_of(log), rates, unseen))
    costs_of = {" ".join(line(one)): one.cost for one in told if not one.stuck}
    assert costs_of[moves] == pytest.approx(lost(rates, edges))
    if rates is SCANNED:  # of a board that reports all it is as likely that squares show what does not stand there
        assert min(costs_of.values()) == costs_of[moves]


@BOARDS
def test_a_capture_swapped_within_one_scan_is_found_and_costs_that(rates: Rates) -> None:
    best = next(each for each in found(ask(ONE_VICTIM, edges_of("-e4"), rates)) if line(each) == ["e4d5"])
    assert best.cost == pytest.approx(rates.swapped)
    assert best.moves[0].hidden


def test_of_two_who_may_have_been_taken_neither_is_likelier() -> None:
    one, other = found(ask(TWO_VICTIMS, edges_of("-e4")))[:2]
    assert sorted([*line(one), *line(other)]) == ["e4d5", "e4f5"]
    assert one.cost == other.cost


def test_nobody_is_taken_of_whom_and_of_whose_taker_nothing_is_seen() -> None:
    assert found(ask(ONE_VICTIM, [])) == []


@pytest.mark.parametrize(("senses", "seen"), [("colour", "white"), ("identity", "P")])
def test_a_board_that_tells_pieces_apart_sees_who_stands_there_after_a_swap(senses: c.Senses, seen: str) -> None:
    """With the other piece there it is a capture, of the one on d5 and not on f5; with the same as before, none."""
    board = chess.Board(TWO_VICTIMS)
    before = readings_of(board, senses)
    board.push_uci("e4d5")
    swapped = found(ask(TWO_VICTIMS, edges_of(f"-e4 +d5{seen}"), readings=tuple(readings_of(board, senses))))
    assert line(swapped[0]) == ["e4d5"]
    before[chess.E4] = EMPTY
    held = found(ask(TWO_VICTIMS, edges_of("-e4"), readings=tuple(before)))
    assert all(one.cost > SCANNED.swapped for one in held), "what stands on d5 is still wrong"


def test_a_press_of_the_other_shows_that_the_capture_was_answered_on_its_square() -> None:
    """Both took on d5, and one landing was seen. Until Black presses, his pawn may be in his hand; then one of the two
    was swapped, which is likelier than that edges were lost."""
    question = ask(TAKEN_BACK, edges_of("-d5 -e4 -c6 +d5"))
    assert line(found(question)[0]) == ["e4d5"]
    pressed = found(replace(question, presser=chess.BLACK))[0]
    assert line(pressed) == ["e4d5", "c6d5"]
    assert pressed.cost == pytest.approx(SCANNED.swapped)


def test_a_square_that_is_wrong_and_cannot_be_explained_is_paid_for_and_not_hidden() -> None:
    best = found(ask(chess.STARTING_FEN, edges_of("-e2 +e4 +e5")))[0]
    assert line(best) == ["e2e4"]
    assert best.cost == pytest.approx(SCANNED.wrong)


@pytest.mark.parametrize(
    ("log", "moves", "cost"),
    [
        ("-d2 +d2 -e2 +e4", "e2e4", costs.IDLE_ENEMY),  # White's, and Black has the move by then
        ("-e2 +e4 -d7 +d7", "e2e4", costs.IDLE_OWN),
        ("-f1 -e2 +e4 +f1", "e2e4", costs.IDLE_ENEMY),
        ("-e2 +e4 -d7", "e2e4", 0.0),  # in his hand
        ("-d7 -e2 +e4", "e2e4", costs.BEFORE),
        ("-d7 -e2 +e4 -e7 +e5", "e2e4 e7e5", costs.ODDLY + costs.BEFORE + costs.FOR_LONG),
    ],
)
def test_what_is_touched_besides_costs_what_hands_do_as_often(log: str, moves: str, cost: float) -> None:
    costs_of = {" ".join(line(one)): one.cost for one in found(ask(chess.STARTING_FEN, edges_of(log)))}
    assert costs_of[moves] == pytest.approx(cost)


# -- the order of the moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", ["-e2 -e7 +e4 +e5", "-e7 -e2 +e4 +e5"])
def test_two_moves_may_overlap(log: str) -> None:
    best = found(ask(chess.STARTING_FEN, edges_of(log)))[0]
    assert (line(best), best.cost) == (["e2e4", "e7e5"], 0.0)


@pytest.mark.parametrize(
    ("apart", "cost"),
    [(costs.EARLY_MS, costs.EARLY), (costs.EARLY_MS + costs.EARLIER_MS, costs.EARLY + 1)],
)
def test_a_destination_may_be_seen_before_its_origin_and_hardly_long_before(apart: int, cost: float) -> None:
    edges = [Edge(0, chess.F3, SOMETHING), Edge(apart, chess.G1, EMPTY)]
    best = found(ask(chess.STARTING_FEN, edges))[0]
    assert line(best) == ["g1f3"]
    assert best.cost == pytest.approx(cost)


WHITES, BLACKS = (("g1", "f3"), ("b1", "c3")), (("b8", "c6"), ("g8", "f6"))


@pytest.mark.parametrize("whites", [WHITES, WHITES[::-1]])
@pytest.mark.parametrize("blacks", [BLACKS, BLACKS[::-1]])
def test_moves_that_lead_to_the_same_position_are_made_in_the_order_in_which_they_were_seen(
    whites: tuple[tuple[str, str], ...], blacks: tuple[tuple[str, str], ...]
) -> None:
    played = [whites[0], blacks[0], whites[1], blacks[1]]
    best = found(ask(chess.STARTING_FEN, edges_of(" ".join(f"-{a} +{b}" for a, b in played))))[0]
    assert line(best) == [a + b for a, b in played]
    assert [made.edges for made in best.moves] == [2, 4, 6, 8]


def test_a_move_of_which_all_is_seen_before_the_one_it_answers_is_dear() -> None:
    costs_of = {" ".join(line(one)): one.cost for one in found(ask(chess.STARTING_FEN, edges_of("-e7 +e5 -e2 +e4")))}
    assert costs_of["e2e4 e7e5"] == pytest.approx(costs.LATE)


# -- properties ------------------------------------------------------------------------------------------------------


def seen_of(board: chess.Board, moves: list[chess.Move]) -> list[Edge]:
    """Every edge of these moves, victims first, 400 ms apart; the board has made them."""
    edges: list[Edge] = []
    for move in moves:
        position = Position(board.copy())
        victim, changes = position.captured(move), position.changes(move)
        opened = [square for square, symbol in changes if symbol == EMPTY and square != victim]
        closed = [square for square, symbol in changes if symbol != EMPTY]
        shown = [(square, EMPTY) for square in ([] if victim is None else [victim]) + opened]
        for square, seen in [*shown, *[(square, SOMETHING) for square in closed]]:
            edges.append(Edge(400 * len(edges), square, seen))
        board.push(move)
    return edges


def line_of(seed: int, plies: int) -> tuple[str, list[chess.Move], list[Edge], chess.Board]:
    """Some moves from the middle of a game of chance, with their edges, and the board after them."""
    rng, board = random.Random(seed), chess.Board()
    for _ in range(rng.randrange(40)):
        board.push(rng.choice(list(board.legal_moves)))
        if board.is_game_over():
            board.pop()
            break
    fen, ahead, moves = board.fen(), board.copy(), []
    for _ in range(plies):
        legal = [move for move in ahead.legal_moves if move.promotion in (None, chess.QUEEN)]
        if not legal:
            break
        moves.append(rng.choice([move for move in legal if ahead.is_capture(move)] or legal))
        ahead.push(moves[-1])
    return fen, moves, seen_of(board, moves), board


def boards_of(fen: str, moves: list[chess.Move]) -> list[tuple[chess.Board, chess.Move]]:
    """Each of the moves, and the board before it."""
    board, found_so_far = chess.Board(fen), []
    for move in moves:
        found_so_far.append((board.copy(), move))
        board.push(move)
    return found_so_far


def as_scanned(fen: str, edges: list[Edge]) -> list[Edge]:
    """Of these edges those that change what is seen: a square that opens and closes unseen shows nothing."""
    shown, kept = readings_of(chess.Board(fen)), []
    for edge in edges:
        if shown[edge.square] != edge.seen:
            shown[edge.square] = edge.seen
            kept.append(edge)
    return kept


@given(seed=st.integers(0, 100_000), plies=st.integers(1, 3), data=st.data())
def test_what_was_played_or_what_is_no_dearer_is_found_whichever_edges_are_lost(
    seed: int, plies: int, data: st.DataObject
) -> None:
    fen, moves, edges, after = line_of(seed, plies)
    assume(moves)
    ways = [{square for square, _ in Position(board).changes(move)} for board, move in boards_of(fen, moves)]
    apart = len(set().union(*ways)) == sum(map(len, ways))  # where two moves share a square, what is left is of either
    gone = data.draw(st.sets(st.integers(0, len(edges) - 1), max_size=2 if apart else 0))
    kept = as_scanned(fen, [edge for number, edge in enumerate(edges) if number not in gone])
    best = found(ask(fen, kept, readings=tuple(readings_of(after))))
    assert best or not kept
    if best:
        assert best[0].cost <= lost(SCANNED, len(edges) - len(kept)) + 1e-9
    if not gone:
        assert line(best[0]) == [move.uci() for move in moves]


squares = st.integers(0, 63)
random_edges = st.lists(
    st.builds(Edge, st.integers(0, 20_000), squares, st.sampled_from([EMPTY, SOMETHING])), max_size=EDGES + 3
)


@given(seed=st.integers(0, 100_000), edges=random_edges, plies=st.integers(0, 4))
def test_whatever_comes_an_explanation_is_a_legal_line_that_ends_at_what_stands_there(
    seed: int, edges: list[Edge], plies: int
) -> None:
    """Or it has paid for each square on which something else is seen."""
    fen, _, played, after = line_of(seed, plies)
    edges = [*played, *edges[:6]]
    shown = readings_of(after)
    for edge in edges[len(played) :]:
        shown[edge.square] = edge.seen
    told = found(ask(fen, edges, readings=tuple(shown)))
    assert [one.cost for one in told] == sorted(one.cost for one in told)
    assert len({one.position.key() for one in told}) == len(told), "each position once"
    for one in told:
        board = chess.Board(fen)
        for made in one.moves:
            assert made.move in board.legal_moves
            board.push(made.move)
        assert board.board_fen() == one.position.board.board_fen()
        wrong = [s for s in chess.SQUARES if shown[s] != EMPTY and one.position.symbol(s) not in FITS[shown[s]]]
        assert one.cost >= SCANNED.wrong * len(wrong) - 1e-9
        assert all(before.edges <= after.edges for before, after in pairwise(one.moves))
        assert 1 <= len(one.moves) <= DEPTH
        assert one.moves[-1].edges <= len(edges)


# -- bounds ----------------------------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 100_000),
    edges=random_edges,
    work=st.sampled_from([0, 1, 7, 50, 500, WORK]),
    noise=st.sets(squares, max_size=64),
)
def test_whatever_comes_no_more_is_looked_at_than_the_budget_allows(
    seed: int, edges: list[Edge], work: int, noise: set[int]
) -> None:
    fen, _, _, after = line_of(seed, 1)
    shown = readings_of(after)
    for square in noise:
        shown[square] = EMPTY if shown[square] else SOMETHING
    budget, looked, worked = Budget(work), 0, 0
    budget.kept = 0
    go, change = Position.after, Position.changes

    def counting_after(position: Position, move: chess.Move, exchanged: bool = False) -> Position:
        nonlocal looked
        looked += 1
        return go(position, move, exchanged)

    def counting_changes(position: Position, move: chess.Move) -> object:
        nonlocal worked
        worked += 1
        return change(position, move)

    question = ask(fen, edges, readings=tuple(shown))
    with patch.object(Position, "after", counting_after), patch.object(Position, "changes", counting_changes):
        explain(question, budget)
        first, spent = (looked, worked), budget.spent
        explain(question, budget)
    assert looked <= work // NODE
    assert worked <= 4 * (work + 3)
    assert budget.left > -NODE
    if spent:
        assert (looked, worked) == first, "what is spent is spent for all searches of one input"


@pytest.mark.parametrize(("edges", "any_found"), [(EDGES, True), (EDGES + 1, False)])
def test_more_edges_than_hands_make_are_no_play(edges: int, any_found: bool) -> None:
    wobble = [Edge(10 * n, chess.A3, SOMETHING if n % 2 else EMPTY) for n in range(edges - 2)]
    log = [*wobble, *[replace(edge, ms=9_000 + edge.ms) for edge in edges_of("-e2 +e4")]]
    budget = Budget()
    readings = readings_of(chess.Board())
    readings[chess.E2], readings[chess.E4] = EMPTY, SOMETHING
    told = explain(ask(chess.STARTING_FEN, log, readings=tuple(readings)), budget)
    assert bool(told) == any_found
    assert (budget.left < WORK) == any_found, "nothing is looked at for them"


@pytest.mark.parametrize(("wrong", "any_found"), [(WRONG, True), (WRONG + 1, False)])
def test_with_too_many_wrong_squares_nothing_is_tried(wrong: int, any_found: bool) -> None:
    """Pieces from nowhere on the third rank and the fifth."""
    readings = readings_of(chess.Board())
    readings[chess.E2], readings[chess.E4] = EMPTY, SOMETHING
    for square in [*chess.SQUARES[chess.A3 : chess.A4], *chess.SQUARES[chess.A5 : chess.A6]][:wrong]:
        readings[square] = SOMETHING
    told = found(ask(chess.STARTING_FEN, edges_of("-e2 +e4"), readings=tuple(readings)))
    assert (["e2e4"] in map(line, told)) == any_found


def test_a_line_is_no_longer_than_its_bound() -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8", "e2e4"]
    for played in (moves[:DEPTH], moves[: DEPTH + 1]):
        told = found(ask(chess.STARTING_FEN, edges_of(" ".join(f"-{uci[:2]} +{uci[2:]}" for uci in played))))
        assert (played in map(line, told)) == (len(played) <= DEPTH)
        assert all(len(one.moves) <= DEPTH for one in told)


def test_what_may_follow_a_turn_that_was_asked_from_is_not_asked_again() -> None:
    """But what is otherwise from before it is."""
    question = ask(chess.STARTING_FEN, edges_of("-e2 +e4 -e7 +e5"))
    after = question.position.after(chess.Move.from_uci("e2e4"))
    assert ["e2e4", "e7e5"] in map(line, found(question))
    again = [line(one) for one in found(replace(question, asked=Asked(after.key(), 2, 0.0)))]
    assert ["e2e4"] in again
    assert all(moves[:2] != ["e2e4", "e7e5"] for moves in again)
    other = question.position.after(chess.Move.from_uci("e2e3"))
    assert ["e2e4", "e7e5"] in map(line, found(replace(question, asked=Asked(other.key(), 2, 0.0))))
    cheaper = replace(question, asked=Asked(after.key(), 2, 1.0))
    assert ["e2e4", "e7e5"] in map(line, found(cheaper)), "more may follow than was asked"


# -- who had the move when something was said --------------------------------------------------------------------------


def test_who_says_jadoube_has_the_move_by_then() -> None:
    """The bishop takes on c3 and is taken there, and nothing shows either. What stands on c3 was put straight since:
    that Black spoke before the knight came there is as cheap to see, and dearer to believe (4.2.1)."""
    question = ask("4k3/8/8/b7/8/2P5/8/1N2K3 b - - 0 1", edges_of("-a5 -b1 -c3 +c3"), REPORTED)
    taken = ["a5c3", "b1c3"]
    before = next(each for each in found(question) if line(each) == taken)
    after = next(each for each in found(replace(question, announced=[(600, chess.BLACK)])) if line(each) == taken)
    assert (before.moves[1].edges, after.moves[1].edges) == (4, 2)
    assert before.cost < after.cost
