"""Commands from outside, made into inputs: what a person says comes in here, what a sensor sees does not."""

import msgspec

from controller.config import GameConfig
from controller.contract import AnyInput, Frame, Lift, Place, Time, decode_input, encode
from controller.errors import LogError

SENSED = (Lift, Place, Frame, Time)  #: these come from the board and the daemon's own clock


def read_command(payload: bytes, ms: int, game: GameConfig) -> AnyInput | GameConfig:
    """An input at ``ms``, or what the next game is to be: ``game`` with the fields that ``new-game`` names.

    Raises :exc:`LogError` saying which field is wrong and what was expected.
    """
    try:
        fields = msgspec.json.decode(payload, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LogError(
            f"malformed command: {error}", "a slip in the JSON", 'an example: {"type": "new-game"}'
        ) from error
    if fields.pop("type", None) == "new-game":
        return _new_game(fields, game)
    item = decode_input(encode(msgspec.json.decode(payload, type=dict[str, object]) | {"ms": ms}))
    if isinstance(item, SENSED):
        raise LogError(
            "a command cannot move men or time",
            "lift, place, frame and time come from the board",
            "to judge a recording: jadoube replay FILE",
        )
    return item


def _new_game(fields: dict[str, object], game: GameConfig) -> GameConfig:
    try:
        return msgspec.convert(msgspec.to_builtins(game) | fields, GameConfig)
    except msgspec.ValidationError as error:
        known = ", ".join(GameConfig.__struct_fields__)
        raise LogError(f"malformed command new-game: {error}", "a slip in a field", f"known here: {known}") from error
