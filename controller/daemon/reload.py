"""The configuration of a hall read again while games are played: what of it can be taken over, and what cannot."""

from msgspec.structs import replace

from controller.config import Config, HallConfig, Setup, TableSetup
from controller.daemon.named_outlets import own
from controller.errors import ConfigError
from controller.outlets.notices import Notices

NAME = "configuration"  #: of its notices
PENDING = "change"  #: of that of a board whose game is in the way
LOOK_S = 1.0  #: so often it is looked whether a game in the way is over

FIXED = ("mqtt", "metrics", "console", "journal")  #: the tables that are read when the daemon starts


def same(before: TableSetup, now: TableSetup | None) -> bool:
    """Whether nothing was changed of a table; what is opened once for all of them is none of it."""
    return now is not None and own(before) == own(now)


def exchanged(before: TableSetup, now: TableSetup | None) -> bool:
    """Whether it is the same table with another board in its place, on which a game can go on: it is taken up there as
    after a restart."""
    if not isinstance(before, Config) or not isinstance(now, Config) or now.senses != before.senses:
        return False
    return same(replace(before, board=now.board, clock=now.clock), now)


def pend(before: TableSetup, now: TableSetup | None, notices: Notices) -> None:
    """Says that a table goes on as it is until its game is over."""
    if now is None:
        what, cause = "this board leaves once its game is over", "it is not in the configuration any more"
    elif now.senses != before.senses:
        what = "another board is to take over here, and does so only once this game is over"
        cause = "it sees other things of the pieces than the one that this game is played on"
    else:
        what = "what was changed of this board takes effect once its game is over"
        cause = "the configuration was read again in mid-game"
    notices.set(PENDING, ConfigError(what, cause, "leave the board plugged in on which it is played"))


def checked(before: Setup, now: Setup, notices: Notices) -> Setup:
    """What the daemon goes on with: ``now``, but for what takes effect at the next start, of which a notice tells.

    Raises :exc:`ConfigError` where that is no configuration of a hall, or of another place.
    """
    if not isinstance(now, HallConfig) or now.event.venue != before.event.venue:
        raise ConfigError(
            "the configuration that was read again is of something else",
            "it has no [[boards]] any more, or [event] venue is another one",
            "put it right and reload; or restart, once no game is played",
        )
    other = [name for name in FIXED if getattr(now, name) != getattr(before, name)]
    if other:
        notices.set(
            NAME,
            ConfigError(
                f"what [{'], ['.join(other)}] says now takes effect at the next start",
                "the configuration was read again while the daemon runs",
                "systemctl restart jadoube, once no game is played",
            ),
        )
    else:
        notices.clear(NAME)
    return replace(now, **{name: getattr(before, name) for name in FIXED})
