"""Languages that refuse what their catalogue does not have, where the real ones fall back on the contract's word."""

import gettext
from collections.abc import Iterator
from typing import NoReturn

import pytest

from controller.words import LANGUAGES, say
from controller.words.language import Language


class Missing(gettext.NullTranslations):
    def pgettext(self, context: str, message: str) -> NoReturn:
        raise AssertionError(f"the catalogue has no message {message!r} in the context {context!r}")


@pytest.fixture(params=LANGUAGES)
def to(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """Each language, strict, in place of the one that sentences are made with."""
    strict = Language(request.param)
    strict.catalogue.add_fallback(Missing())
    monkeypatch.setattr(say, "language", lambda _: strict)
    return strict
