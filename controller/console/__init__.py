"""The pages: the arbiter's console, and what spectators may see. Both read the journal as every outlet does.

What an arbiter decides here is an input like any other: it goes in by the door that MQTT commands use, is journaled
with his name, and comes back as news. Nothing here knows the game; what is shown is folded from records.

    journal ─▶ watch ─▶ arbiter_board (sight, cases) ─▶ hub ─▶ server-sent events ─▶ the arbiter's page
            └▶ gallery, after the event's delay ─▶ hub ─▶ server-sent events ─▶ the spectators' page

what is shown   ``shown_table``: of which table; ``watch``: of its boards; ``arbiter_board``: of one, from ``sight``
                and ``cases``; ``offers`` of a draw; ``naming`` of pieces;
                ``acts``: what an arbiter did of himself, or would take back;
                ``gallery``: to spectators; ``expected``: before a game; ``others``: of other daemons; ``shown``: as
                JSON; ``hub``: handed over; ``pictures`` of pieces; ``words``; ``scores``: games as PGN
who may come in ``access``, ``guard``, ``tls``; ``codes``: to sign in with, ``signing``; ``grants``: for what;
                ``devices``: signed in, ``register`` of both; ``crowd``: the spectators
the tournament  ``tournament``: as jadoube hall has it; ``outcomes``: its results as a page
all of it       ``app``: which address shows what; ``answers``: how; ``rulings``: what comes back; ``played``: what may
                be put into the record; ``settings``; ``console``
"""
