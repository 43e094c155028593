"""Hands written from the contract and the Laws alone, by somebody who had not read the code that judges them."""
