"""Time that passes only when somebody waits."""


class Clockwork:
    """Both ends of a clock: call it for the nanoseconds, or wait."""

    def __init__(self) -> None:
        self.ns = 0

    def __call__(self) -> int:
        return self.ns

    def wait(self, seconds: float) -> None:
        self.ns += round(seconds * 1e9)
