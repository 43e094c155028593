"""A round, with all that an organiser may meet in it: what happens where is dealt out by chance."""

import asyncio
import csv
import io
import random

import chess
from boards import Table
from plans import Plan, plan, with_breach
from truth import Game
from venue import TABLES, Venue

SOON_S = (0.2, 3.0)  #: from the first press to what somebody else does
DARK_S = 0.2  #: without power
CHANGES = ("colours", "reserve", "reserve, by hand", "tables, by hand")
"""How the pairing changes; by hand: in a CSV with the tables, instead of a report of the program."""


class Afternoon:
    """The round ``number``. Four tables are special, each in its way."""

    def __init__(self, venue: Venue, number: int) -> None:
        self.venue, self.number = venue, number
        self.games = venue.program.pair(number)
        self._rng = random.Random(number)
        self._change = CHANGES[number % len(CHANGES)]
        self.exchanged, self.forfeited, self.breached, late, other = self._rng.sample(range(1, TABLES + 1), 5)
        if self._change == "reserve":  # who sits down at the last board leaves the others where they are
            taken = (self.exchanged, self.forfeited, self.breached)
            late = self._rng.choice([table for table in range(4, TABLES + 1, 4) if table not in taken])
        self.late = (late, other) if self._change.startswith("tables") else (late,)
        self._paired_anew = asyncio.Event()
        self._desk = asyncio.Lock()  # at the computer one thing is done after the other; its power fails in between

    async def prepare(self) -> None:
        """The round is paired and put in force, pieces and clocks are set up, until all are ready."""
        computer = self.venue.computer
        file = computer.folder.parent / f"round-{self.number}.trf"
        file.write_text(self.venue.program.trf(), newline="")
        assert "24 games" in await computer.hall("round", self.number, file, "--yes")
        for table in self.venue.tables.values():
            table.set_up()
        await computer.is_ready()

    async def play(self) -> None:
        """Until the last result."""
        async with asyncio.TaskGroup() as tasks:
            for game in self.games:
                if game.table != self.forfeited:
                    tasks.create_task(self._sit_down(game))
            tasks.create_task(self._forfeit())
            tasks.create_task(self._pair_anew())
            tasks.create_task(self._lose_power())

    # -- at a table ------------------------------------------------------------------------------------------------

    async def _sit_down(self, game: Game) -> None:
        rng = random.Random(f"{self.number} {game.table}")
        chosen = with_breach(rng) if game.table == self.breached else plan(rng)
        exchange = rng.randrange(1, len(chosen.moves)) if game.table == self.exchanged else None
        await self._may_begin(game)
        table, number = self.venue.tables[game.table], str(game.table)
        began = len(self.venue.listener.events[number])
        table.start()
        (opening,) = await self._heard(game, "game", began)
        tags = opening["opening"]["tags"]
        assert (tags["White"], tags["Black"]) == (game.white.name, game.black.name)
        for ply, move in enumerate(chosen.moves):
            if exchange == ply:
                await self._exchange(game, table)
            if chosen.breach is not None and chosen.breach.ply == ply:
                await self._break_the_rule(game, table, chosen)
            await self._move(game, table, move)
        await self._end(game, table, chosen.result, began)

    async def _may_begin(self, game: Game) -> None:
        if game.table not in self.late:
            return
        await self._paired_anew.wait()
        names = {"White": game.white.name, "Black": game.black.name}
        status, number = self.venue.listener.status, str(game.table)
        await self.venue.listener.until(
            number, lambda: names.items() <= status[number].get("tags", {}).items(), "who is paired now"
        )

    async def _move(self, game: Game, table: Table, move: chess.Move) -> None:
        before = len(self.venue.listener.events[str(game.table)])
        game.make(move.uci())
        game.shown_s.append(await table.move(move))
        await self._heard(game, "completed", before, uci=move.uci())

    async def _end(self, game: Game, table: Table, agreed: str | None, began: int) -> None:
        table.clock.stop()
        table.show_clock()
        if agreed is None:
            game.result = "0-1" if table.position.turn else "1-0"
        else:
            async with self._desk:
                await self.venue.arbiter.give(game.table, agreed)
            game.result = agreed
        await self._heard(game, "result", began, status="final", result=game.result)

    async def _heard(self, game: Game, what: str, since: int, **fields: object) -> list[dict[str, object]]:
        """The events of that kind on that table, once there are some with these fields."""
        events = self.venue.listener.events[str(game.table)]

        def found() -> list[dict[str, object]]:
            wanted = {"type": what} | fields
            return [event for event in events[since:] if wanted.items() <= event.items()]

        await self.venue.listener.until(str(game.table), found, f"{what} {fields} of round {self.number}")
        return found()

    # -- what is special -------------------------------------------------------------------------------------------

    async def _exchange(self, game: Game, table: Table) -> None:
        """A board fails in mid-game."""
        port = self.venue.take_spare()
        async with self._desk:
            said = await self.venue.computer.hall("replace", game.table, "--with", port)
        assert str(port) in said
        self.venue.put_away(table.exchange(self.venue.boards[port]))

    async def _break_the_rule(self, game: Game, table: Table, chosen: Plan) -> None:
        """A piece is touched, and another one moved; the arbiter is called, and the touched piece has to move."""
        assert chosen.breach is not None
        before = len(self.venue.listener.events[str(game.table)])
        async with self._desk:  # with the power on: what is done in the dark accuses nobody
            await table.touch(chosen.breach.touched, lambda: self._wait(game, "touch", before))
            wrong = chosen.breach.move
            await table.move(wrong)
            game.make(wrong.uci())
            await self._heard(game, "violation", before, kind="touch-move")
        table.clock.stop()
        table.show_clock()
        arbiter = self.venue.arbiter
        async with self._desk:
            await arbiter.uphold(game.table, "although a touched piece called for another move")
        table.put_back()
        async with self._desk:
            await arbiter.resume()
        game.take_back()
        table.clock.go_on(table.position.turn)
        table.show_clock()

    async def _wait(self, game: Game, kind: str, before: int) -> None:
        await self._heard(game, kind, before)

    async def _forfeit(self) -> None:
        """Somebody never came."""
        game = self.games[self.forfeited - 1]
        game.result = self._rng.choice(["+-", "-+"])
        said = {"+-": "1-0", "-+": "0-1"}[game.result]
        await self._soon()
        async with self._desk:
            await self.venue.computer.hall("result", game.table, said, "--reason", "forfeit", "--by", "Anne Arbitre")

    async def _pair_anew(self) -> None:
        """The captains have told the organiser something; games that are on go on."""
        await self._soon()
        games = [next(game for game in self.games if game.table == table) for table in self.late]
        if self._change.startswith("tables"):
            one, other = games
            one.table, other.table = other.table, one.table
            self.games.sort(key=lambda game: game.table)
        elif self._change.startswith("reserve"):
            for game in games:
                game.absent.append(game.black.number)
                game.black = self.venue.program.reserve_of(game.black)
        else:
            for game in games:
                game.white, game.black = game.black, game.white
        file = self.venue.computer.folder.parent / f"round-{self.number}-changed"
        file.write_text(self._by_hand() if "by hand" in self._change else self.venue.program.trf(), newline="")
        async with self._desk:
            await self.venue.computer.hall("round", self.number, file, "--yes")
        self._paired_anew.set()

    def _by_hand(self) -> str:
        text = io.StringIO()
        rows = csv.writer(text, delimiter=";")
        rows.writerow(("Round", "Board", "White", "Black"))
        rows.writerows((self.number, game.table, game.white.name, game.black.name) for game in self.games)
        return text.getvalue()

    async def _lose_power(self) -> None:
        await self._soon()
        async with self._desk:
            self.venue.lose_power()
            await asyncio.sleep(DARK_S)
            await self.venue.get_power()

    async def _soon(self) -> None:
        await asyncio.sleep(self._rng.uniform(*SOON_S))
