"""What somebody says to a board from outside, as it comes in: JSON, read once, here.

Its fields go on as they are: by the door, which knows who may command, to the table, which makes an input of them.
"""

from collections.abc import Mapping

import msgspec

from controller.errors import LogError

LIMIT = 16_384  #: bytes of a command

Value = bool | int | float | str | list[str] | dict[str, str | None] | None
"""What a field of a command may hold."""

Fields = Mapping[str, Value]


def read(payload: bytes) -> Fields:
    """Raises :exc:`LogError` where it is none, or too long."""
    if len(payload) > LIMIT:
        cause = f"a command has {LIMIT} bytes at most"
        raise LogError(f"a command of {len(payload)} bytes", cause, "give it in fewer words, or in several commands")
    try:
        return msgspec.json.decode(payload, type=dict[str, Value])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(
            f"malformed command: {error}", "a slip in the JSON", 'an example: {"type": "new-game"}'
        ) from error
