"""The ``jadoube`` command."""


def main() -> None:
    """Entry point of the ``jadoube`` command."""
