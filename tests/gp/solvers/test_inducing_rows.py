"""Rows as inducing points see them."""

import numpy as np
import pytest

from margin.gp._noise import split
from margin.gp.solvers import _inducing_rows
from margin.gp.solvers._inducing_rows import NUGGET, InducingRows
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, White

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(20, 2)), RNG.normal(size=(4, 2))
SEEN = Observations(X, RNG.normal(size=(20, 1)), RNG.uniform(0.1, 0.2, 20), np.empty((20, 0)))
PARTS = split(2.0 * RBF(1.0) + White(0.2))


def joined(rows):
    blocks = list(rows.blocks())
    assert [b.rows.start for b in blocks] == [0, *(b.rows.stop for b in blocks[:-1])]
    return tuple(np.concatenate([b[i] for b in blocks], axis=-1) for i in (1, 2, 3))


@pytest.mark.parametrize("fitc", [False, True])
def test_the_formulae(fitc):
    V, lam, missing = joined(InducingRows.of(Z, fitc, PARTS, SEEN))
    latent = 2.0 * RBF(1.0)
    Q = latent(X, Z) @ np.linalg.inv(latent(Z) + 2.0 * NUGGET * np.eye(4)) @ latent(Z, X)
    np.testing.assert_allclose(V.T @ V, Q, atol=1e-9)
    np.testing.assert_allclose(missing, 2.0 - np.diagonal(Q), atol=1e-9)
    np.testing.assert_allclose(lam, SEEN.noise + 0.2 + fitc * missing)


def test_memory_and_blocks_do_not_matter(monkeypatch):
    whole = InducingRows.of(Z, True, PARTS, SEEN)
    assert whole.kept
    monkeypatch.setattr(_inducing_rows, "_ROWS", 7)
    monkeypatch.setattr(_inducing_rows, "_CACHE", 0)
    again = InducingRows.of(Z, True, PARTS, SEEN)
    assert not again.kept
    for one, two in zip(joined(whole), joined(again), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)
