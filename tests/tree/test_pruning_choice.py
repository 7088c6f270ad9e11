import numpy as np

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
