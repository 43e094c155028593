"""The board page of Lichess hears every move it should post and none besides, whatever the hands at the board do."""

import asyncio
import random

import chess
from hall import until
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import Board, talking
from kit import serving as served
from msgspec import Raw
from strict import Followed, Page, Strict

from controller import contract as c
from controller.journal import Journal, Opening
from controller.outlets.livechess.feed import LiveChessFeed, placement
from controller.outlets.livechess.line import LiveChessLine
from controller.outlets.livechess.protocol import FeedBoard
from controller.outlets.scoresheet import Scoresheet


class Game:
    """A game, a feed of it that has been set up, and the page that hears that; hands make moves and take them back."""

    def __init__(self, colour: chess.Color, before: tuple[str, ...] = (), fen: str = chess.STARTING_FEN) -> None:
        session = c.Session(version=1, fen=fen)
        opening = Opening(
            game="g", venue="club", board="7", started="2026-03-04T18:30:00+01:00", tags={}, session=session
        )
        self.line = LiveChessLine(Scoresheet(opening))
        self.board = chess.Board(fen)
        self.feed = LiveChessFeed(Raw(b"1"), "7")
        self.feed.news(self.line, placement(self.line.sheet), None)
        for san in before:
            self._record(san)
        self.page = Page(self.board.fen(), colour)
        self.feed.setup(self.board.fen())
        self.heard: list[FeedBoard] = []
        self._hear()

    def make(self, *sans: str) -> "Game":
        for san in sans:
            self._record(san)
            self._hear()
        return self

    def back(self, count: int = 1) -> "Game":
        for _ in range(count):
            move = self.board.pop()
            self._apply(c.Retract(ms=self._ms, uci=move.uci(), fen=self.board.fen()))
            self._hear()
        return self

    @property
    def last(self) -> Followed:
        return self.heard[-1]  # type: ignore[return-value]

    @property
    def _ms(self) -> int:
        return len(self.heard)

    def _record(self, san: str) -> None:
        move, side = self.board.parse_san(san), c.WHITE if self.board.turn else c.BLACK
        self.board.push(move)
        ply = len(self.line.sheet.entries) + 1
        self._apply(c.Move(ms=0, side=side, uci=move.uci(), san=san, fen=self.board.fen(), ply=ply))

    def _apply(self, event: c.AnyEvent) -> None:
        self.line.sheet.apply(event)
        self.line.follow()

    def _hear(self) -> None:
        for shown in self.feed.news(self.line, placement(self.line.sheet), None):
            self.heard.append(shown)
            self.page.hear(shown)  # type: ignore[arg-type]


def test_a_slip_in_making_the_opponents_move_is_put_right(journal: Journal) -> None:
    """As it was found, over the socket: a7a6 where g8f6 was meant, taken back by the arbiter's ``undo``."""

    async def scene() -> None:
        board, page = Board(journal), Page()
        async with served(journal) as live, talking(live) as strict:
            await strict.subscribe("7")
            await strict.setup(chess.STARTING_FEN)
            for mine, his in (("e2e4", "e5"), ("f1c4", "Nf6")):
                board.play(mine)
                await hear(strict, page, lambda: page.lichess.turn == chess.BLACK)
                page.answer(his)
                if his == "e5":
                    board.play("e7e5")
                    await hear(strict, page, lambda: page.board == page.lichess)
            board.make("a7a6")
            await hear(strict, page, lambda: page.refused)
            board.rule("pause", "undo")
            await until(lambda: not strict.feeds[-1].match)  # type: ignore[union-attr]
            assert strict.lines[-1] == ["e4", "e5", "Bc4", "a6"]
            board.put("a6a7").wait(2000).rule("resume").play("g8f6")
            await hear(strict, page, lambda: page.board == page.lichess)
            assert strict.lines[-2:] == [["e4", "e5", "Bc4"], ["e4", "e5", "Bc4", "Nf6"]]
            board.play("d2d3")
            await hear(strict, page, lambda: page.posted == ["e4", "Bc4", "d3"])
            assert page.refused == ["a6"]

    async def hear(strict: Strict, page: Page, done: object) -> None:
        def heard() -> object:
            while strict.feeds[heard_of[0] :]:
                feed = strict.feeds[heard_of[0]]
                heard_of[0] += 1
                if isinstance(feed, Followed):
                    page.hear(feed)
            return done()  # type: ignore[operator]

        await until(heard)

    heard_of = [0]
    asyncio.run(scene())


