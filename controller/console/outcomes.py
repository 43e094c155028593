"""The page of the results, for the organiser and the chief arbiter: a row each, in which one is given by hand."""

import html
from collections.abc import Iterator, Mapping
from datetime import datetime
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from controller.console.access import name_of
from controller.console.answers import Templates, language_of, nobody
from controller.console.guard import FRESH, SAFE
from controller.console.hub import Hub
from controller.console.signing import Asker, Signing
from controller.console.tournament import TAKE_BACK, ShownResults, Tournament
from controller.console.words import label
from controller.contract import POINTS, Score
from controller.errors import JadoubeError
from controller.tournament.results import GameOutcome
from controller.words import LanguageCode
from controller.words.language import language
from controller.words.notices import in_one

SIGNS: dict[Score, str] = {"1/2-1/2": "½-½", "1/2-0": "½-0", "0-1/2": "0-½"}


class Outcomes:
    """The handlers of that page."""

    def __init__(
        self, tournament: Tournament, signing: Signing, templates: Templates, hubs: Mapping[LanguageCode, Hub]
    ) -> None:
        """``hubs``: where the page hears that there is more."""
        self._tournament = tournament
        self._signing = signing
        self._templates = templates
        self._hubs = hubs

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/arbiter/results", self.page),
            Route("/arbiter/results.zip", self.export),
            Route("/arbiter/results/{table}", self.give, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        asker = await self._asker(request)
        if asker is None:
            return RedirectResponse("/arbiter", 303, headers=SAFE | FRESH)
        return await self._show(request)

    async def give(self, request: Request) -> Response:
        asker = await self._asker(request)
        if asker is None:
            return nobody(await self._signing.asker(request) is not None)
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        result, reason = (form.get(field, [""])[0] for field in ("result", "reason"))
        number = _number(form.get("round", [""])[0]) or 0
        try:
            await self._tournament.give(request.path_params["table"], result, number, name_of(reason), asker.by)
        except JadoubeError as error:
            return await self._show(request, error, number)
        return RedirectResponse(f"/arbiter/results?round={number}", 303, headers=SAFE | FRESH)

    async def export(self, request: Request) -> Response:
        if await self._asker(request) is None:
            return nobody(await self._signing.asker(request) is not None)
        number = _number(request.query_params.get("round", "")) or 0
        try:
            packed = await self._tournament.export(number, language_of(request))
        except JadoubeError as error:
            return await self._show(request, error)
        named = {"Content-Disposition": f'attachment; filename="round-{number}.zip"'}
        return Response(packed, headers=SAFE | FRESH | named, media_type="application/zip")

    async def _asker(self, request: Request) -> Asker | None:
        """Who asks, if he has a device on which he may."""
        asker = await self._signing.asker(request)
        return asker if asker is not None and asker.device is not None and asker.may.results else None

    async def _show(self, request: Request, refused: JadoubeError | None = None, number: int | None = None) -> Response:
        code, wanted = language_of(request), number or _number(request.query_params.get("round", ""))
        as_of = language(code).text("page", "results-at", time=f"{datetime.now():%H:%M:%S}")
        fields = {"occasion": "", "round": "", "as_of": as_of, "since": self._hubs[code].last}
        rows = rounds = ""
        try:
            results = await self._tournament.results(wanted)
        except JadoubeError as error:
            refused = refused or error
        else:
            said = language(code).text("page", "round", number=str(results.round))
            fields |= {"occasion": f"{results.event} · {said}".strip(" ·"), "round": str(results.round)}
            rows = "".join(_rows(results, code))
            rounds = " ".join(_rounds(results))
        fields["trouble"] = "" if refused is None else in_one((refused.what, refused.next_step), code)
        status = 200 if refused is None else 409
        markup = {"result_rows": rows, "rounds": rounds}
        query = "" if wanted is None else f"?round={wanted}"
        return self._templates.listing(request, "results", fields, markup, status, query)


def _rounds(results: ShownResults) -> Iterator[str]:
    for number in results.rounds:
        here = ' aria-current="page"' if number == results.round else ""
        yield f'<a class="plain" href="/arbiter/results?round={number}"{here}>{number}</a>'


def _rows(results: ShownResults, code: LanguageCode) -> Iterator[str]:
    for outcome in results.games:
        pairing = outcome.pairing
        if pairing.black is None:
            continue
        cells = (pairing.table, pairing.white.full_name, pairing.black.full_name)
        shown = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        yield f"<tr>{shown}<td>{_result(outcome, code)}</td><td>{_form(outcome, results.round, code)}</td></tr>"


def _result(outcome: GameOutcome, code: LanguageCode) -> str:
    """The result that holds, why, and what the board and the pairing program have, where that is another one."""
    result, to = outcome.pairing.result, language(code)
    if result is None:
        return f'<span class="quiet">{html.escape(to.text("page", "no-result"))}</span>'
    why = [to.text("reason", outcome.reason)] if outcome.reason else []
    why += [to.text("page", "by-hand")] if outcome.source == "hand" else []
    for who, other in (("board-has", outcome.board), ("program-has", outcome.program)):
        if other not in (None, result):
            why.append(to.text("page", who, result=sign(other)))
    return f"<strong>{sign(result)}</strong> <small>{html.escape(', '.join(why))}</small>"


def _form(outcome: GameOutcome, number: int, code: LanguageCode) -> str:
    table = outcome.pairing.table
    offered: dict[str, str] = {score: label(code, f"score-{score}") for score in POINTS}
    if outcome.source == "hand":
        offered[TAKE_BACK] = label(code, TAKE_BACK)
    options = "".join(f'<option value="{each}">{html.escape(said)}</option>' for each, said in offered.items())
    choose, reason, give = (html.escape(label(code, key)) for key in ("by-hand-give", "reason", "give"))
    return (
        f'<details><summary>{choose}</summary><form method="post" action="/arbiter/results/{quote(table, safe="")}">'
        f'<input type="hidden" name="round" value="{number}">'
        f'<select name="result" required aria-label="{choose}"><option value="">–</option>{options}</select>'
        f'<input name="reason" maxlength="60" autocomplete="off" placeholder="{reason}" aria-label="{reason}">'
        f"<button>{give}</button></form></details>"
    )


def sign(result: Score | None) -> str:
    """A result as people write it."""
    return "" if result is None else SIGNS.get(result, result)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None
