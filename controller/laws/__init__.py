"""The Laws in one game: what hands, players and arbiters do, and what follows from it under the edition in force.

data            ``editions`` and ``clauses``; ``reports``: what a person may report
one step        ``step``: an input, or time, leads from a frozen state to the next
who acts        ``gestures``: hands on the board; ``announced``: "j'adoube"; ``timing``: the clock; ``claims``: what
                players say, ``choices``: by button; ``rulings``: what the arbiter says, ``refused``, or taken back in
                ``reversal``; ``conduct``: what he saw; ``arrival``: who came; ``correction``: of the record;
                ``sensors``: who says that one does not work
a turn          ``turn``: the table; ``outcomes``: its rows carried out; ``touch``: what is owed (Article 4)
a move          ``moves``: made and completed; ``illegal`` (7.5); ``seen_first``: where it landed, before whence it came
what stands     ``board``: how it compares with the game; ``mismatch``: pieces elsewhere (7.4); ``initial_position``:
                at the beginning; ``standing``: what stays there against the rules, and is played on from
the clock       ``clock`` (Article 6); ``timecontrol``
the end         ``endings`` (5 and 9); who can still mate is known in ``controller.mating``
what is unseen  ``retaken``: pieces taken as soon as they stood; ``fallen``: knocked over; ``gap``: unwatched play;
                ``stalled``: where nothing explains what is played
a match         ``stock``; ``drop_names`` and ``drop_kinds``: pieces that nobody has named; ``renamed``: named anew
what is kept    ``state``, ``record``; ``notices``: what awaits a ruling; ``evidence``: what it rests on
"""
