"""The same games with one scan in twenty lost, those of the board at rest included."""

from typing import Any

from common import HABITS, measure, report, scanned

MISSING = 0.05


def main() -> dict[str, Any]:
    return measure("missing", HABITS, scanned(MISSING), goal=97.0, floor="25 (best peer)")


if __name__ == "__main__":
    report(main())
