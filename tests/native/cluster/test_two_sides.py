"""Two centres, against labels by distances and sums by masks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.cluster.centres import table, table_near
from margin.native.cluster.two_sides import TwoSides


def twin(X, weight, centres):
    away = ((X[:, None].astype(float) - centres) ** 2).sum(axis=2)
    label = (away[:, 1] < away[:, 0]).astype(int)
    w = np.ones(len(X)) if weight is None else weight
    hot = (label[:, None] == [0, 1]) * w[:, None]
    return label, hot.T @ X.astype(float), hot.sum(axis=0), w @ away.min(axis=1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "p"), [(1, 1), (7, 3), (600, 2), (2000, 20)])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_every_pass_of_many(dtype, weighted, n, p, shift):
    rng = np.random.default_rng(n)
    X = (rng.normal(size=(n, p)) + shift).astype(dtype)
    weight = rng.random(n) if weighted else None
    centres = X[rng.integers(n, size=2)].astype(float)
    sides, before = TwoSides(table_near(X, centres, weight)), np.full(n, -1)
    for step in range(25):
        at = sides.move(centres)
        label, sums, mass, errors = twin(X, weight, centres)
        assert_array_equal(sides.label, label)
        assert at.changed == np.count_nonzero(label != before)
        assert at.doubtful <= max(2, n // 20)
        assert_allclose(at.sums, sums, atol=1e-9 * n)
        assert_allclose(at.mass, mass, atol=1e-12 * n)
        whole = ((X.astype(float) - sides.rows.middle) ** 2).sum(axis=1)
        whole = whole.sum() if weight is None else weight @ whole
        assert at.inertia == pytest.approx(errors, rel=1e-9, abs=1e-10 * whole)
        assert at.share == pytest.approx(at.inertia / (whole or 1.0))
        before = label
        centres = centres + rng.normal(size=(2, p)) * 0.5 ** (step + 1)


def test_rows_on_the_plane_go_to_the_first():
    X = np.array([[0.0, 1.0], [0.0, -3.0], [1.0, 0.0], [-1.0, 0.0]])
    sides = TwoSides(table(X))
    at = sides.move(np.array([[-2.0, 0.0], [2.0, 0.0]]))
    assert_array_equal(sides.label, [0, 0, 1, 0])
    assert (at.changed, at.doubtful) == (4, 2)
    same = TwoSides(table(X))
    same.move(np.ones((2, 2)))
    assert not same.label.any()


def test_rows_beyond_single_precision():
    X = np.array([[1e300], [-1e300], [0.3], [-0.3], [2e-9], [-2e-9]])
    sides = TwoSides(table_near(X, np.array([[-1.0], [1.0]])))
    with np.errstate(over="ignore"):
        sides.move(np.array([[-1.0], [1.0]]))
    assert_array_equal(sides.label[2:], [1, 0, 1, 0])


def test_threads_and_shapes():
    rng = np.random.default_rng(0)
    X, starts = rng.normal(size=(60_000, 40)), rng.normal(size=(3, 2, 40))
    answers = []
    for n_threads in (1, 3):
        sides = TwoSides(table(X), n_threads)
        answers.append([*(sides.move(centres) for centres in starts), (sides.label,)])
    for one, other in zip(*answers, strict=True):
        for a, b in zip(one, other, strict=True):
            assert_array_equal(a, b)
    empty = TwoSides(table_near(np.empty((0, 2)), np.ones((2, 2))))
    assert empty.move(np.ones((2, 2)))[2:] == (0.0, 0.0, 0, 0)
    with pytest.raises(ValueError, match="arrays of different shape"):
        TwoSides(table(X, np.ones(3))).move(np.zeros((2, 40)))
