"""Plain words: every event, and the Laws themselves, as a club arbiter would say them, in English and in French.

The sentences stand in the gettext catalogues of `controller/locale/`, nowhere in the code: a message's context is the
kind of thing said, its id the contract's own word for it. A new language is one catalogue more.
"""

from typing import Literal, get_args

LanguageCode = Literal["en", "fr"]
LANGUAGES: tuple[LanguageCode, ...] = get_args(LanguageCode)
