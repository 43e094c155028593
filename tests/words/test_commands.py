"""``jadoube explain`` and ``jadoube laws``, run as a person runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SESSION = {"type": "session", "version": 1, "laws": "fide-2023", "clock": "5400+30"}
#: White touches the knight, plays the pawn, presses; Black calls the arbiter, who upholds.
BREACH = [
    {"ms": 1000, "type": "lift", "square": "g1"},
    {"ms": 2000, "type": "place", "square": "g1"},
    {"ms": 3000, "type": "lift", "square": "e2"},
    {"ms": 4000, "type": "place", "square": "e4"},
    {"ms": 5000, "type": "press", "side": "white"},
    {"ms": 6000, "type": "pause", "side": "black"},
    {"ms": 7000, "type": "arbiter", "do": "uphold"},
]


def log(*lines: dict[str, object]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def jadoube(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli.main", *arguments]
    return subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=60)


def test_explain_tells_a_breach_from_the_touch_to_the_ruling() -> None:
    done = jadoube("explain", "-", given=log(SESSION, *BREACH))
    assert (done.returncode, done.stderr) == (0, "")
    told = [line.split("  ", 1)[1] for line in (line.strip() for line in done.stdout.splitlines())]
    story = [
        "White touches the white knight on g1.",
        "White must move the touched piece (Article 4.3.1): Nf3 or Nh3;",
        "White plays 1. e4.",
        "White played e4 although a touched piece called for another move (Article 4.3.1);",
        "White has completed e4,",
        "Black stops the clocks.",
        "The arbiter upholds what has awaited a ruling longest.",
        "The move e4 is taken back,",
    ]
    at = [next(i for i, line in enumerate(told) if line.startswith(sentence)) for sentence in story]
    assert at == sorted(at)


def test_explain_judges_under_the_edition_asked_for_in_the_language_asked_for(tmp_path: Path) -> None:
    (tmp_path / "breach.jsonl").write_text(log(SESSION, *BREACH))
    done = jadoube("explain", tmp_path / "breach.jsonl", "--laws", "fide-2014", "--language", "fr")
    assert done.returncode == 0
    assert "Les Blancs doivent déplacer la pièce touchée (article 4.3a)" in done.stdout
    assert "4.3.1" not in done.stdout


def test_an_event_log_is_told_as_its_session_log_is_but_for_moves_from_a_position_that_it_does_not_tell() -> None:
    judged = jadoube("replay", "-", given=log(SESSION, *BREACH)).stdout
    read, told = (jadoube("explain", "-", given=given) for given in (judged, log(SESSION, *BREACH)))
    assert read.returncode == 0
    assert "move required: g1-f3 or g1-h3" in read.stdout
    of_events = [line for line in told.stdout.splitlines() if "The arbiter upholds" not in line]
    of_events = [line for line in of_events if "Black stops the clocks." not in line]
    assert read.stdout.replace("g1-f3", "Nf3").replace("g1-h3", "Nh3").splitlines() == of_events


def test_a_press_tells_the_times_once_and_what_it_does_not_tell_is_told_after_it() -> None:
    told = [line.strip() for line in jadoube("explain", "-", given=log(SESSION, *BREACH)).stdout.splitlines()]
    shown = [line.split("  ")[1] for line in told if "clocks show" in line]
    assert shown == [
        "The clocks show 1:30:30 for White and 1:30:30 for Black, and White's time is running.",
        "White has completed e4, and the clocks show 1:30:55 for White and 1:30:30 for Black.",
        "The clocks show 1:30:55 for White and 1:30:29 for Black, and are stopped.",
    ]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "en",
            [
                "Arbiter Eva upholds what was told at 4.4 s (White played e4 although a touched piece called for"
                " another move (Article 4.3.1)); in the arbiter's words: “he touched it”; seen by Ben.",
                "Arbiter Eva sets the clocks.",
                "Arbiter Eva resumes play.",
            ],
        ),
        (
            "fr",
            [
                "L’arbitre Eva retient le fait signalé à 4,4 s (Les Blancs ont joué e4 alors qu’une pièce touchée"
                " exigeait un autre coup (article 4.3.1))\u00a0; selon"
                " l’arbitre\u00a0: «\u00a0he touched it\u00a0»\u00a0; témoins\u00a0: Ben.",
                "L’arbitre Eva règle les pendules.",
                "L’arbitre Eva fait reprendre la partie.",
            ],
        ),
    ],
)
def test_explain_tells_who_ruled_what_and_his_words(code: str, said: list[str]) -> None:
    words = {"text": "he touched it", "witnesses": ["Ben"]}
    ruled = [
        {"ms": 7000, "type": "arbiter", "do": "uphold", "answers": "1", "by": "Eva", **words},
        {"ms": 8000, "type": "arbiter", "do": "set-clock", "white_ms": 60_000, "black_ms": 60_000, "by": "Eva"},
        {"ms": 9000, "type": "arbiter", "do": "resume", "insist": False, "by": "Eva"},
    ]
    done = jadoube("explain", "-", "--language", code, given=log(SESSION, *BREACH[:-1], *ruled))
    assert done.returncode == 0
    told = [line.strip().split("  ", 1)[1] for line in done.stdout.splitlines()]
    assert [line for line in told if "Eva" in line] == said
    ruling, clocks = told.index(said[1]), told[told.index(said[1]) + 1]
    assert "0:01:00" in clocks, "what came of it follows"
    assert ruling < told.index(said[2])


def test_explain_tells_what_players_said_in_its_order() -> None:
    given = [
        *BREACH[2:5],
        {"ms": 6000, "type": "draw", "side": "white", "act": "offer"},
        {"ms": 6500, "type": "draw", "side": "black", "act": "decline"},
        {"ms": 7000, "type": "adjust", "side": "black"},
        {"ms": 8000, "type": "claim", "side": "black", "of": "threefold", "move": "e7e5", "by": "Eva"},
        {"ms": 9000, "type": "resign", "side": "black"},
    ]
    told = jadoube("explain", "-", given=log(SESSION, *given)).stdout.splitlines()
    assert [line.strip().split("  ")[1] for line in told if line.strip().split()[0] in ("6.0", "6.5", "7.0")] == [
        "White offers a draw.",
        "Black declines the draw.",
        'Black says "j\'adoube".',
    ]
    claimed, verdict = [line.strip().split("  ")[1] for line in told if line.strip().startswith("8.0")][:2]
    assert claimed == "Black claims a draw by threefold repetition, with e5 written down; entered by Eva."
    assert verdict.startswith("Black claims a draw by threefold repetition, and the claim is rejected")
    resigned, _, over = [line.strip().split("  ")[1] for line in told if line.strip().startswith("9.0")]
    assert (resigned, over.split(":")[0]) == ("Black resigns.", "The game is over")


def test_what_a_move_may_have_been_instead_is_told_of_either_log() -> None:
    """Only where it left is seen of a capture: it may have taken on either side."""
    board = SESSION | {"fen": "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"}
    given = log(board, {"ms": 1000, "type": "lift", "square": "e4"}, {"ms": 3000, "type": "press", "side": "white"})
    judged = jadoube("replay", "-", given=given).stdout
    told, read = (jadoube("explain", "-", given=each).stdout for each in (given, judged))
    assert "it was not seen whole, and is as likely as not; else exd5 (as likely)" in told
    assert "it was not seen whole, and is as likely as not; else e4-d5 (as likely)" in read


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("", "standard input, line 1: malformed log: expected a session line or an event, found nothing"),
        ("\n\nno JSON\n", "standard input, line 3: malformed session line"),
        (log(SESSION, {"ms": 5, "type": "lift", "square": "z9"}), "standard input, line 2: malformed input"),
        (log({"ms": 5, "type": "flag", "side": "white"}, {"ms": 9, "type": "flag"}), "line 2: malformed event"),
    ],
)
def test_a_malformed_log_is_refused_with_its_line(given: str, complaint: str) -> None:
    done = jadoube("explain", "-", given=given)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Likely cause: " in done.stderr
    assert "Next: " in done.stderr


def test_what_came_before_a_malformed_line_has_been_told() -> None:
    done = jadoube("explain", "-", given=log(SESSION, *BREACH[:4]) + "{}\n")
    assert done.returncode == 2
    assert "White plays 1. e4." in done.stdout


def test_a_log_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = jadoube("explain", tmp_path / "absent.jsonl")
    assert done.returncode == 2
    assert f"{tmp_path}/absent.jsonl: No such file or directory" in done.stderr
    assert f"Next: ls -l {tmp_path}" in done.stderr


def test_laws_prints_the_rules_with_their_clauses_and_how_they_bind_the_play() -> None:
    done = jadoube("laws", "--edition", "fide-2018", "--play", "blitz", "--unsupervised")
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert "FIDE Laws of Chess of 2018, blitz, without full supervision" in done.stdout
    assert any(words[:2] == ["4.3.1", "Own"] for words in lines)
    assert any(words[:5] == ["B.2", "Penalty", "for", "illegal", "moves:"] for words in lines)


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", ("Three minutes for each player", "counted aloud")), ("fr", ("Trois minutes par joueur", "à haute voix"))],
)
def test_laws_prints_the_articles_of_a_match_before_those_that_bind_each_game(code: str, said: tuple[str, str]) -> None:
    done = jadoube("laws", "--edition", "fide-2005", "--play", "blitz", "--unsupervised", "--match", "--language", code)
    lines = [line.split(None, 1) for line in done.stdout.splitlines()]
    rows = {words[0]: words[1] for words in reversed(lines) if len(words) == 2}
    assert done.returncode == 0
    assert rows["2"].startswith(said[0])
    assert said[1] in rows["19"]
    assert "16" in rows


def test_laws_prints_row_by_row_what_differs_between_two_editions() -> None:
    done = jadoube("laws", "--diff", "fide-2014", "fide-2018", "--language", "fr")
    assert done.returncode == 0
    assert "fide-2014" in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()]
    assert any("7.5.4" in words and "mains" in words for words in lines)
    assert not any("Échec" in words for words in lines)


def test_an_edition_that_does_not_exist_is_refused_with_those_that_do() -> None:
    done = jadoube("laws", "--edition", "fide-1997")
    assert done.returncode == 2
    assert "fide-2005" in done.stderr
