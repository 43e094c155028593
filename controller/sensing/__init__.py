"""From readings to gestures: debounced edges, what stands where, and which legal moves explain it."""
