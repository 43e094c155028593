"""The figures of a hall beyond one machine, each measured in a hall of its own: what the JSON lines say."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
from msgspec import Struct

from load.compared import Compared, share
from load.house import PATIENCE_S, ROOT, House, run_cli, run_module
from load.shown import late_ms

SETTLE_S = 12.0  #: until all boards play: they begin within ten seconds
COMMANDED = 12  #: boards that are given commands
APART_S = 20.0  #: between a node that is back and the next one that is killed
WINDOW_S = 10.0  #: after a kill: what was told then counts

Line = dict[str, Any]


class Asked(Struct, kw_only=True):
    """How much is to be measured."""

    boards: int
    events: float  #: a second, of all boards
    seconds: float  #: of even play
    rounds: int  #: nodes killed
    lost_s: float  #: without a quorum
    cut_s: float  #: that boards are cut off
    shown: bool  #: on the hall's pages, too


def even(asked: Asked) -> Iterator[Line]:
    """Games on all boards, and nothing happens."""
    with House(asked.boards, asked.events, shown=asked.shown) as house:
        house.tell("play")
        time.sleep(SETTLE_S)
        watch, before = house.watch(), house.archived()
        time.sleep(asked.seconds)
        took, after = watch.look(), house.archived()
        did = house.stop()
        found = house.compared()
        shown = _press_to_page(*_heard_by_page(house)) if asked.shown else {}
        yield {
            "name": f"hall: {asked.boards} boards, {asked.seconds / 60:.0f} minutes",
            "figure": round((after - before) / asked.seconds),
            "goal": 1000,
            "unit": "events a second, archived",
            **_press_to_row(found),
            **shown,
            "goal_p50_ms": 100,
            "goal_p99_ms": 2000,
            "connected_s": round(house.connected_s, 1),
            **did,
            **found.counts,
            **took,
        }


def nodes(asked: Asked) -> Iterator[Line]:
    """Each node is killed in turn, while somebody commands."""
    with House(asked.boards, asked.events, shown=asked.shown) as house:
        orders = house.folder / "orders"
        hosts = ["--hosts", *house.nodes.mqtt]
        some = range(1, COMMANDED + 1)
        commander = run_module("load.commander", orders, "--boards", *some, *hosts, stderr=subprocess.DEVNULL)
        try:
            house.tell("play")
            time.sleep(SETTLE_S)
            watch, kills = house.watch(), list[float]()
            for turn in range(asked.rounds):
                node = house.nodes.nodes[turn % 3]
                kills.append(time.time())
                node.kill()
                time.sleep(WINDOW_S)
                node.start()
                time.sleep(APART_S)
            took = watch.look()
        finally:
            commander.kill()
        did = house.stop()
        found = house.compared()
        shown = _page_around(kills, *_heard_by_page(house)) if asked.shown else {}
        commands = [json.loads(line) for line in orders.read_text().splitlines()]
        after = [each for each in commands if any(0 <= each["given"] - kill <= WINDOW_S for kill in kills)]
        delays = [_told_within(found, kill - 1, kill + WINDOW_S) for kill in kills]
        yield {
            "name": f"hall: {asked.boards} boards, a node of three killed {asked.rounds} times",
            "figure": round(max((each[-1] for each in delays if each), default=0.0), 2),
            "goal": 2.0,
            "unit": "s until an event told around a kill was archived, the longest of all boards",
            "event_p50_s": round(share([each for some in delays for each in some], 50), 2),
            "event_p99_s": round(share([each for some in delays for each in some], 99), 2),
            "worst_by_round_s": [round(each[-1], 2) for each in delays if each],
            **shown,
            "commands": len(after),
            "command_p50_s": round(share([each["took_s"] for each in after], 50), 2),
            "command_worst_s": round(max((each["took_s"] for each in after), default=0.0), 2),
            "goal_command_s": 1.0,
            "commands_given_again": sum(each["given_times"] > 1 for each in after),
            **did,
            **found.counts,
            **took,
        }


def quorum(asked: Asked) -> Iterator[Line]:
    """Two nodes of three are gone for a while; then some boards are."""
    with House(asked.boards, asked.events) as house:
        house.tell("play")
        time.sleep(SETTLE_S)
        watch = house.watch()
        gone = time.time()
        for node in house.nodes.nodes[:2]:
            node.kill()
        time.sleep(asked.lost_s)
        first, second = house.nodes.nodes[:2]
        first.start()
        back = time.time()  # two of three
        second.start()
        time.sleep(60)
        for number in range(1, 11):
            house.tell("cut", number, asked.cut_s)
        time.sleep(asked.cut_s)
        plugged_in = time.time()
        time.sleep(60)
        took = watch.look()
        did = house.stop()
        found = house.compared()
        yield {
            "name": f"hall: {asked.boards} boards, no quorum for {back - gone:.0f} s",
            "figure": _caught_up(found, gone, back),
            "goal": 30,
            "unit": "s until all told before was archived",
            **found.counts,
            **did,
            **took,
        }
        yield {
            "name": f"hall: ten boards cut off for {asked.cut_s:.0f} s",
            "figure": _caught_up(found, plugged_in - asked.cut_s, plugged_in, boards=10),
            "goal": 30,
            "unit": "s until all told before was archived",
            **found.counts,
        }


def late(asked: Asked) -> Iterator[Line]:
    """A receiver comes late, and then another archive, of which no queue knew."""
    with House(asked.boards, asked.events) as house:
        house.tell("play")
        time.sleep(SETTLE_S + asked.seconds)
        count = min(20, asked.boards)
        receiver = run_module("load.latecomer", count, house.nodes.mqtt[0])
        assert receiver.stdout is not None
        said = json.loads(receiver.stdout.readline())
        with psycopg.connect(house.url) as base:
            ask = "SELECT count(*) FROM event WHERE board = %s AND seq <= %s"
            rows = {n: base.execute(ask, (f"board/{n}", last)).fetchone() for n, (_, last) in said["boards"].items()}
        yield {
            "name": f"hall: a receiver of {count} boards comes late, nothing retained",
            "figure": said["took_s"],
            "goal": 15,
            "unit": "s until it had all of the games in progress",
            "complete": said["complete"],
            "events": sum(have for have, _ in said["boards"].values()),
            "otherwise_than_archived": sum(rows[n] != (have,) for n, (have, _) in said["boards"].items()),
        }
        house.forget_archive()
        watch, began_s, began = house.watch(), time.monotonic(), time.time()
        house.begin_archiving()
        while not house.is_whole(since=began) and time.monotonic() - began_s < PATIENCE_S:
            time.sleep(0.5)
        took_s = time.monotonic() - began_s
        took = watch.look()
        house.stop()
        yield {
            "name": f"hall: an archive of {asked.boards} boards comes late",
            "figure": round(took_s, 1),
            "goal": 15,
            "unit": "s until it had all of the games in progress",
            **house.compared().counts,
            **took,
        }


def altered(_: Asked) -> Iterator[Line]:
    """Whole journals against the archive; then one row of it is changed."""
    with House(24, 600, games=24) as house:
        house.tell("play")
        time.sleep(SETTLE_S + 45)
        house.stop()
        found = house.compared()
        journals = sorted(house.journals.glob("*.sqlite"), key=lambda each: int(each.stem))
        check = ["archive", "check", "--config", str(house.config), *map(str, journals)]
        before = run_cli(*check)
        with psycopg.connect(house.url) as base:
            row = base.execute(
                "UPDATE event SET body = jsonb_set(body, '{square}', '\"a1\"') WHERE (origin, board, seq) ="
                " (SELECT origin, board, seq FROM event WHERE type = 'touch' AND board = 'board/3'"
                " ORDER BY seq LIMIT 1 OFFSET 9) RETURNING seq"
            ).fetchone()
        assert row is not None
        after = run_cli(*check)
        named = [line for line in (after.stdout + after.stderr).splitlines() if str(row[0]) in line]
        yield {
            "name": "hall: one altered row among those of 24 journals",
            "figure": int(bool(named) and after.returncode == 1),
            "goal": 1,
            "unit": "named",
            "whole_before": before.returncode == 0,
            "said": named[:1],
            **found.counts,
        }


def cost(asked: Asked) -> Iterator[Line]:
    """Of a board, by how many there are; each tells as many events a second."""
    each_s = asked.events / asked.boards
    measured: list[tuple[int, Line, int]] = []
    for boards in (100, 300, 1000):
        with House(boards, boards * each_s, shown=asked.shown) as house:
            house.tell("play")
            time.sleep(SETTLE_S)
            watch, before = house.watch(), house.archived()
            time.sleep(asked.seconds)
            took, events = watch.look(), house.archived() - before
            house.stop()
            found = house.compared()
        measured.append((boards, took, events))
        parts = [part for part in took["mb"] if part != "generator"]
        line = {
            "name": f"hall: what {boards} boards cost",
            "figure": round(1000 * sum(took["cpu_s"][part] for part in parts) / events, 2),
            "unit": "s of processor for 1,000 events",
            "by_part": {part: round(1000 * took["cpu_s"][part] / events, 2) for part in parts},
            "mb_a_board": {part: round(took["mb"][part] / boards, 2) for part in parts},
            "events_s": round(events / asked.seconds),
            **_press_to_row(found),
            **found.counts,
            **took,
        }
        if len(measured) > 1:
            (fewer, less, few), (more, much, many) = measured[-2:]
            line["one_board_more"] = {
                part: {
                    "cpu_s_per_1000_events": round(
                        1000 * (much["cpu_s"][part] - less["cpu_s"][part]) / (many - few), 2
                    ),
                    "mb": round((much["mb"][part] - less["mb"][part]) / (more - fewer), 2),
                }
                for part in parts
            }
        yield line


FIGURES: dict[str, Callable[[Asked], Iterator[Line]]] = {
    "even": even,
    "nodes": nodes,
    "quorum": quorum,
    "late": late,
    "altered": altered,
    "cost": cost,
}


def archive_killed(kills: int, databases: int) -> Line:
    """By ``tests/faults/archive.py``, which has a hall of its own."""
    given = ["--kills", str(kills), "--databases", str(databases)]
    found: Line = json.loads(run_cli(*given, program=ROOT / "tests" / "faults" / "archive.py").stdout)
    return found | {"figure": found["missing"] + found["invented"] + found["altered"], "goal": 0, "unit": "events"}


def _press_to_row(found: Compared) -> Line:
    return {
        "press_to_row_p50_ms": round(share(found.delay_us, 50) / 1000, 1),
        "press_to_row_p99_ms": round(share(found.delay_us, 99) / 1000, 1),
        "press_to_row_worst_ms": round(share(found.delay_us, 100) / 1000, 1),
    }


def _heard_by_page(house: House) -> tuple[list[tuple[int, float]], int]:
    """Of each move when it was told, in ns, and how late a spectator saw it, in ms; and how many he never saw."""
    before, end_s = -1, time.monotonic() + PATIENCE_S
    while (size := house.heard.stat().st_size) != before and time.monotonic() < end_s:
        before = size
        time.sleep(5)  # the pages may be behind the archive
    return late_ms(house.log, house.heard)


def _press_to_page(late: list[tuple[int, float]], missed: int) -> Line:
    delays = [delay for _, delay in late]
    return {
        "press_to_page_p50_ms": round(share(delays, 50), 1),
        "press_to_page_p99_ms": round(share(delays, 99), 1),
        "moves_shown": len(late),
        "moves_never_shown": missed,
    }


def _page_around(kills: list[float], late: list[tuple[int, float]], missed: int) -> Line:
    """How late, at most, a spectator saw a move that was told around a kill."""
    around = [ms for at, ms in late if any(-1 <= at / 1e9 - kill <= WINDOW_S for kill in kills)]
    return {"page_worst_s": round(max(around, default=0.0) / 1000, 2), "goal_page_s": 5.0, "moves_never_shown": missed}


def _told_within(found: Compared, begin: float, end: float) -> list[float]:
    """How long what was told then took, in s, in order; times in seconds since 1970."""
    told = zip(found.told_us, found.delay_us, strict=True)
    return sorted(delay / 1e6 for at, delay in told if begin * 1e6 <= at < end * 1e6)


def _caught_up(found: Compared, begin: float, end: float, boards: int = 10**9) -> float:
    """How long after ``end`` all was archived that these boards told from ``begin`` to ``end``; in s."""
    rows = zip(found.told_us, found.board, found.delay_us, strict=True)
    last = max((at + delay for at, board, delay in rows if begin <= at / 1e6 < end and board <= boards), default=0)
    return round(max(0.0, last / 1e6 - end), 1)
