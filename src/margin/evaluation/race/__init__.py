"""The race: who takes part, folds, tuning, time."""
