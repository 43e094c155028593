"""Help at the bench, for someone with a soldering iron: what is wired where, what is seen, what is wrong, what to do.

Plain text that reads well at 80 columns, with a terminal or without one.
"""
