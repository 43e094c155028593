"""The words of the pages: labels, buttons, what a screen reader says. They stand in the catalogues, as all others."""

from functools import cache

from controller.contract import BLACK, WHITE
from controller.words import LanguageCode
from controller.words.language import language
from controller.words.reports import KINDS, sentence

# fmt: off
BOTH = (
    "heard", "lost", "board", "of-board", "set-up", "white", "black", "white-to-move", "black-to-move",
    "after-move", "no-moves", "moves", "clock-white", "clock-black", "clock-white-running",
    "clock-black-running", "point", "of-team", "stock", "empty-stock", "all-boards", "away", "find", "as-list",
    "none-found", "none-waits", "taken", "overview", "round",
    "idle", "count-boards", "count-idle", "count-expected", "count-playing", "count-over",
)
SPECTATORS = (
    *BOTH, "delayed", "delayed-end", "score-stands", "held-one", "held-more", "step-Home", "step-ArrowLeft",
    "step-ArrowRight", "step-End", "turn-board", "pgn", "pgn-last", "pgn-round", "share", "address", "copied",
    "beginning", "spent-on",
)
ARBITER = (
    *BOTH,
    "boards", "only-waiting", "only-mine", "only-seen", "count-waiting", "count-faults", "needs-you", "seen-on-all",
    "sound-on", "sound-off", "in-hand", "touched", "owed", "draw-offer", "nothing", "not-seen",
    "clocks-stand", "called", "called-elsewhere",
    "resume", "pause", "set-clock", "result", "undo", "undo-nothing", "undo-over", "result-sure", "result-instead",
    "other-results",
    "remarks", "witnesses", "conduct", "arrival", "claims", "written-move", "none-written",
    "noted", "tools", "new-game", "begin-next", "begin-sure", "before-the-game",
    "hours", "minutes", "seconds", "clock-at-zero", "reason", "apply", "cancel",
    "cases", "case", "nothing-open", "closed-cases", "ends-sure", "ends-if-right", "later-moves", "keep-the-clocks",
    "clocks-since",
    "measured", "told", "inferred", "evidence", "time-line", "lane", "open-from-to", "open-since", "open-until",
    "open-throughout", "stood", "pressed-at",
    "seen", "by-word", "warnings", "counter", "replaced",
    "restore", "restore-alt", "restore-clocks", "set-these-clocks",
    "refused", "not-sent", "awaited", "settled-already", "report", "reported", "king-and-queen",
    "neutralise", "neutralise-sure", "correct", "correct-sure", "which-move", "missing-move", "played", "choose-move",
    "none-played", "no-more-moves", "may-have-been", "legal-moves", "in-place-of", "nothing-replaced",
    "resume-anyway", "resume-unrestored",
)
# fmt: on
"""The ids of the labels that the scripts of each page use; what stands in the page itself is asked for there."""
OF_KINDS = ("score-", "state-", "outcome-", "report-")
"""How the other labels of the arbiter's page begin: each result, report, state and outcome of a case has its own."""


@cache
def label(code: LanguageCode, key: str) -> str:
    return language(code).text("page", key)


def of_spectators(code: LanguageCode) -> dict[str, str]:
    """The labels of the spectators' page, by their ids."""
    return {key: label(code, key) for key in SPECTATORS}


@cache
def of_arbiter(code: LanguageCode) -> dict[str, str]:
    """The labels of the arbiter's page, and what its reports are made of: the sentences of the record, with who and
    what may stand in them.
    """
    to = language(code)
    of_kinds = [key for key in language("en").ids("page") if key.startswith(OF_KINDS)]
    said = {key: label(code, key) for key in (*ARBITER, *of_kinds)}
    said |= {f"report-{kind}": sentence(kind, to) for kind in KINDS}
    for side in (WHITE, BLACK):
        said |= {f"side-{side}": to.text("side", side), f"of-{side}": to.text("side of", side)}
    said |= {f"claim-{of}": to.text("claim", of) for of in language("en").ids("claim")}
    said |= {f"piece-{symbol}": to.piece(symbol) for symbol in "QRBNPqrbnp"}
    return said | {"that-move": to.text("violation", "that move")}
