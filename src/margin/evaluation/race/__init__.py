"""The race: who takes part, what it may cost, all models over all folds, tuned inside them."""
