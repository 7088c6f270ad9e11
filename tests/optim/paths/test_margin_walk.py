"""Walks from event to event."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.kernels import RBF, Linear
from margin.optim.paths._margin_path import gathered
from margin.optim.paths._margin_walk import INSIDE, MarginWalk


def quiet(iteration, objective):
    """No progress is shown."""


def walked(seed, kernel, *, n=24, ties=False, share=0.5, weighted=False, start=0.0, end=100.0):
    """A finished walk, its kernel matrix and up to where it went."""
    rng = np.random.default_rng(seed)
    sign = np.where(rng.random(n) < share, 1.0, -1.0)
    sign[:2] = 1.0, -1.0
    X = rng.normal(size=(n, 2)) + 0.6 * sign[:, None]
    K = kernel(np.round(2 * X) / 2 if ties else X)
    walk = MarginWalk(K.copy(), sign, rng.uniform(0.5, 2.0, n) if weighted else np.ones(n))
    return walk, K, walk.run(start, end, 5000, quiet)


def violation(walk, K, C):
    """Largest violation of the conditions of optimality, by their definition."""
    lines = gathered(walk, np.inf, np.arange(len(K)), len(K))
    beta, bias = lines.coef(C), lines.bias(C)
    alpha, margin = walk.sign * beta, walk.sign * (K @ beta + bias)
    bound = C * walk.weight
    off = [abs(beta.sum()), max(-alpha.min(), 0.0) / C, max((alpha - bound).max(), 0.0) / C]
    edge = 1e-9 * bound
    off.append(np.max(1.0 - margin, where=alpha < bound - edge, initial=0.0))
    off.append(np.max(margin - 1.0, where=alpha > edge, initial=0.0))
    return max(off)


@pytest.mark.parametrize("kernel", [Linear(), RBF(1.0), RBF(4.0)], ids=["line", "rbf", "smooth"])
@pytest.mark.parametrize("share", [0.5, 0.2], ids=["even", "uneven"])
@pytest.mark.parametrize("ties", [False, True], ids=["general", "ties"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("seed", range(6))
def test_optimal_everywhere(seed, kernel, share, ties, weighted):
    """svm.03"""
    walk, K, top = walked(seed, kernel, ties=ties, share=share, weighted=weighted)
    starts = np.array([segment.start for segment in walk.segments])
    assert (np.diff(starts) > 0).all()
    for C in (*np.geomspace(1e-4, min(top, 100.0), 9), *starts[1::5]):
        assert violation(walk, K, C) < 1e-7
    assert not walk.restarts


def test_start_in_the_middle_joins_the_path():
    whole, K, _ = walked(1, RBF(1.0))
    part, _, _ = walked(1, RBF(1.0), start=0.5)
    assert part.segments[0].start == 0.5
    later = [s.start for s in whole.segments if s.start > 0.5]
    assert_allclose([s.start for s in part.segments[1:]], later, rtol=1e-8)
    assert violation(part, K, 3.0) < 1e-7


def test_separable_classes_end_when_no_row_is_inside():
    n = 10
    X = np.random.default_rng(0).normal(size=(n, 2)) + 6.0 * np.repeat([[1.0], [-1.0]], 5, axis=0)
    walk = MarginWalk(X @ X.T, np.repeat([1.0, -1.0], 5), np.ones(n))
    assert walk.run(0.0, np.inf, 1000, quiet) == np.inf
    assert walk.segments[-1].n_inside == 0
    assert not (walk.kind == INSIDE).any()


def test_norms_grow_with_the_price():
    walk, K, _ = walked(2, RBF(1.0))
    norms = np.array([segment.norm for segment in walk.segments])
    assert np.diff(norms).min() > -1e-9
    lines, last = gathered(walk, np.inf, np.arange(24), 24), walk.segments[-1]
    beta = lines.coef(last.start)
    assert_allclose(last.norm**2, beta @ K @ beta)


def test_trained_anew_where_rounding_hides_the_next_event(monkeypatch):
    walk, K, _ = walked(3, RBF(1.0), end=2.0)
    plain = len(walk.segments)
    lost = MarginWalk._lines
    calls = []

    def wrong(self):
        lost(self)
        calls.append(1)
        if len(calls) == 10:
            self.level = self.level + 1e-3

    monkeypatch.setattr(MarginWalk, "_lines", wrong)
    walk, K, _ = walked(3, RBF(1.0), end=2.0)
    assert walk.restarts == 1
    assert abs(len(walk.segments) - plain) <= 2
    for C in np.geomspace(1e-3, 2.0, 15):
        assert violation(walk, K, C) < 1e-6


def test_dependent_rows_start_at_a_corner():
    """Four copies of a row of the larger class share one multiplier."""
    X = np.array([[0.0], [0.0], [0.0], [0.0], [2.0], [5.0]])
    walk = MarginWalk(X @ X.T, np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0]), np.ones(6))
    walk.run(0.0, 10.0, 100, quiet)
    for C in (1e-3, 0.03, 0.1, 1.0, 9.0):
        assert violation(walk, X @ X.T, C) < 1e-9


def test_too_many_events():
    walk = MarginWalk(np.eye(8) + 0.1, np.tile([1.0, -1.0], 4), np.arange(1.0, 9.0))
    with pytest.raises(FitError, match="C_max must be reached in 3 events"):
        walk.run(0.0, 100.0, 3, quiet)
