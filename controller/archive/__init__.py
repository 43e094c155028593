"""The archive of many boards: every event of every game, from RabbitMQ to PostgreSQL.

==============  ====================================================================
``settings``    where broker and database are
``heard``       what comes from a queue: an event, a head, an answer
``line``        how far a board is told without a gap, and what to ask for
``queues``      the broker's side: exchanges and queues, and connections to its nodes
``database``    the other side: the schema, a batch written at once
``archiver``    from the one to the other: acknowledged once it is committed
``twins``       boards that are named twice
``clocks``      the clocks of the boards' computers against ours
``pages``       the hall's pages, by a worker: the console of a daemon, fed from the database
``boards``      what they are made of, asked of the database; ``answers``: how
``tail``        a board's game, read like a journal
``commands``    rulings on their way to a board
``register``    who may sign in, and who has
``metrics``     what Prometheus is told of an archiver, and of a worker
``comparing``   journals against the archive, row by row
``parquet``     tables for those who analyse
==============  ====================================================================

Nothing here is needed at a table. The libraries come with ``pip install jadoube[archive]``.
"""
