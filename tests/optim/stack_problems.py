"""Several kernel matrices, for the tests of their weights."""

import numpy as np


class Stack:
    """Matrices of the same rows."""

    def __init__(self, matrices):
        self.matrices = np.array(matrices)
        self.factors = np.ones(len(matrices))

    def combined(self, weights):
        return sum(weight * K for weight, K in zip(weights, self.matrices, strict=True))

    def products(self, B):
        return self.matrices @ B
