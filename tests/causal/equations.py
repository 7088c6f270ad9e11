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


def smooth_world(p, n, seed, share=0.35):
    """Rows of a random additive model with bent functions and normal noise, and its arrows."""
    rng = np.random.default_rng(seed)
    bends = [
        lambda u: 2 * np.sin(1.5 * u),
        lambda u: 1.5 * np.abs(u),
        lambda u: 1.5 * np.tanh(2 * u) + 0.3 * u**2,
    ]
    arrows = np.tril(rng.random((p, p)) < share, -1).astype(float)
    X = np.zeros((n, p))
    for i in range(p):
        mean = sum(
            (
                bends[rng.integers(3)](X[:, j]) * rng.choice([-1, 1])
                for j in np.flatnonzero(arrows[i])
            ),
            np.zeros(n),
        )
        X[:, i] = mean + rng.normal(size=n) * rng.uniform(0.5, 1.0)
    shuffled = rng.permutation(p)
    return X[:, shuffled], arrows[np.ix_(shuffled, shuffled)]


def series(n, effects, seed, noise="uniform"):
    """A series x(t) = sum of effects[lag] x(t - lag) + noise; effects[0] is lower triangular."""
    rng = np.random.default_rng(seed)
    lags, p = len(effects) - 1, len(effects[0])
    draws = rng.normal(size=(n + 50, p)) if noise == "normal" else rng.uniform(-1, 1, (n + 50, p))
    through = np.linalg.inv(np.eye(p) - effects[0])
    x = np.zeros((n + 50, p))
    for t in range(lags, n + 50):
        x[t] = through @ (sum(effects[k] @ x[t - k] for k in range(1, lags + 1)) + draws[t])
    return x[50:]
