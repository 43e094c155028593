"""``jadoube boards``: the kinds of board there are; with ``--ports``, what is plugged in."""

from collections.abc import Sequence

from controller.cli.hardware.kinds import KINDS, configurations, examples, missing_modules
from controller.cli.hardware.ports import look, ports
from controller.cli.hardware.probe import ProbedPort
from hardware.boards.line import LineConfig


def boards(ports: Sequence[str] | None) -> int:
    """What was asked for: the kinds there are; or with ``ports``, be it none, what is plugged in."""
    return show_kinds() if ports is None else show_ports(ports)


def show_kinds() -> int:
    """One paragraph a kind."""
    for tag, config in configurations().items():
        kind = KINDS[tag]
        senses = "occupancy, or who it is" if config is LineConfig else WORDS[config().senses]
        needs = [f"group {' '.join(kind.groups)}"] if kind.groups else []
        needs += [f"Python module {' '.join(kind.modules)}"] if kind.modules else []
        absent = missing_modules(tag)
        print(f"{tag:<12} {kind.what}")
        print(f"{'':<12} sees {senses}")
        if needs:
            print(f"{'':<12} needs {', '.join(needs)}")
        if absent:
            print(f"{'':<12} not installed here: {', '.join(absent)}. Next: make gpio")
        example = examples() / f"{tag}.toml"
        if example.exists():
            print(f"{'':<12} example: {example}")
        print()
    print("What is plugged in: jadoube boards --ports     To begin: jadoube setup")
    return 0


WORDS = {
    "occupancy": "where something stands",
    "colour": "white and black pieces",
    "identity": "which piece stands where",
}


def show_ports(paths: Sequence[str]) -> int:
    """The ports, and what answers there; 1 if nothing does."""
    for port in () if paths else ports():
        print(f"{port.path}\n    {port.about}" + ("" if port.asked else "; not asked, name it to ask there"))
    print("Asking who is there: some seconds …", flush=True)
    found = look(paths)
    for one in found:
        print(f"\n{describe(one)}")
    if not any(one.answer for one in found):
        print("\nNo board answers. Is it switched on, and on a cable that carries data?")
        print("A home-made board on bare pins cannot be seen from here: jadoube setup asks about it.")
        return 1
    return 0


def describe(found: ProbedPort) -> str:
    """``/dev/ttyUSB0: dgt (version 1.8)``"""
    if found.error is not None:
        told = str(found.error)
    elif found.answer is not None:
        told = f"{found.answer.kind} ({found.answer.said})"
    else:
        told = "" if found.beside else "nobody that is understood"
    return f"{found.port.path}: " + "; ".join(words for words in (found.beside, told) if words)
