import numpy as np
import pytest

from margin.search import ExactSettings, ExactTable, NumberTargets, PruningPath, grow_exact
from margin.tree._pruning_choice import candidates, choose_strength


def test_choice_is_the_least_loss_held_out():
    """tree.03: every fold grows one tree; its path must answer as trees grown for each strength."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] > 0) + 0.7 * rng.normal(size=120)

    def grow(rows):
        return grow_exact(
            ExactTable.of(X[rows]), NumberTargets(y[None, rows]), ExactSettings("squared")
        )

    def loss(rows, values):
        return (y[rows] - values[:, 0]) ** 2

    folds = [(np.arange(60, 120), np.arange(60)), (np.arange(60), np.arange(60, 120))]
    path = PruningPath.of(grow(np.arange(120)))
    choice = choose_strength(path, grow, loss, X, folds)
    assert choice.losses.min() == choice.losses[choice.strengths == choice.chosen][0]
    assert choice.losses[0] > choice.losses.min()
    careful = choose_strength(path, grow, loss, X, folds, one_standard_error=True)
    assert careful.chosen >= choice.chosen


def test_candidates_lie_between_the_steps():
    path = PruningPath(np.array([0.0, 0.1, 0.4]), np.zeros(3), np.zeros(3))
    np.testing.assert_allclose(candidates(path), [0.0, 0.2, 0.4], rtol=1e-6)
    long = PruningPath(np.linspace(0, 1, 5000), np.zeros(5000), np.zeros(1))
    assert len(candidates(long)) <= 101


def test_weights_count_rows_held_out():
    """Whole weights must choose as rows repeated so often do, whatever the folds."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] > 0) + 0.8 * rng.normal(size=80)
    weight = rng.integers(1, 5, 80).astype(float)
    times = np.repeat(np.arange(80), weight.astype(int))

    def choice(X, y, weight, folds):
        def grow(rows):
            some = None if weight is None else weight[None, rows]
            targets = NumberTargets(np.ascontiguousarray(y[None, rows]))
            return grow_exact(
                ExactTable.of(X[rows]), targets, ExactSettings("squared"), weight=some
            )

        def loss(rows, values):
            return (y[rows] - values[:, 0]) ** 2

        whole = PruningPath.of(grow(np.arange(len(y))))
        return choose_strength(whole, grow, loss, X, folds, weight=weight)

    half = np.arange(80) < 40
    folds = [(np.flatnonzero(half), np.flatnonzero(~half))]
    weighed = choice(X, y, weight, folds)
    again = half[times]
    repeated = choice(X[times], y[times], None, [(np.flatnonzero(again), np.flatnonzero(~again))])
    np.testing.assert_allclose(weighed.losses, repeated.losses, rtol=1e-9)
    assert weighed.chosen == pytest.approx(repeated.chosen, rel=1e-9)
    flat = choice(X, y, None, folds)
    assert abs(flat.losses[0] - weighed.losses[0]) > 1e-3
