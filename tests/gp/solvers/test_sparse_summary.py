"""One pass over the rows: what is kept and what it gives."""

import numpy as np

from margin.gp._noise import split
from margin.gp.solvers._inducing_rows import InducingRows
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._sparse_summary import Summary
from margin.kernels import RBF, White

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
SEEN = Observations(X, RNG.normal(size=(20, 1)), np.full(20, 0.1), np.ones((20, 1)) / np.sqrt(20))
KERNEL = 2.0 * RBF(1.0) + White(0.2)


def test_small_matrices_are_those_of_the_formulae():
    Z = X[:4] + 0.1
    rows = InducingRows.of(Z, False, split(KERNEL), SEEN)
    summary = Summary.of(rows)
    latent = 2.0 * RBF(1.0)
    V = np.linalg.solve(rows.outer.lower, latent(Z, X))
    np.testing.assert_allclose(
        summary.inner.lower @ summary.inner.lower.T, np.eye(4) + V @ V.T / 0.3, rtol=1e-9
    )
    cov = V.T @ V + 0.3 * np.eye(20)
    H, y = SEEN.H, SEEN.Y
    wanted = np.linalg.solve(H.T @ np.linalg.solve(cov, H), H.T @ np.linalg.solve(cov, y))
    np.testing.assert_allclose(summary.beta, wanted, rtol=1e-8)
