"""Variational inference: exact where there is one regime, a bound where there are more."""

from itertools import pairwise, product

import numpy as np
import pytest

from margin.inference import LinearSystem, kalman_log_likelihood, kalman_smoother
from margin.sequence.switching._switching_states import SwitchingData, SwitchingParameters


def parameters(k, rng, rows, n=2, m=2):
    return SwitchingParameters(
        A=rng.normal(size=(k, n, n)) / 2, b=rng.normal(size=(k, n)),
        Q=np.array([np.eye(n) * q for q in rng.uniform(0.3, 2.0, k)]),
        C=rng.normal(size=(m, n)), d=rng.normal(size=m), R=rng.uniform(0.3, 1.0, m),
        start=rng.dirichlet(np.ones(k)), transition=rng.dirichlet(np.ones(k), size=k),
        share=rng.dirichlet(np.ones(k), size=rows),
    )  # fmt: skip


def data(rng):
    Y = rng.normal(size=(7, 2))
    Y[2, 0] = Y[5] = np.nan
    return SwitchingData(Y, np.array([0, 3, 7]))


def along(at, path, Y):
    """The system when the regimes are known."""
    return LinearSystem(
        at.A[list(path)], at.C, at.Q[list(path)], np.diag(at.R), np.zeros(2), np.eye(2),
        b=at.b[list(path)], d=at.d,
    )  # fmt: skip


def test_one_regime_is_exact():
    """sequence.38: bound = likelihood, moments = smoother."""
    rng = np.random.default_rng(0)
    rows = data(rng)
    at = parameters(1, rng, 7)
    bound, moments = rows.expect(at)
    parts = [rows.Y[:3], rows.Y[3:]]
    total = sum(float(kalman_log_likelihood(along(at, [0] * len(p), p), p)[0]) for p in parts)
    assert bound == pytest.approx(total, rel=1e-9)
    true = kalman_smoother(along(at, [0] * 4, parts[1]), parts[1])
    np.testing.assert_allclose(moments.mean[3:], true.mean, atol=1e-9)


def test_below_the_sum_over_all_paths_and_rising():
    """sequence.38: a bound of the exact likelihood, and more rounds never lower it."""
    rng = np.random.default_rng(1)
    at = parameters(2, rng, 4)
    Y = rng.normal(size=(4, 2))
    Y[2, 1] = np.nan
    rows = SwitchingData(Y, np.array([0, 4]))
    terms = []
    for path in product(range(2), repeat=4):
        prior = np.log(at.start[path[0]])
        prior += sum(np.log(at.transition[i, j]) for i, j in pairwise(path))
        terms.append(prior + float(kalman_log_likelihood(along(at, path, Y), Y)[0]))
    exact = np.logaddexp.reduce(terms)
    bounds = [rows.infer(at, r)[0] for r in (1, 2, 5, 30)]
    assert (np.diff(bounds) > -1e-9).all()
    assert bounds[-1] <= exact + 1e-9
    assert bounds[-1] > exact - 3.0


def test_learning_never_lowers_the_bound():
    rng = np.random.default_rng(2)
    rows = SwitchingData(rng.normal(size=(60, 2)), np.array([0, 25, 60]))
    at, bounds = parameters(3, rng, 60), []
    for _ in range(15):
        bound, moments = rows.expect(at)
        bounds.append(bound)
        at = rows.maximise(moments, at)
    assert np.diff(bounds).min() > -1e-8
