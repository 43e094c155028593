"""Blitz à quatre: two games side by side, what passes from one to the other, and the one result of both.

Built from :class:`~controller.game.Game`, which knows only its own board and stocks. Source: the rules of the blitz à
quatre; numbers in brackets are its articles. Team 1 has White on board A and Black on board B.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Literal

import chess
from chess import Move
from msgspec.structs import replace

from controller import contract as c
from controller.errors import LogError
from controller.game import RUN_ON_MS, Game
from controller.laws.claims import may_agree
from controller.laws.record import Made
from controller.laws.renamed import names_given
from controller.laws.state import colour
from controller.laws.stock import passed_on
from controller.sensing.budget import OF_A_MATCH, Budget
from controller.sensing.difference import differing

WinningTeam = Literal["team-1", "team-2"]

MOVE_AND_REPLY = 8
"""A move and its reply change at most so many squares: if more differ, that is no move being taken back."""

PARTNER: dict[c.BoardId, c.BoardId] = {"A": "B", "B": "A"}
"""The other board: a player's partner sits there with the other colour."""


def team(board: c.BoardId, side: c.Side) -> WinningTeam:
    """The team of the player of ``side`` on ``board``."""
    return "team-1" if (board == "A") == (side == c.WHITE) else "team-2"


def game_of(session: c.Session) -> "Game | MatchAQuatre":
    """The game, or the match, of that session. Raises :exc:`LogError` if it cannot be played."""
    return Game(session) if session.match is None else MatchAQuatre(session)


