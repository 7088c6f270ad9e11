"""Average effects: the estimator, its summary, balance of the groups."""
