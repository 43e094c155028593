"""jadoube: readings become gestures, gestures become lawful moves, and everyone who should know knows."""
