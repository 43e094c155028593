"""The command jadoube. Each subcommand imports what it needs when it is called. In the folder hardware is the help for
those who build boards, in engines what sets up RabbitMQ and PostgreSQL.

the command       ``main``: all subcommands, and what an error becomes
serve             ``run``, ``pair`` (``pairing``: what the archive has in common with it)
play and see      in the folder demo; ``view`` and ``matchview`` (the live views), ``screen``, ``terminal``: what a
                  terminal can show
judge             ``replay``, ``decode``, ``explain``, ``laws``
keep              ``export``, ``verify``, ``backup``, ``restore`` (``archive``: one file of all)
a hall            in the folder hall
its broker        ``broker_config``, ``certificates``
the archive       ``archiving``: its subcommands; ``archive_acts``: what they do
"""
