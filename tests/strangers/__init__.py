"""Games by other hands: wood, hands and sensors simulated by somebody who had not read the code that judges them.

``wood``: the pieces as they stand, and when each was lifted and placed. ``hands``: how fast people are, and their
clocks. ``habits``: what hands do beside the move. ``moves``: the ways to make a move; ``promotions``: to promote.
``plies``: one ply, from thinking to the press. ``stock``: openings, positions, and how a move is picked.
``deliveries``: what a board reports of it, by touches or by frames, with bounces, losses and dead sensors.
``oracle``: which games the sensors leave open. ``games``: whole honest games with their truth.
``plans``: where an offence can be committed; ``acts``: how; ``offences``: whole games with one each.
``test_strangers``: the core gets the games right, and tells the offences and nothing else.
"""
