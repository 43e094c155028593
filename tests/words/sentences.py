"""Events as they are told in words."""

from typing import Any

from controller import contract as c
from controller.words.context import Contexts
from controller.words.say import say


def session(laws: c.Edition = "fide-2023", **fields: Any) -> c.Session:
    return c.Session(version=1, laws=laws, **fields)


def tell(*events: c.AnyEvent, code: str = "en", **fields: Any) -> list[str]:
    """Each event in one sentence, after those before it."""
    contexts, said = Contexts(session(**fields)), []
    for event in events:
        said.append(say(event, code, contexts.of(event)))
        contexts.of(event).apply(event)
    return said
