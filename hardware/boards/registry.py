"""Which boards there are. A new one is a file beside this one and a line in the union below.

Each configuration is a Struct tagged by ``type`` (what the ``[board]`` table of a configuration file says). It knows
how to ``open`` its own driver; as ``senses`` what its board can tell apart; as ``scan_hz`` or ``scan_ms`` how often the
board looks at a square; and as ``about`` what people ask first.
The ``#:`` beside an option is what `config/` says of it.
"""

from hardware.boards.certabo import CertaboConfig, SentioConfig
from hardware.boards.chesslink import ChessLinkConfig
from hardware.boards.chessnut import ChessnutConfig
from hardware.boards.dgt import DgtConfig
from hardware.boards.dgt_bus import DgtBusConfig
from hardware.boards.expander import ExpanderConfig
from hardware.boards.hall import HallSensorsConfig
from hardware.boards.line import LineConfig
from hardware.boards.matrix import MatrixConfig
from hardware.boards.multiplexer import MultiplexerConfig
from hardware.boards.readings import Driver, Emit
from hardware.boards.shift import ShiftConfig
from hardware.boards.simulated import SimulatedConfig

BoardConfig = (
    MatrixConfig
    | ShiftConfig
    | ExpanderConfig
    | MultiplexerConfig
    | HallSensorsConfig
    | LineConfig
    | SimulatedConfig
    | DgtConfig
    | DgtBusConfig
    | ChessLinkConfig
    | CertaboConfig
    | SentioConfig
    | ChessnutConfig
)


def scan_ms(config: BoardConfig) -> float:
    """How long after one look at a square the next one comes, in ms: as it is set, or as its makers say."""
    hz: float | None = getattr(config, "scan_hz", None)
    every: float = 1000 / hz if hz is not None else getattr(config, "scan_ms")  # noqa: B009
    return every


def open_board(config: BoardConfig, emit: Emit) -> Driver:
    """The driver of a board, not started yet. Touches no device, so raises nothing: faults are emitted."""
    return config.open(emit)
