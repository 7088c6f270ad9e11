import numpy as np
import pytest

from margin.core import Status
from margin.ensemble.boosting._boost import Watched, boost
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._objective import SquaredObjective
from margin.search import Bins, GrowthRules

RULES = GrowthRules(max_leaf_nodes=6, min_samples_leaf=10)


def run(settings, watched_rows=0, n=400, interrupt_at=None):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))
    y = X[:, 0] + rng.standard_normal(n)
    bins = Bins.of(X)
    raw = np.zeros((1, n))
    watched = None
    if watched_rows:
        new = rng.standard_normal((watched_rows, 3))
        target = new[:, 0]
        watched = Watched(
            bins.encode(new),
            np.zeros((1, watched_rows)),
            lambda scores: float(np.mean((scores[0] - target) ** 2)),
        )

    def callback(stage, value):
        if stage == interrupt_at:
            raise KeyboardInterrupt

    solution = boost(
        bins,
        bins.encode(X),
        SquaredObjective(y, None),
        raw,
        None,
        settings,
        watched=watched,
        n_threads=1,
        callback=callback,
    )
    return solution, X, y, raw


def test_scores_are_the_sum_of_the_trees():
    solution, X, y, raw = run(BoostSettings(8, 0.3, RULES))
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == solution.x.n_trees == 8
    np.testing.assert_allclose(solution.x.forest().predict(X)[:, 0], raw[0])
    assert solution.objective == pytest.approx(0.5 * np.mean((raw[0] - y) ** 2))
    assert (np.diff(solution.trace["objective"]) < 0).all()


@pytest.mark.parametrize("change", [{"subsample": 0.4}, {"one_side": True}])
def test_rows_that_were_not_drawn_get_the_trees_too(change):
    solution, X, _, raw = run(BoostSettings(8, 0.5, RULES, **change))
    forest = solution.x.forest()
    np.testing.assert_allclose(forest.predict(X)[:, 0], raw[0])
    roots = forest.n_rows[forest.offsets[:-1]]
    # One-side sampling: a fifth and a tenth of the rows, after the first two stages.
    expected = [160] * 8 if "subsample" in change else [400] * 2 + [120] * 6
    assert roots.tolist() == expected


def test_patience():
    solution, _, _, _ = run(BoostSettings(500, 0.5, RULES, patience=5), watched_rows=100)
    assert solution.status is Status.CONVERGED
    watched = solution.trace["watched"]
    assert solution.n_iter < 500
    assert watched[-5:].min() >= watched[-6] - 1e-7


def test_interruption_leaves_what_was_grown():
    solution, _, _, _ = run(BoostSettings(50, 0.1, RULES), interrupt_at=4)
    assert solution.interrupted
    assert solution.x.n_trees == solution.n_iter == 4
