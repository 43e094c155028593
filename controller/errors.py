"""What can go wrong, said so that the reader knows what to do: what happened, the likely cause, the next command."""

HEAD, TAIL = 600, 200  #: characters of what happened, where there are more


class JadoubeError(Exception):
    """The root of every error this project raises on purpose.

    ``what`` happened, the likely ``cause``, and what to do ``next_step``; the last two may be empty. ``what`` may
    repeat what somebody else has written; so it is made to stand on one line of a log, without commands to a terminal.
    """

    def __init__(self, what: str, cause: str = "", next_step: str = "") -> None:
        self.what = what = one_line(what)
        self.cause = cause
        self.next_step = next_step
        super().__init__(what)

    def __str__(self) -> str:
        parts = [self.what]
        if self.cause:
            parts.append(f"Likely cause: {self.cause}")
        if self.next_step:
            parts.append(f"Next: {self.next_step}")
        return "\n  ".join(parts)


def first_of(error: BaseException) -> BaseException:
    """Of several errors that came together the first; one that came alone is returned as it is."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def one_line(text: str) -> str:
    """A text from elsewhere as it may stand in a log: never long, on one line, and no command to a terminal."""
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]} … {text[-TAIL:]}"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


class LogError(JadoubeError):
    """A session log that cannot be judged: which line, which field, what was expected."""


class ConfigError(JadoubeError):
    """A configuration that says something nobody reads, or says it wrongly."""


class DeviceError(JadoubeError):
    """A board, clock or lamp that cannot be opened, went away, or speaks nonsense."""


class JournalError(JadoubeError):
    """The journal cannot be opened, read or written."""


class SettledError(JadoubeError):
    """A ruling on what awaits none any more."""


class UnrestoredError(JadoubeError):
    """Play is to be resumed, and pieces still have to be put back; it is once the arbiter insists."""


class AccessError(JadoubeError):
    """A command by someone who may not give it, or who cannot be told."""


class StorageError(JournalError):
    """The disk takes nothing at present. The same may be tried again: there may be room then, or the fault be gone."""


class DamageError(JournalError):
    """The journal is not what was written."""
