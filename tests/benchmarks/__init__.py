"""The measurements: each file runs by itself and prints one JSON line with its figure, floor and goal."""
