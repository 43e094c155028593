"""How people move, seen by an occupancy board scanned five times a second: every ply of every game should be right."""

from typing import Any

from common import HABITS, measure, report, scanned


def main() -> dict[str, Any]:
    return measure("habits", HABITS, scanned(), goal=100.0, floor="none: the goal is every ply")


if __name__ == "__main__":
    report(main())
