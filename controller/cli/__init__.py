"""The ``jadoube`` command: a file each subcommand, beside what it shows; those for the bench are in ``bench``,
and what sets up RabbitMQ and PostgreSQL in ``engines``."""
