"""``jadoube hall up`` and ``hall down``: RabbitMQ, PostgreSQL and what belongs to them, on one computer or several.

============  ====================================================================================================
``plan``      which computers and ports: ``engines.toml``
``rights``    RabbitMQ's users, and what topics each may write and read
``texts``     every file that a computer needs, as text: brokers, database, proxy, archivers, console workers
``units``     the same for systemd: a unit each
``paper``     at the organiser's: all of it written into the hall's folder, to be carried to each computer
``machine``   what is asked and done of a computer: packages, services, other users' commands
``setting``   at each computer: all of it brought into place, and started in order; only what is not so already
``asking``    whether it works then: nodes, passwords, disks, clocks, the schema
``commands``  the two commands
============  ====================================================================================================
"""
