import numpy as np
import pytest


@pytest.fixture(scope="session")
def definite():
    """Random positive-definite matrices with a condition number of a few tens."""

    def make(n, seed):
        G = np.random.default_rng(seed).normal(size=(n, n))
        return G @ G.T / max(n, 1) + 0.2 * np.eye(n)

    return make
