"""Steps of learning switching regressions, against sums over all paths of regimes."""

from itertools import pairwise, product

import numpy as np
import pytest

from margin.sequence.switching._regime_regression import RegimeParameters, RegressionRows

RNG = np.random.default_rng(0)
Z = np.column_stack([RNG.normal(size=7), np.ones(7)])
Y = RNG.normal(size=7)
OFFSETS = np.array([0, 4, 7])
AT = RegimeParameters(
    RNG.normal(size=(2, 2)), np.array([0.5, 2.0]), np.array([0.3, 0.7]),
    np.array([[0.8, 0.2], [0.4, 0.6]]),
)  # fmt: skip


def by_paths():
    """Likelihood, posterior and transitions by all paths of both sequences."""
    total, share, counts = 0.0, np.zeros((7, 2)), np.zeros((2, 2))
    density = np.exp(AT.log_density(Z, Y))
    for a, b in ((0, 4), (4, 7)):
        weights = {}
        for path in product(range(2), repeat=b - a):
            w = AT.start[path[0]] * np.prod([density[a + t, s] for t, s in enumerate(path)])
            weights[path] = w * np.prod([AT.transition[i, j] for i, j in pairwise(path)])
        whole = sum(weights.values())
        total += np.log(whole)
        for path, w in weights.items():
            for t, s in enumerate(path):
                share[a + t, s] += w / whole
            for i, j in pairwise(path):
                counts[i, j] += w / whole
    return total, share, counts


def rows(shared=False):
    return RegressionRows.of(Z, Y, OFFSETS, shared, 1)


def test_expectation():
    """sequence.31: exact over the regimes."""
    found, (total, share, counts) = rows().expect(AT), by_paths()
    assert found.bound == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(found.statistics[0], share, atol=1e-12)
    np.testing.assert_allclose(found.statistics[1], counts, atol=1e-12)


def test_maximisation_is_weighted_least_squares():
    _, share, counts = by_paths()
    new = rows().maximise((share, counts), AT)
    for j in range(2):
        root = np.sqrt(share[:, j])
        w = np.linalg.lstsq(Z * root[:, None], Y * root)[0]
        np.testing.assert_allclose(new.weights[j], w, atol=1e-10)
        rest = share[:, j] @ (Y - Z @ w) ** 2 / share[:, j].sum()
        assert new.variances[j] == pytest.approx(rest)
    np.testing.assert_allclose(new.transition, counts / counts.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(new.start, share[[0, 4]].mean(axis=0))
    assert len(set(rows(True).maximise((share, counts), AT).variances)) == 1


def test_an_empty_regime_stays():
    share = np.column_stack([np.ones(7), np.zeros(7)])
    new = rows().maximise((share, np.diag([5.0, 0.0])), AT)
    np.testing.assert_array_equal(new.weights[1], AT.weights[1])
    np.testing.assert_allclose(new.transition.sum(axis=1), 1.0)


def test_starts_are_probabilities():
    for start in rows().starts(2, 3, np.random.default_rng(1)):
        np.testing.assert_allclose(start.transition.sum(axis=1), 1.0)
        assert (start.variances > 0).all()