def test_a_move_of_the_pages_own_player_that_was_posted_stays() -> None:
    game = Game(chess.WHITE).make("e4")
    game.page.answer("e5")
    game.make("e5", "Nf3").back()
    assert (game.last.san, game.last.match) == (["e4", "e5", "Nf3"], False)
    game.make("Nf3")
    assert (game.last.san, game.last.match) == (["e4", "e5", "Nf3"], True)
    assert game.page.posted == ["e4", "Nf3"]


def test_nothing_is_posted_instead_of_a_move_that_was() -> None:
    """He takes back what stands at Lichess, and makes another move. It goes on once the board is as there."""
    game = Game(chess.WHITE).make("e4")
    game.page.answer("e5")
    game.make("e5", "Nf3").back().make("d4")
    assert (game.page.posted, game.page.refused) == (["e4", "Nf3"], ["d4"])
    game.back().make("Nf3")
    game.page.answer("Nc6")
    assert game.make("Nc6", "d4").page.posted == ["e4", "Nf3", "d4"]


def test_what_could_be_taken_for_an_answer_is_not_told() -> None:
    """It has taken d5, and would post Black's Nd5 as a move of its own knight, which can take there."""
    fen = "rnbqkb1r/pppp1ppp/5n2/8/3pP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 0 3"
    game = Game(chess.WHITE, fen=fen)
    game.page.answer("d5")
    game.make("d5").back().make("Nd5")
    assert (game.last.san, game.last.match) == (["d5"], False)
    assert game.page.posted == []


def test_further_back_than_the_last_move_the_line_stands_still() -> None:
    game = Game(chess.WHITE).make("e4", "e5", "Nf3").back(2).make("c5")
    assert (game.last.san, game.last.match) == (["e4", "e5", "Nf3"], False)


def test_the_only_move_since_the_setup_is_put_right_too() -> None:
    """The page passes over a line without moves, so this one begins with the move before."""
    game = Game(chess.WHITE, before=("e4", "e5", "Bc4"))
    game.page.answer("Nf6")
    game.make("a6").back().make("Nf6", "d3")
    assert (game.last.san, game.last.start) == (
        ["Bc4", "Nf6", "d3"],
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    )
    assert game.page.posted == ["d3"]


def test_the_first_move_of_a_game_is_not_put_right_for_the_page_could_not_be_told() -> None:
    game = Game(chess.BLACK)
    game.page.answer("e4")
    game.make("e3").back().make("e4", "e5")
    assert (game.last.san, game.last.match) == (["e3"], False)
    game.page = Page("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", chess.BLACK)  # loaded anew
    game.feed.setup(game.page.board.fen())
    assert game.make("Nf3").page.posted == ["e5"]


def test_several_moves_at_once_after_one_put_right_are_told_one_by_one() -> None:
    """As when later play corrects the record."""
    game = Game(chess.WHITE).make("e4")
    game.page.answer("c5")
    game.make("c6")
    move = game.board.pop()
    game._apply(c.Retract(ms=9, uci=move.uci(), fen=game.board.fen()))
    game._record("c5")
    game.make("Nf3")
    assert game.page.posted == ["e4", "Nf3"]
    assert game.page.board == game.page.lichess


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), colour=st.booleans(), clumsy=st.floats(0, 0.6))
def test_what_is_posted_is_what_was_played_and_the_page_never_goes_deaf(seed: int, colour: bool, clumsy: float) -> None:
    """One player at the board, the other at Lichess. The hand slips as it makes the other's move, once or more; right
    moves are taken back and made again. The page has the game, but for a slip at its very first move, and one whose
    correction could be taken for an answer: from there on it posts nothing.
    """
    rng = random.Random(seed)
    game = Game(colour)
    mine: list[str] = []
    deaf = False
    for _ in range(40):
        if game.board.is_game_over():
            break
        san = _any(game.board, rng)
        if game.board.turn == colour:
            mine.append(san)
            game.make(san)
        else:
            if not deaf:
                game.page.answer(san)
            while rng.random() < clumsy and (slip := _any(game.board, rng)) != san:
                deaf = deaf or game.board.ply() == 0 or _answers(game.board, slip, san)
                game.make(slip).back()
            game.make(san)
        if rng.random() < clumsy / 2:
            game.back().make(san)
        if not deaf:
            assert game.page.posted == mine
            assert game.page.board == game.page.lichess == game.board
        assert game.page.posted == mine[: len(game.page.posted)], "nothing that was not played"


def _any(board: chess.Board, rng: random.Random) -> str:
    return board.san(rng.choice(list(board.legal_moves)))


def _answers(board: chess.Board, slip: str, san: str) -> bool:
    """Whether ``san`` names an answer to ``slip`` as well."""
    after = board.copy()
    after.push_san(slip)
    try:
        after.parse_san(san)
    except ValueError:
        return False
    return True
