"""What an arbiter is offered to report goes on record with the clause that he was told, in every edition."""

from typing import get_args

import pytest

from controller import contract as c
from controller.game import Game
from controller.words.language import language
from controller.words.reports import KINDS, offered

OF_A_MATCH = ("hidden-stock", "mislaid-stock")


@pytest.mark.parametrize("edition", get_args(c.Edition))
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in OF_A_MATCH])
def test_the_clause_offered_is_the_clause_recorded(kind: str, edition: c.Edition) -> None:
    session = c.Session(version=1, laws=edition, clock="5400", senses="identity")
    game = Game(session)
    game.handle(c.Lift(ms=1000, square="e2"))
    game.handle(c.Place(ms=1500, square="e4", piece="P"))
    game.handle(c.Press(ms=3000, side="white"))
    events = game.handle(c.Arbiter(ms=4000, do="report", side="white", kind=kind))
    recorded = [article for event in events if (article := getattr(event, "article", None))]
    assert language("en").clause(recorded[0]) == offered(session, language("en"))[kind].clause


def test_of_a_stock_only_a_match_tells() -> None:
    alone, match = c.Session(version=1), c.Session(version=1, match="bughouse")
    en = language("en")
    assert set(offered(match, en)) - set(offered(alone, en)) == set(OF_A_MATCH)
    assert offered(match, en)["hidden-stock"].clause == "Article 16"
