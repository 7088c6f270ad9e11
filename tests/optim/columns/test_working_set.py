"""Working sets: the minimum of the whole problem, from sub-problems."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim.columns._dense_squares import DenseSquares
from margin.optim.columns._sparse_squares import SparseSquares
from margin.optim.columns._squares import Goal, Shrinkage
from margin.optim.columns._working_set import (
    Point,
    _working_set,
    measure,
    path,
    rounds,
    squares_by_columns,
)


def data(n=60, p=300, seed=0, storage=np.asarray):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.5)
    y = X[:, :5] @ rng.normal(size=5) + 0.3 * rng.normal(size=n) + 2.0
    return storage(X), y


def minimise(problem, penalty, goal, **options):
    point = measure(problem, np.zeros(problem.shape[1]), penalty)
    seen = [point]
    seen += rounds(problem, point, penalty, goal, **options)
    return seen[-1], seen


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csc_array])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("l2", [0.0, 0.1])
@pytest.mark.parametrize("share", [0.9, 0.3, 0.05])
def test_optimality_conditions_hold_for_every_column(storage, positive, l2, share):
    """linear.14: no column outside the last working set would enter."""
    X, y = data(storage=storage)
    problem = squares_by_columns(X, y, None, intercept=True)
    penalty = Shrinkage(share * np.abs(problem.start).max(), l2, positive)
    point, seen = minimise(problem, penalty, Goal(violation=1e-8))
    dense = X.toarray() if sparse.issparse(X) else X
    c = (dense - dense.mean(axis=0)).T @ (y - y.mean() - (dense - dense.mean(axis=0)) @ point.w)
    assert penalty.violation(point.w, -c).max() < 1e-7
    assert not positive or point.w.min() >= 0
    objectives = [p.objective for p in seen]
    assert np.diff(objectives).max() <= 1e-12 * objectives[0]
    assert point.epochs > 0 or not point.w.any()


def test_gap_goal_and_certificate():
    """The certificate is the gap of the whole problem, computed from a fresh residual."""
    X, y = data()
    problem = squares_by_columns(X, y, None, intercept=True)
    penalty = Shrinkage(0.1 * np.abs(problem.start).max())
    tight, _ = minimise(problem, penalty, Goal(gap=1e-12))
    for gap in (1.0, 1e-3, 1e-6):
        point, _ = minimise(problem, penalty, Goal(gap=gap))
        assert point.gap <= gap
        assert 0 <= point.objective - tight.objective <= point.gap


def test_an_unreachable_goal_ends():
    """At machine precision the rounds stop by themselves."""
    X, y = data(p=20)
    problem = squares_by_columns(X, y, None, intercept=True)
    penalty = Shrinkage(0.1 * np.abs(problem.start).max())
    point, seen = minimise(problem, penalty, Goal(gap=0.0, violation=0.0))
    assert len(seen) < 50
    assert point.gap < 1e-10


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array])
def test_path_agrees_with_separate_problems(storage):
    """linear.14: warm starts, strong rule and prediction change the work, not the answers."""
    X, y = data(storage=storage)
    problem = squares_by_columns(X, y, None, intercept=True)
    top = np.abs(problem.start).max()
    penalties = [Shrinkage(a, 0.01) for a in np.geomspace(top, 0.02 * top, 25)]
    found = list(path(problem, penalties, [Goal(gap=1e-11)] * 25, most=1000))
    assert not found[0].w.any()
    for k in (3, 12, 24):
        alone, _ = minimise(
            squares_by_columns(X, y, None, intercept=True), penalties[k], Goal(gap=1e-11)
        )
        assert_allclose(found[k].w, alone.w, atol=1e-5)
        assert_allclose(found[k].objective, alone.objective, rtol=1e-10)


def test_repeated_strengths_and_few_sweeps():
    """A path may stand still, and a limit on sweeps is a limit."""
    X, y = data()
    problem = squares_by_columns(X, y, None, intercept=True)
    top = np.abs(problem.start).max()
    penalties = [Shrinkage(a) for a in (top, 0.5 * top, 0.5 * top, 0.5 * top, 0.1 * top)]
    goals = [Goal(gap=1e-9 * problem.energy)] * 5
    points = list(path(problem, penalties, goals, most=500))
    assert_allclose(points[1].w, points[3].w, atol=1e-6)
    assert [p.epochs for p in path(problem, penalties, goals, most=1)][-1] == 1


def test_engines_by_kind_and_shape():
    """Full Gram matrices where rows abound, growing ones otherwise."""
    X, y = data(n=300, p=20)
    assert squares_by_columns(X, y, None, intercept=True).full
    X, y = data(n=60, p=200)
    assert not squares_by_columns(X, y, None, intercept=True).full
    X, y = data(n=700, p=150)
    assert not squares_by_columns(X, y, None, intercept=True).full
    assert squares_by_columns(X, y, None, intercept=True, many=True).full
    assert isinstance(
        squares_by_columns(sparse.csc_array(X), y, None, intercept=True), DenseSquares
    )
    thin = sparse.csc_array(X * (np.abs(X) > 2.0))
    kind = squares_by_columns(thin, y, None, intercept=True)
    assert isinstance(kind, SparseSquares)
    assert isinstance(squares_by_columns(X, y, None, intercept=True), DenseSquares)


def test_working_sets_hold_the_support_and_the_strongest_pulls():
    w, pull = np.zeros(500), np.linspace(0, 3, 500)
    w[:2] = 1.0
    point = Point(w, pull, 0.0, 0.0, 0.0)
    found = _working_set(point, Shrinkage(1.0), None)
    assert set(found) == {0, 1, *range(400, 500)}
    # After a change of strength from 2 to 1.9 only pulls of at least 1.8 can have caught up.
    found = _working_set(point, Shrinkage(1.9), 2.0)
    assert set(found) == {0, 1, *np.flatnonzero(pull >= 1.8)}
