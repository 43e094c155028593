"""Plain words: every event, and the Laws themselves, as a club arbiter would say them.

The sentences stand in the gettext catalogues of `controller/locale/`, nowhere in the code: a message's context is the
kind of thing said, its id the contract's own word for it. A new language is one catalogue more.

events          ``say``: each in a sentence; ``context``: what was before it; ``touched``: which pieces, in what order
evidence        ``evidence``: measured, told, inferred; ``mate``: whether it was possible; ``record``: of a claim
rulings         ``options``: what is open to the arbiter; ``reports``: what he may report
the rest        ``language``: a catalogue, moves, times; ``clocks``: a time control; ``laws``: an edition
                ``notices``: equipment, and refusals
"""

from pathlib import Path

LanguageCode = str
"""`en`, and whatever else there is a catalogue of."""

LOCALE = Path(__file__).parents[1] / "locale"
LANGUAGES: tuple[LanguageCode, ...] = (
    "en",
    *sorted(source.parts[-3] for source in LOCALE.glob("*/LC_MESSAGES/jadoube.po") if source.parts[-3] != "en"),
)
