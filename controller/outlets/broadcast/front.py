"""What stands at ``/`` of a broadcast, for people: its rounds and games, and at which address each can be fetched."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from controller.outlets.broadcast.folder import round_in, rounds_in
from controller.words import LanguageCode
from controller.words.language import Language, language


def front_page(directory: Path, code: LanguageCode) -> str:
    """The page, of what is written in ``directory`` now."""
    to = language(code)
    title = escape(to.text("page", "broadcast"))
    body = "\n".join(_rounds(directory, to)) or _none(to)
    return (
        f'<!doctype html>\n<html lang="{code}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<h1>{title}</h1>\n{body}\n</html>\n"
    )


def _rounds(directory: Path, to: Language) -> Iterator[str]:
    """The last one first."""
    rounds = list(reversed(rounds_in(directory)))
    for name in ("games.pgn", "matches.bpgn"):
        if any((each.path / name).exists() for each in rounds):
            yield f"<p>{escape(to.text('page', 'broadcast-latest'))} {_link(name)}</p>"
    if (directory / "tournament.json").exists():
        yield f"<p>{escape(to.text('page', 'broadcast-cloud'))} {_link('tournament.json')}</p>"
    for each in rounds:
        folder = each.path
        names = [name for name in ("games.pgn", "matches.bpgn", "index.json") if (folder / name).exists()]
        if names:
            yield f"<h2>{escape(to.text('page', 'broadcast-round', round=each.name))}</h2>"
            yield f"<p>{' · '.join(_link(f'{folder.name}/{name}') for name in names)}</p>"
            yield from _games(folder, to)


def _none(to: Language) -> str:
    return f"<p>{escape(to.text('page', 'broadcast-none'))}</p>"


def _games(folder: Path, to: Language) -> Iterator[str]:
    games = [*_listed(folder, to)]
    yield from ("<ul>", *games, "</ul>") if games else (_none(to),)


def _listed(folder: Path, to: Language) -> Iterator[str]:
    for board, tags in round_in(folder).items():
        players = f"{tags.get('White', '?')} – {tags.get('Black', '?')}"
        place = to.text("page", "broadcast-board", board=str(board))
        link = _link(f"{folder.name}/game-{board}.pgn")
        yield f"<li>{escape(place)} {escape(players)} {escape(tags.get('Result', '*'))} {link}</li>"
    for path in sorted(folder.glob("match-*.bpgn")):
        yield f"<li>{_link(f'{folder.name}/{path.name}')}</li>"


def _link(path: str) -> str:
    return f'<a href="{escape(path)}">/{escape(path)}</a>'
