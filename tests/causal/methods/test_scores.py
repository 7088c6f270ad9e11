import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._methods import METHODS
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import compared, mean_of

SMOOTH = ["naive", "regression", "ipw", "plain_ipw", "stabilised_ipw", "aipw", "tmle", "dml"]


def test_levels_are_compared_with_the_first():
    frame = {"t": [0, 1, 2], "y": [1.0, 2, 3]}
    data = effect_data("A", frame, ("t",), "y", ())
    scores = compared(data, np.array([1.0, 3.0, 6.0]), np.eye(3))
    assert scores.values.tolist() == [2, 5]
    assert scores.influence.tolist() == [[-1, -1], [1, 0], [0, 1]]
    assert scores.means == {0: 1.0, 1: 3.0, 2: 6.0}
    assert mean_of(np.array([[1.0], [4.0]]), np.array([2.0, 1.0])) == 2.0


@pytest.mark.parametrize("name", SMOOTH)
def test_influence_functions_are_derivatives_in_the_weights(name):
    """The oracle of every error: a row's score is what a little more of its weight changes."""
    frame = study(300, np.random.default_rng(1))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    nuisance = Nuisance(n_folds=1)
    scores = METHODS[name].scores(data, nuisance)
    assert_allclose(METHODS[name].estimate(data, nuisance), scores.values)
    step = 1e-4
    for row in (0, 7, 150):
        weight = np.ones(300)
        weight[row] += step
        up = METHODS[name].scores(data.weighted(weight), nuisance).values
        weight[row] -= 2 * step
        down = METHODS[name].scores(data.weighted(weight), nuisance).values
        slope = (up - down) / (2 * step) * 300
        # Cross-fitted scores leave out the nuisances, whose derivative vanishes on average only.
        loose = 0.25 if name in ("aipw", "tmle", "dml") else 5e-3
        assert_allclose(scores.influence[row], slope, atol=loose, rtol=0.05)
    assert_allclose(scores.influence.mean(axis=0), 0, atol=1e-6 if name != "tmle" else 1e-2)
