"""Duals of small support vector machines, shared by the tests of their solver."""

import numpy as np

from margin.optim import BoxDual, GramMatrix


class Rows:
    """A matrix behind the face of one that is computed by rows."""

    def __init__(self, matrix):
        self.matrix, self.n, self.dtype = matrix, len(matrix), matrix.dtype

    def columns(self, chosen):
        part = self.matrix if chosen is None else self.matrix[:, chosen]
        return lambda rows: np.ascontiguousarray(part[rows])

    def take(self, chosen):
        return Rows(self.matrix[np.ix_(chosen, chosen)])

    def diagonal(self):
        return np.diag(self.matrix).astype(float)


def blobs(n, seed=0, p=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = np.where(X[:, 0] + X[:, 1] ** 2 - 0.7 + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    square = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.exp(-0.5 * square), y


def classification(K, y, C=1.0, face=GramMatrix):
    return BoxDual(face(K), y, np.minimum(0, C * y), np.maximum(0, C * y), np.zeros(len(y)))
