"""Linear equations with known truth that several tests draw from."""

import numpy as np


def linear_world(p, n, seed, noise="uniform", share=0.5):
    """Rows of a random linear acyclic model in shuffled order, and its effects [i, j]: j on i."""
    rng = np.random.default_rng(seed)
    effects = np.tril(rng.random((p, p)) < share, -1) * rng.uniform(0.7, 1.4, (p, p))
    effects *= rng.choice([-1, 1], (p, p))
    X = np.zeros((n, p))
    for i in range(p):
        draw = rng.normal(size=n) if noise == "normal" else rng.uniform(-1, 1, n)
        X[:, i] = X @ effects[i] + draw
    shuffled = rng.permutation(p)
    return X[:, shuffled], effects[np.ix_(shuffled, shuffled)]
