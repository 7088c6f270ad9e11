"""Models put to the question: weights and thresholds, targets on another scale, ordered classes."""
