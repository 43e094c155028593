"""The ``jadoube`` command: a file each subcommand, beside what it shows; what helps those who build boards is in ``hardware``,
and what sets up RabbitMQ and PostgreSQL in ``engines``."""
