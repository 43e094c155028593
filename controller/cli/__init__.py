"""The ``jadoube`` command: a file each subcommand, beside what it shows; those for the bench are in ``bench``."""
