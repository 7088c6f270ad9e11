"""Systems to try filters on."""

import numpy as np

from margin.inference.filters._linear_system import LinearSystem


def spread(rng, n, scale=1.0):
    root = rng.normal(size=(n, n))
    return scale * (root @ root.T + 0.1 * np.eye(n))


def random_system(rng, n, m, rows=None, *, diagonal=False, **changes):
    """Stable, with every part present; time-varying where ``rows`` is given."""

    def many(make):
        return make() if rows is None else np.array([make() for _ in range(rows)])

    def noise():
        return np.diag(rng.uniform(0.2, 1.0, m)) if diagonal else spread(rng, m, 0.3)

    parts = {
        "A": many(lambda: 0.7 * np.linalg.qr(rng.normal(size=(n, n)))[0]),
        "C": many(lambda: rng.normal(size=(m, n))),
        "Q": many(lambda: spread(rng, n, 0.3)),
        "R": many(noise),
        "mean": rng.normal(size=n),
        "cov": spread(rng, n),
        "b": many(lambda: rng.normal(size=n)),
        "d": many(lambda: rng.normal(size=m)),
    } | changes
    return LinearSystem(**parts)
