"""A small linear machine: the problem that every dual solver of the tests must solve."""

import numpy as np
from scipy.sparse import csr_matrix

from margin.optim import LinearDual


def problem(squared=False, epsilon=0.0, sparse=False, n=25):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    bound = np.full(n, np.inf if squared else 0.8)
    lower = -bound if epsilon else np.where(y > 0, 0.0, -bound)
    upper = bound if epsilon else np.where(y > 0, bound, 0.0)
    ridge = np.full(n, 0.5 / 0.8 if squared else 0.0)
    return LinearDual(csr_matrix(X) if sparse else X, y, lower, upper, ridge, epsilon, 1.0)
