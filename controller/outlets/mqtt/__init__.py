"""The games by MQTT, and commands from there.

the connection    ``outlet``: what is on which topic, and the only connection; ``connection``: how it is configured, and
                  why there is none; ``trust``: certificates; ``broker``: our own
what goes out     ``channel``: of one board; ``line``: in order, until it is acknowledged; ``topics``, ``levels``: what
                  is said, and where; ``public``: to everybody; ``docket``: what awaits a ruling; ``remembered``: by the
                  broker; of the whole venue the ``round`` in force and the ``times`` of day
what comes in     ``inbox``; ``command``, ``questions``; ``door``: who may command, ``signed`` or not; ``memory``: which
                  commands were carried out
"""
