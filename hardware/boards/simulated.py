"""The simulated board: the matrix driver and the scan thread as they are, above an electrical board made of numbers."""

from typing import Annotated, ClassVar

from msgspec import Meta

from hardware.boards.about import About
from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.boards.readings import Emit
from hardware.boards.scan import BLIND_S, ScanThread
from hardware.simulator.electrical import ElectricalBoard


class SimulatedConfig(MatrixConfig, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="simulated"):
    """A matrix whose wires are simulated, with how imperfect its contacts are."""

    about: ClassVar[About] = About("a board made of numbers, to try things on", own_clock=True)
    bounce_ms: Annotated[float, Meta(ge=0)] = 1.0  #: how long a contact chatters
    seed: int = 0  #: other numbers, other chatter
    hurry: Annotated[float, Meta(gt=0)] = 1.0  #: the hands of a demonstration are so many times as quick as in life

    def open(self, emit: Emit) -> "SimulatedBoard":
        return SimulatedBoard(self, emit)


class SimulatedBoard(ScanThread):
    """The driver of a simulated board; lift and place pieces on :attr:`electrical`."""

    def __init__(self, config: SimulatedConfig, emit: Emit) -> None:
        turn = -1 if config.rotated else 1  # wired the other way round, so that e4 is e4 for whoever moves the pieces
        self.electrical = ElectricalBoard(
            config.rows[::turn],
            config.columns[::turn],
            active=config.active,
            diodes=config.diodes,
            bounce_ms=config.bounce_ms,
            seed=config.seed,
        )
        super().__init__(Matrix(config, lambda: self.electrical), emit, config.scan_hz, blind_s=BLIND_S / config.hurry)
