"""Linear boundaries from all rows at once: logistic regression, least squares, separability."""
