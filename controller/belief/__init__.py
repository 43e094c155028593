"""What hands may have done, and what is told of it. The Laws themselves are in ``controller.laws``, and know no doubt.

the worlds      ``worlds``: a small set of them; ``world``: one, a state of the Laws and what it costs to believe it;
                ``kept``: which of them are followed
other worlds    ``otherwise``: what is asked of a search, and which answers are lived through again (``relived``);
                ``harmless``: what looked like a touch, and was none; ``before_the_press``: what was shown too late
what they cost  ``pricing``; ``held``: a press with pieces in hand; ``taken``: captured pieces that stand about;
                ``ended``: what is done after the end of the game; the rates are in ``controller.sensing.costs``
what is told    ``reporter``: what all likely worlds share; ``untold``: what waits; ``odds``: how likely that is;
                ``told``: what was told before, perhaps by a version that judged otherwise
"""
