"""``jadoube hall check``: whether the boards of a hall are ready for the round, and what is missing where not; which
games are finished.

Each board is asked by MQTT, also one that a computer at the table plays. What it says is held against the round in
force and the announced time control.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.cli.hall.broker import again, broker
from controller.cli.hall.files import Hall
from controller.cli.hall.games import games
from controller.cli.hall.heard import Heard, HeardBoard, hear
from controller.cli.terminal import many
from controller.contract import Score
from controller.daemon.reload import PENDING
from controller.errors import JadoubeError
from controller.laws.timecontrol import Period, parse
from controller.numbering import ranges
from controller.outlets.mqtt.times import APART_MS, majority
from controller.outlets.notices import TechnicalNotice
from controller.pairing import COLOURS, round_of
from controller.tournament.reading import as_csv
from controller.tournament.results import Given, outcomes
from controller.tournament.values import Pairing, Player, Round, folded, pairing_line

CLOCK_S = 2  #: by so much a clock may differ from what was announced
BEGUN = "its game began so. Next: give its result{}, or begin anew: {}"
ON_PAGE = " on the page of the board"
ANEW = '{"type": "new-game", "insist": true} on its cmd'
HEARD = "heard just now"  #: in place of a date, after all of which it sorts
AT_START = "start"  #: the notice of what :attr:`CheckedBoard.wants` says already


class CheckedBoard(Struct, frozen=True, kw_only=True):
    number: str
    ready: bool  #: or its game is finished
    #: ``playing``, ``ready``, ``setting-up``, ``finished``; ``away``, or ``free``, without a game in this round
    doing: str
    players: str  #: as the round in force has them
    wants: list[str]  #: what is missing until it is ready
    notices: list[TechnicalNotice]  #: what it says is wrong with it
    late: str = ""  #: ``white`` or ``black``, who has not made his first move in a game that is on
    free_mb: int | None = None
    result: Score | None = None  #: of a game that is finished


class Checked(Struct, frozen=True, kw_only=True):
    """All that ``--json`` tells."""

    round: int | None
    ready: bool
    wants: list[str]  #: of the hall as a whole
    boards: list[CheckedBoard]


def check(config: Path, *, json: bool) -> int:
    """Prints it; 0 where all boards are ready, else 1.

    Raises :exc:`JadoubeError` where the hall or its broker cannot be read.
    """
    hall = Hall(config)
    round_ = hall.in_force()
    heard = hear(*broker(hall), hall.venue, hall.tables)
    here = [number for number in hall.tables if number not in hall.elsewhere]
    found = judge(round_, heard, hall.clock, here, hall.given(), _of_boards(hall, round_))
    if round_ is not None and hall.elsewhere and heard.round != as_csv(round_).encode():
        want = f"the broker does not tell boards {ranges(hall.elsewhere)} this round. Next: {again(hall, round_)}"
        found = replace(found, ready=False, wants=[*found.wants, want])
    print(msgspec.json.encode(found).decode() if json else "\n".join(_lines(found)))
    return 0 if found.ready else 1


def judge(
    round_: Round | None,
    heard: Heard,
    clock: str | None,
    here: Collection[str] = (),
    given: Sequence[Given] = (),
    of_boards: Sequence[Given] = (),
) -> Checked:
    """What is to be told of the boards that were ``heard``, of which some are ``here``, at this computer. ``given``:
    the results by hand; ``of_boards``: those that the boards are known to have had. Pure.
    """
    wants = [] if round_ is not None else ["no round is in force. Next: jadoube hall round NUMBER FILE"]
    without = [] if round_ is None else [game for game in round_.games if game.table not in heard.boards]
    wants += [f"table {game.table} has no board: {pairing_line(game)}" for game in without]
    period = None if clock is None else parse(clock).period(0)
    most = majority(heard.ahead_ms(here))
    if most is not None and abs(most) > APART_MS:
        wants.append(f"the time of day here is {_apart(-most)} that of most computers. Next: timedatectl")
    known = {} if round_ is None else _known(round_, heard, [*given, *of_boards])
    boards = [
        _finished(number, heard, result, round_)
        if round_ is not None and (result := known.get(number)) is not None and not _plays(heard, number)
        else _board(number, heard, round_, period, most, here, given)
        for number in heard.boards
    ]
    ready = not wants and all(board.ready for board in boards)
    return Checked(round=None if round_ is None else round_.number, ready=ready, wants=wants, boards=boards)


def _of_boards(hall: Hall, round_: Round | None) -> list[Given]:
    """The results of a round that boards had, as far as the journal can be read."""
    try:
        return [] if round_ is None else [each for game in games(hall, {round_.number}) for each in game.given]
    except JadoubeError:
        return []  # the daemon tells of its journal by a notice


def _known(round_: Round, heard: Heard, given: Sequence[Given]) -> dict[str, Score]:
    """The result of each table of the round that has one; what a board says of itself just now is the latest."""
    now = [
        Given(
            round=round_of(tags) or round_.number,
            table=number,
            white=tags.get("White", ""),
            black=tags.get("Black", ""),
            result=told.game.final,
            at=HEARD,
            source="board",
        )
        for number, told in heard.boards.items()
        if (tags := told.game.tags) and told.game.final is not None
    ]
    found = (outcome.pairing for outcome in outcomes(round_, [*given, *now]) if outcome.pairing.black is not None)
    return {pairing.table: pairing.result for pairing in found if pairing.result is not None}


def _plays(heard: Heard, number: str) -> bool:
    """Whether a game is on there, as far as it says."""
    status = heard.boards[number].status
    return status is not None and status.phase == "playing" and heard.online(number)


def _finished(number: str, heard: Heard, result: Score, round_: Round) -> CheckedBoard:
    """A board that is not needed any more in this round; what is wrong with it is told all the same."""
    told, game = heard.boards[number], round_.at(number)
    notices = () if told.status is None else told.status.notices
    return CheckedBoard(
        number=number,
        ready=True,
        doing="finished",
        players="" if game is None else pairing_line(game),
        wants=[],
        notices=[notice for notice in notices if notice.source != AT_START],
        free_mb=told.health.measured.get("free_mb"),
        result=result,
    )


def _board(
    number: str,
    heard: Heard,
    round_: Round | None,
    period: Period | None,
    most: int | None,
    here: Collection[str],
    given: Sequence[Given],
) -> CheckedBoard:
    told = heard.boards[number]
    game = None if round_ is None else round_.at(number)
    if round_ is not None and game is None:
        return CheckedBoard(number=number, ready=True, doing="free", players="", wants=[], notices=[])
    wants = list(_wants(told, heard.online(number), most, period))
    status = told.status
    notices = [] if status is None else [notice for notice in status.notices if notice.source != AT_START]
    playing = status is not None and status.phase == "playing"
    if round_ is not None and game is not None and status is not None and heard.online(number):
        others = list(_others(round_.number, game, told.game.tags if playing else status.tags))
        way_out = _way_out(number, told.game.tags, round_, given, here=number in here)
        wants += [f"{other}; {way_out}" for other in others] if playing else others
    late = {0: "white", 1: "black"}.get(told.game.ply, "") if playing else ""
    return CheckedBoard(
        number=number,
        ready=not (wants or notices),
        doing=status.phase if status is not None and heard.online(number) else "away",
        players="" if game is None else pairing_line(game),
        wants=wants,
        notices=notices,
        late=late,
        free_mb=told.health.measured.get("free_mb"),
    )


def _way_out(number: str, tags: Mapping[str, str], now: Round, given: Sequence[Given], *, here: bool) -> str:
    """What to do with a game that is on and is not that of the round in force, ``now``; its result may be known by
    hand. What ``hall result`` gives in that round is of who is paired there by now, and no board elsewhere is told.
    """
    round_ = round_of(tags)
    if round_ is None or round_ == now.number:
        return BEGUN.format(ON_PAGE, ANEW)
    players = [folded(tags.get(colour, "")) for colour in COLOURS]
    same = [
        each
        for each in given
        if (each.table, each.round) == (number, round_) and [folded(each.white), folded(each.black)] == players
    ]
    command = f"jadoube hall result {number} {{}} --round {round_} --at-board"
    if same and (result := same[-1].result) is not None:
        end = command.format(result) if here else f"give it{ON_PAGE}, too"
        return f"its result is known by hand, {result}, and the game is still on there. Next: {end}"
    return BEGUN.format(f": {command.format('RESULT')}" if here else ON_PAGE, ANEW)


def _wants(told: HeardBoard, online: bool, most: int | None, period: Period | None) -> Iterator[str]:
    """What is missing but for the players. ``most``: by how much most computers are ahead of us, if there are most."""
    status = told.status
    if status is None or not online:
        yield "nothing was ever heard of it" if status is None else "it is away"
        return
    if not told.answered:
        yield "it does not answer"
    elif told.ahead_ms is not None and abs(apart := told.ahead_ms - (most or 0)) > APART_MS:
        whose = "ours" if most is None else "that of most computers"
        yield f"the time of day at its computer is {_apart(apart)} {whose}"
    if status.phase == "setting-up":
        yield f"not as at the start: {', '.join(status.missing)}" if status.missing else "the pieces are not set up"
    if status.phase != "playing" and period is not None and status.clock_s is not None:
        allowed = (period.seconds, period.seconds + period.increment)
        if any(min(abs(shown - each) for each in allowed) > CLOCK_S for shown in status.clock_s):
            white, black = map(_time, status.clock_s)
            yield f"the clock shows {white} and {black}; announced is {_time(period.seconds)}"


def _apart(ms: int) -> str:
    """Of a time of day."""
    return f"{abs(ms) / 1000:.1f} s {'ahead of' if ms > 0 else 'behind'}"


def _others(number: int, game: Pairing, tags: Mapping[str, str]) -> Iterator[str]:
    """Where the board names other players than the round in force, or another round."""
    if (round_ := tags.get("Round", str(number)).partition(".")[0]) != str(number):
        yield f"it still has round {round_}"
        return
    has = [Player(name=tags.get(colour, "")) for colour in COLOURS]
    if [folded(player.name) for player in has] != [folded(player.name) for player in game.players.values()]:
        names = [player.name or "nobody" for player in has]
        yield f"it has {' – '.join(names)}" if any(player.name for player in has) else "it does not know who plays"


def _time(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


# -- in words ------------------------------------------------------------------------------------------------------


def _lines(found: Checked) -> Iterator[str]:
    playing = [board for board in found.boards if board.doing != "free"]
    needed = [board for board in playing if board.doing != "finished"]
    ready = sum(board.ready for board in needed)
    which = "no round" if found.round is None else f"round {found.round}"
    begun = sum(board.doing == "playing" for board in needed)
    parts = [f"{ready} of {many(len(needed), 'board')} ready{f', {begun} of them playing' if begun else ''}"]
    over = [f"{many(len(playing) - len(needed), 'game')} finished"] if len(playing) > len(needed) else []
    yield f"{which}: {'; '.join([*parts, *over] if needed or not over else over)}"
    yield from (f"  {want}" for want in found.wants)
    width = max((len(board.number) for board in found.boards), default=0)
    words = max([10, *(len(f"finished {board.result}") for board in playing if board.result)])
    for board in playing:
        late = f"; {board.late} has not moved yet" if board.late else ""
        waits = board.doing == "ready" or any(notice.source == PENDING for notice in board.notices)
        doing = board.doing if board.result is None else f"{board.doing} {board.result}"
        word = doing if board.ready else "WAITS" if waits else board.doing.upper()
        yield f"{board.number:>{width}}  {word:<{words}}  {board.players}{late}"
        yield from (f"{'':{width + 4 + words}}{want}" for want in board.wants)
    for notice, numbers in _shared(playing).items():
        yield f"{'board' if len(numbers) == 1 else 'boards'} {ranges(numbers)}: {notice.what}"
        yield from (
            f"  {word}: {text}" for word, text in (("Likely cause", notice.cause), ("Next", notice.next_step)) if text
        )
    if free := [board.number for board in found.boards if board.doing == "free"]:
        yield f"no game in this round: {ranges(free)}"
    if (left := min((board.free_mb for board in playing if board.free_mb is not None), default=None)) is not None:
        yield f"free disk: at least {left} MB"


def _shared(boards: Sequence[CheckedBoard]) -> dict[TechnicalNotice, list[str]]:
    """Each notice with the boards that tell it: one of a whole computer is told by all of its boards."""
    told: dict[TechnicalNotice, list[str]] = {}
    for board in boards:
        for notice in board.notices:
            told.setdefault(notice, []).append(board.number)
    return told
