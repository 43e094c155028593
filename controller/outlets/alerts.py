"""What wants an arbiter, of all that happens: what the topic ``alert`` has, and whatever else calls one.
``docs/arbiter.md`` says what each means.
"""

from controller import contract as c

ALWAYS = (
    c.Violation,
    c.Illegal,
    c.Penalty,
    c.Displaced,
    c.Restored,
    c.Disbelieved,
    c.Stalled,
    c.Followed,
    c.Interrupted,
    c.Claimed,
    c.Flag,
    c.Ambiguous,
)

KINDS = (*ALWAYS, c.Result)
"""Kinds of events of which some want an arbiter at least."""


def wants_arbiter(event: c.AnyEvent | None) -> bool:
    """Whether that event does; a result does as long as it is not final."""
    return isinstance(event, ALWAYS) or (isinstance(event, c.Result) and event.status != "final")
