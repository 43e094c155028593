"""The same games with every capture exchanged within one scan, so that the taken square is never seen empty."""

from typing import Any

from common import HABITS, measure, report, scanned
from msgspec.structs import replace


def main() -> dict[str, Any]:
    return measure("swap", replace(HABITS, swap=1.0), scanned(), goal=98.5, floor="9 (best peer on occupancy)")


if __name__ == "__main__":
    report(main())
