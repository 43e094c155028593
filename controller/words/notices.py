"""Notices of the equipment, and what a ruling is refused for, in the language of who reads them.

They come in English from wherever something failed: a driver, an outlet, the daemon, the Laws. The catalogues have the
sentences with a placeholder for each thing that is named. What is found there is said in another language, the rest in
English.
"""

import re
from collections.abc import Iterator
from functools import cache

from controller.words import LanguageCode, refusals
from controller.words.language import language

# fmt: off
FORMS = (
    "a sensor flickers: {squares}",
    "a weak magnet, a piece off the middle of its square, or a loose wire",
    "exchange the piece; if that does not help, check the wire",
    "the sensors have denied the game for long: {squares}",
    "the game goes on without sensors that have denied it: {squares}",
    "a sensor that sticks, a piece that is not seen, or one still held in the hand",
    "look whether the pieces stand as the game has them; if they do, exchange the piece or mend the sensor",
    "{number} squares changed at one moment: {squares}",
    "a cable or a wire that came off, or pieces that were swept away",
    "push the cable in; until the pieces stand as the game has them, nothing is played",
    "more pieces than the game has came at one moment to the corners of rectangles: {squares}",
    "a matrix without diodes, or with a broken one: current goes around through three other pieces",
    "fit a diode at each switch; until the pieces stand as the game has them, nothing is played",
    "the board does not match the game: {squares}",
    "a piece knocked over or standing elsewhere, or a sensor that fails",
    "put the pieces back as the game has them",
    "the score stops after ply {ply}, and play goes on that it cannot follow",
    "an illegal move that nobody has put right",
    "a move that the sensors showed in part, and nothing has settled",
    "the game is paused, and the pieces are moved",
    "moves that the sensors did not show, or pieces set up for another game",
    "put the pieces back as the game has them, or keep the score by hand and give the result",
    "a press of the clock waits: the whole board has not been seen since",
    "the board is away, hangs, or shows what no hands have done",
    "see to the board; the press counts from when it was made",
    "no start position of chess960 stands on the board",
    "the start position is not on the board: {squares}",
    "pieces still to be set up; or, where a piece does stand, a magnet or sensor that fails",
    "set the pieces up; exchange a piece that is not seen",
    "the {device} has not answered for {time} ms",
    "a bus or a pin that hangs: a loose wire, or a device without power",
    "check wires and power; it goes on by itself when the device answers (dmesg | tail says what Linux saw)",
    "a cable that came off, or a device without power",
    "check cable and power; it goes on by itself when the device answers (dmesg | tail says what Linux saw)",
    "a defect in the driver",
    "report it with the log",
    "the port {port} cannot be opened: {reason}",
    "the board is not plugged in, another program holds the port, or the user may not use it",
    "the {kind} on {port} went away: {reason}",
    "the cable was pulled, or the board lost its power",
    "plug it in again; it goes on by itself",
    "what comes from {port} is not the language of a {kind}",
    "another device on that port, another kind of board, or a bad cable",
    "check type and port in [board]; unplug the board and plug it in again",
    "no {kind} answers on {port}",
    "another device on that port, a board that sleeps or is switched off, or one that hangs",
    "switch the board on; check the port in [board]; unplug the board and plug it in again",
    "the battery of the board is low: {percent} %",
    "it was not charged, or is old",
    "charge it",
    "the clock {failed}",
    "it is in another mode, or is none that can be told what to do",
    "choose its mode for a computer: 25 on a DGT 3000, 23 on a DGT XL",
    "what happens takes {time} s and more to reach the disk",
    "a slow or worn memory card, or much else that writes; nothing is sent before it is safe",
    "iostat -x 1; a better card, or the journal on a USB disk",
    "the daemon was held up for {time} s",
    "other programs keep the processors busy, or memory is short; clocks go by when things were sensed",
    "the machine was asleep for {time} s",
    "it was suspended; the chess clocks stood still, and no move was seen",
    "the time of day was set forward by {time} s",
    "the time of day was set back by {time} s",
    "the network's time (NTP) arrived, or somebody set it; the chess clocks run on by another clock",
    "timedatectl; dates of games before that may be wrong",
    "the time of day here is {time} s behind that of most computers of the hall",
    "the time of day here is {time} s ahead of that of most computers of the hall",
    "this computer does not get the network's time (NTP), or somebody has set its clock",
    "the times of day here and at board {board} are {time} s apart",
    "the times of day here and at boards {boards} are {time} s apart",
    "one of the two does not get the network's time (NTP); which of them cannot be known from here",
    "look at both: timedatectl",
    "{free} MB are free where the journal is",
    "the disk is nearly full; a game goes on in memory when it is",
    "the machine is {heat} °C warm",
    "no air, or a case without a fan; it will slow down",
    "give it air",
    "the supply's voltage is too low",
    "the supply's voltage was too low for a moment",
    "a supply or a cable that is too weak; the machine may stop at any moment",
    "use the supply made for this Pi, with a short cable",
    "{number} records wait to be sent by {outlet}, the first for {time} s",
    "whoever receives them is away or slow; all of them are kept",
    "see to the receiver; it goes on by itself",
    "{name} failed: {error}",
    "a defect",
    "the rules make something else of game {game} than the journal says, from record {record} on",
    "it was recorded by another version of jadoube",
    "compare with the scoresheets; the journal keeps both",
    "{file} cannot be written: {reason}",
    "the disk is full or read-only, or the folder belongs to another user",
    "the disk is full, read-only or failing; the game goes on and is kept in memory meanwhile",
    "another program wrote to it, or a defect; the game goes on and is kept in memory meanwhile",
    "make room, and leave the machine on until this is over: {command}",
    "look who has it open, and let jadoube alone write to it: {command}",
    "a failing card, or a change by another program or person",
    "let nobody touch its files while jadoube runs; if nobody did, exchange the card",
    "compare game and clocks with the board and the scoresheets; exchange the card after the round",
    "{file} cannot be read: {reason}",
    "the pairings are not written yet, or [event] pairings names another file",
    "no round was ever told at the broker",
    "no round is in force yet, or the broker may not tell us of it",
    "on the organiser's computer: jadoube hall round 1 FILE",
    "the broker {address} went away: {reason}",
    "it was stopped, or the network",
    "the broker {address} does not answer: {reason}",
    "it is not running, or [mqtt] host and port name another place",
    "the broker {address} refuses us: {reason}",
    "[mqtt] user and password_file are not those that the broker knows",
    "the broker {address} breaks off: {reason}",
    "it does not speak MQTT {version}, or [mqtt] tls says otherwise than the broker does",
    "the broker {address} passes on to nobody what we publish under {topic}",
    "the broker {address} passes on nothing to us any more",
    "somebody else says at the broker {address} that he is {topic}",
    "two daemons have one [event] venue and board, as on a copied card; or it is a forgery",
    "give each board a number of its own",
    "{address} cannot be listened to: {reason}",
    "another program, or another jadoube, has the port",
    "ports below 1024 are the system's",
    "choose a port of 1024 or more",
    "this machine has no such address",
    "the boards at {address} are out of reach: {reason}",
    "its daemon does not run, its page is for its own machine alone, or others names another address",
    "another secret in its hall_key_file?",
    "Lichess does not answer: {reason}",
    "no network, or Lichess is down",
    "Lichess does not take the game: {reason}",
    "Lichess refuses the game: {reason}",
    "this game has the same event, site, round, board and players as {other}: Lichess takes both for one",
    "give each game its round, board number and players: see Who plays in docs/feeds.md",
    "the webhook at {address} does not answer: {reason}",
    "the webhook at {address} does not take an alert: it answers {status}",
)
# fmt: on
"""The sentences, as the catalogues have them."""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What each form matches; those that say most themselves come first, for a placeholder stands for anything."""
    parts = {form: re.split(r"{(\w+)}", form) for form in (*FORMS, *refusals.FORMS)}
    order = sorted(parts, key=lambda form: -sum(map(len, parts[form][::2])))
    return tuple((form, re.compile("".join(_pieces(parts[form])))) for form in order)


def _pieces(parts: list[str]) -> Iterator[str]:
    for number, part in enumerate(parts):
        yield f"(?P<{part}>.+)" if number % 2 else re.escape(part)


def translated(sentence: str, code: LanguageCode) -> str:
    """A sentence of these in that language, or several that semicolons part; English where one is not known."""
    if code == "en" or not sentence:
        return sentence
    return _said(sentence.split("; "), code) or sentence


def _said(parts: list[str], code: LanguageCode) -> str | None:
    """These parts, of which one or more make a sentence; None where one of them is not known."""
    for length in range(1, len(parts)):
        first, rest = _whole("; ".join(parts[:length]), code), _said(parts[length:], code)
        if first is not None and rest is not None:
            return language(code).text("notice", "{first}; {rest}", first=first, rest=rest)
    return _whole("; ".join(parts), code)


def _whole(sentence: str, code: LanguageCode) -> str | None:
    for form, pattern in _patterns():
        if (found := pattern.fullmatch(sentence)) is not None:
            to, named = language(code), found.groupdict()
            if "san" in named:
                named["san"] = to.san(named["san"])
            return to.text("notice", form, **named)
    return None
