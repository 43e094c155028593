"""The Laws in one game: what hands, players and arbiters do, and what follows from it under the edition in force.

data            ``editions`` and ``clauses``; ``reports``: what a person may report
one step        ``step``: an input, or time, leads from a frozen state to the next
who acts        ``gestures``: hands on the board; ``lifted``: which pieces they have touched; ``announced``:
                "j'adoube"; ``timing``: the clock; ``claims``: what players say, ``choices``: by button,
                ``said_early``: before the opponent's move is seen; ``rulings``: what the arbiter says, ``refused``: why
                not now, ``reversal``: taken back; ``conduct``: what he saw;
                ``arrival``: who came; ``correction``: of the record; ``sensors``: those that do not work
a turn          ``turn``: the table; ``outcomes``: its rows carried out; ``touch``: what is owed (Article 4)
a move          ``moves``: made and completed, ``completing``: by a press just now; ``illegal`` (7.5);
                ``seen_first``: seen to land before it left; ``passing``: seen on its way when its player pressed
what stands     ``board``: how it compares with the game; ``mismatch``: pieces elsewhere (7.4); ``initial_position``:
                at the beginning; ``standing``: moves against the rules that play goes on from
the clock       ``clock`` (Article 6); ``timecontrol``
the end         ``endings`` (5 and 9); who can still mate: ``controller.mating``
what is unseen  ``retaken``: pieces captured as soon as they stood; ``fallen``: knocked over; ``gap``: unwatched play;
                ``stalled``: play that nothing explains
a match         ``stock``; ``drop_names`` and ``drop_kinds``: pieces that nobody has named; ``renamed``: named anew
what is kept    ``state``, at first as of ``beginning``; ``record``; ``notices``: what awaits a ruling; ``evidence``:
                what it rests on
"""
