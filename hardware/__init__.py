"""Boards, clocks, lamps and the simulation of each: they know the contract and the pins, nothing of the game."""
