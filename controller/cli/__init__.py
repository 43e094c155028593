"""The ``jadoube`` command: a file each subcommand, beside what it shows; in ``hardware`` the help for those who build
boards, in ``engines`` what sets up RabbitMQ and PostgreSQL."""