class MatchAQuatre:
    """Two games and one result. Raises :exc:`LogError` for a session that cannot be played."""

    def __init__(self, session: c.Session) -> None:
        self.session = session
        budget = Budget(OF_A_MATCH)
        self.games: dict[c.BoardId, Game] = {"A": Game(session, "A", budget), "B": Game(session, "B", budget)}
        self.result: c.Match | None = None
        self._passed: dict[c.BoardId, Sequence[Made]] = {}  #: by board: its moves when it last passed pieces on
        self._last_ms: c.Ms = 0  #: the time of the last event
        self._begun = False  #: the clocks have been started
        self._agreed: set[tuple[c.BoardId, c.Side]] = set()  #: the players who have offered or accepted a draw (15)
        #: the board on which a mate may follow at once, and how many moves were made there (14)
        self._to_mate: tuple[c.BoardId, int] | None = None
        self._acts: dict[type, Callable[[Any, Game], list[c.AnyEvent]]] = {
            c.Draw: self._draw,
            c.Pause: self._pause,
            c.Arbiter: self._arbiter,
        }

    def handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        """Let time run to the input on both boards, take it on its own board, and return the events of both.

        Raises :exc:`LogError` for an input that does not say on which board it was made; time alone passes on both.
        """
        return self._in_order(self._handle(item))

    def _in_order(self, events: list[c.AnyEvent]) -> list[c.AnyEvent]:
        """These events with times that never go back: what is found out later on one board may have happened before
        what the other board has told."""
        for number, event in enumerate(events):
            if event.ms < self._last_ms:
                events[number] = replace(event, ms=self._last_ms)
            else:
                self._last_ms = event.ms
        return events

    def _handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        if item.board is None and type(item) is not c.Time:
            raise LogError("malformed input: expected `board`, A or B, in a match - at `$.board`")
        begun, self._begun = self._begun, True
        events = [] if begun else self._run_on(0)  # both games begin at the same time (1)
        if item.board is None:
            return events + self._run_to(item.ms, ("A", "B")) + self._run_on(item.ms)
        game = self.games[item.board]
        due = self.games[PARTNER[item.board]].deadline
        if (due is not None and due <= item.ms) or game.judges_by(item.ms):
            unseen = isinstance(item, c.Frame) and not game.held_until(item)
            events += self._run_to(item.ms, (PARTNER[item.board],) if unseen else ("A", "B"))
        act = self._acts.get(type(item)) if self.result is None else None
        if act:
            events += self._run_on(item.ms)
        return events + self._follow(item.board, act(item, game) if act else self._take(item.board, game.handle, item))

    def finish(self) -> list[c.AnyEvent]:
        """At the end of a log, let time run on so that pending releases are judged on both boards."""
        end = self._now + RUN_ON_MS
        events = self._run_to(end, ("A", "B")) + self._run_on(end)
        for name, game in self.games.items():
            events += self._follow(name, self._take(name, game.settle))
        return self._in_order(events)

    def _take(self, name: c.BoardId, act: Callable[..., list[c.AnyEvent]], *args: Any) -> list[c.AnyEvent]:
        """Let the game on board ``name`` do that, and show it the other board meanwhile: pieces may have to be named
        anew on both."""
        game, partner = self.games[name], self.games[PARTNER[name]]
        before, beside = game.state, partner.state
        game.beside(beside)
        try:
            said = act(*args)
        finally:  # also after an exception: neither board may keep an old state of the other
            renamed = game.state.partner
            game.beside(None)
        if renamed is not None and renamed is not beside:
            names = names_given(before, game.state) | names_given(beside, renamed)
            said += self._take(PARTNER[name], partner.name, before, names, self._now)
        if game.lacks_from(partner) and (told := partner.promote()):
            said += self._follow(PARTNER[name], told)
        if game.doubtful:
            said += game.weigh(partner.state)
        if partner.doubtful and (told := partner.weigh(game.state)):
            said += self._follow(PARTNER[name], told)
        return said

    @property
    def _now(self) -> c.Ms:
        return max(game.state.now for game in self.games.values())

    @property
    def deadline(self) -> c.Ms | None:
        """When, in session milliseconds, something falls due on either board; None if nothing does."""
        return min((due for game in self.games.values() if (due := game.deadline) is not None), default=None)

    def _run_to(self, ms: c.Ms, names: tuple[c.BoardId, ...]) -> list[c.AnyEvent]:
        """Deal with all that falls due by ``ms`` on these boards, in the order of time."""
        events: list[c.AnyEvent] = []
        while True:
            due = [(at, name) for name in names if (at := self.games[name].deadline) is not None and at <= ms]
            if not due:
                return events
            at, name = min(due)
            events += self._follow(name, self._take(name, self.games[name].handle, c.Time(ms=at, board=name)))

    def _run_on(self, ms: c.Ms) -> list[c.AnyEvent]:
        """Let time run to ``ms`` on both boards, on which nothing more falls due until then."""
        events: list[c.AnyEvent] = []
        for name, game in self.games.items():
            events += self._follow(name, self._take(name, game.handle, c.Time(ms=ms, board=name)))
        return events

    # -- what follows from what happened on a board ----------------------------------------------------------

    def _follow(self, name: c.BoardId, events: list[c.AnyEvent]) -> list[c.AnyEvent]:
        """These events of board ``name``, with those that follow on the other board and for the match."""
        state = self.games[name].state
        set_up_anew = chess.popcount(state.mismatch) > MOVE_AND_REPLY and self._set_up_anew(name)
        if not events and not set_up_anew and state.made is self._passed.get(name):
            return events
        said = [*events]
        for event in events:
            if event.board == name and (type(event) is c.Move or type(event) is c.Touch):
                self._answered(name, event.side)
            elif type(event) is c.Result and event.status == "final":
                self._to_mate = self._mate_to_follow(name, event)
        if state.made is not self._passed.get(name):
            said += self._pass_on(name)
        for game in self.games.values():
            said += game.new_events()
        if self.result is None and all(game.state.result is not None for game in self.games.values()):
            said += self._end(self._of_both(), "both-boards")
        if set_up_anew and self.result is None:
            said += self._neutralise(PARTNER[name])
        return said

    def _set_up_anew(self, name: c.BoardId) -> bool:
        """Whether the pieces on this board are set up for another game after the game on the other board has ended: so
        nobody plays on here (12), though nobody has stopped his clock."""
        here, other = self.games[name].state, self.games[PARTNER[name]].state
        if self.result is not None or here.result is not None or other.result is None:
            return False
        return not differing(here.start, here.readings, chess.BB_ALL)

    def _pass_on(self, name: c.BoardId) -> list[c.AnyEvent]:
        """Put what was captured on one board into stock on the other, once the move is completed (6, 18)."""
        partner, share = self.games[PARTNER[name]], passed_on(self.games[name].state)
        self._passed[name] = self.games[name].state.made
        if share == partner.state.received:
            return []
        # A drop that stands there may become lawful by that, and pass pieces back in turn.
        return self._follow(PARTNER[name], self._take(PARTNER[name], partner.receive, share, self._now))

    # -- the end of the match --------------------------------------------------------------------------------

    def _end(self, result: Literal["team-1", "team-2", "draw"], reason: Any) -> list[c.AnyEvent]:
        self.result = c.Match(ms=self._now, result=result, reason=reason)
        closing = chain.from_iterable(game.close(self._now) for game in self.games.values())
        return [*closing, self.result]

    def _won_by(self, name: c.BoardId) -> Literal["team-1", "team-2", "draw"]:
        """What a game that has ended means for the match (4)."""
        result = self.games[name].state.result
        white, black = (0.0, 0.0) if result is None else c.POINTS[result.result]
        return "draw" if white == black else team(name, c.WHITE if white > black else c.BLACK)

    def _of_both(self) -> Literal["team-1", "team-2", "draw"]:
        """The result once both games have ended: won if one team has won both, else drawn (13)."""
        first, second = self._won_by("A"), self._won_by("B")
        return first if first == second else "draw"

    def _neutralise(self, ended: c.BoardId) -> list[c.AnyEvent]:
        """End the match by the game that has ended (12, 13); drawn if the other counts as ended at the same
        time (14)."""
        other = PARTNER[ended]
        if self._to_mate == (other, len(self.games[other].state.made)):
            return self._end("draw", "simultaneous")
        result = self.games[ended].state.result
        if result is not None and result.article == self.games[ended].state.laws.clause.threefold:
            return self._end("draw", "fourfold")
        if result is not None and result.reason == "arbiter":
            return self._end(self._won_by(ended), "arbiter")
        return self._end(self._won_by(ended), "board-a" if ended == "A" else "board-b")

    def _mate_to_follow(self, name: c.BoardId, ended: c.Result) -> tuple[c.BoardId, int] | None:
        """The partner's board and how many moves were made there, if the player just mated had by his last move given
        his partner a piece that mates at once (14); else None."""
        made = self.games[name].state.made
        if ended.reason != "checkmate" or len(made) < 2 or not made[-2].completed:
            return None
        kind, partner = made[-2].takes, self.games[PARTNER[name]].state
        if kind is None or partner.result is not None or partner.position.turn == colour(made[-2].side):
            return None
        drops = [Move(square, square, drop=kind) for square in chess.SQUARES]
        legal = [move for move in drops if move in partner.position.drops(move.to_square)]
        for move in legal:
            after = partner.position.after(move)
            if after.checkers and not after.has_legal_move():
                return PARTNER[name], len(partner.made)
        return None

    # -- inputs that concern the whole match -----------------------------------------------------------------

    def _ended(self) -> c.BoardId | None:
        """The board whose game has ended, while the other goes on."""
        return next((name for name, game in self.games.items() if game.state.result is not None), None)

    def _mates(self, names: tuple[c.BoardId, ...]) -> list[c.AnyEvent]:
        """Make a mate by unnamed pieces that stands on one of these boards: the players stop the match as after one."""
        said: list[c.AnyEvent] = []
        for name in names if self._ended() is None else ():
            said += self._follow(name, self._take(name, self.games[name].mate))
        return said

    def _pause(self, item: c.Pause, game: Game) -> list[c.AnyEvent]:
        """A player stops his clock: to call the arbiter (20), or because the other game has ended (12)."""
        assert item.board is not None
        said = self._mates((PARTNER[item.board],))
        ended = self._ended()
        if ended is not None and item.board == PARTNER[ended]:
            said += self._take(item.board, game.handle, c.Time(ms=item.ms, board=item.board))
            return said + self._neutralise(ended)
        return said + self._take(item.board, game.handle, item)

    def _arbiter(self, item: c.Arbiter, game: Game) -> list[c.AnyEvent]:
        """An arbiter neutralises the match once a game has ended (12); before that he stops the clocks of both."""
        assert item.board is not None
        if item.do != "neutralise":
            return self._take(item.board, game.handle, item)
        said = self._mates(("A", "B"))
        if (ended := self._ended()) is not None:
            return said + self._neutralise(ended)
        for name, each in self.games.items():
            pause = c.Arbiter(ms=item.ms, board=name, do="pause", by=item.by, reason=item.reason)
            said += self._take(name, each.handle, pause)
        return said

    def _draw(self, item: c.Draw, game: Game) -> list[c.AnyEvent]:
        """A draw of the match: offered by both players of a team, accepted by both of the other (15).

        What counts is that all four players want it at the same time, in any order and by either word, as it is one
        draw of the whole match, without conditions. So a player who offers it back accepts it; and a player may accept
        what one opponent offered before that opponent's partner has joined. Where somebody has yet to make his first
        move, it comes to nothing, as in a game.
        """
        assert item.board is not None
        said = self._take(item.board, game.handle, c.Time(ms=item.ms, board=item.board))
        if item.act == "decline":
            self._agreed.clear()
            return said
        if item.act == "accept" and not self._of_team(item.board, c.other(item.side)):
            return said  # no opponent has offered anything
        self._agreed.add((item.board, item.side))
        if len(self._agreed) < 4:
            return said
        going_on = [each for each in self.games.values() if each.state.result is None]
        if not all(may_agree(each.state) for each in going_on):
            self._agreed.clear()
            return said
        for each in going_on:
            said += each.agree()
        return said + self._end("draw", "agreement")

    def _of_team(self, board: c.BoardId, side: c.Side) -> set[tuple[c.BoardId, c.Side]]:
        return {board_id for board_id in self._agreed if team(*board_id) == team(board, side)}

    def _answered(self, board: c.BoardId, side: c.Side) -> None:
        """A player who plays on has declined his opponents' offer, or lets pass what one of them said alone (15; 9.1 of
        the Laws)."""
        if len(self._of_team(board, c.other(side))) == 2:
            self._agreed.clear()
        elif len(self._of_team(board, side)) < 2:  # else his own team has offered, and the opponent has begun to accept
            self._agreed.discard((board, c.other(side)))
