import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier, DummyRegressor
from worlds import COVARIATES, study

from margin.causal.methods._doubly_robust import DoublyRobust, TargetedLikelihood
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._groups import NaiveDifference
from margin.causal.methods._nuisance import Nuisance


@pytest.mark.parametrize("method", [DoublyRobust(), TargetedLikelihood()])
@pytest.mark.parametrize(
    "wrong",
    [{"propensity_model": DummyClassifier()}, {"outcome_model": DummyRegressor()}, {}],
    ids=["wrong propensity", "wrong regression", "both right"],
)
def test_one_right_model_is_enough(method, wrong):
    frame = study(6000, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    naive = NaiveDifference().scores(data, Nuisance()).values[0]
    scores = method.scores(data, Nuisance(**wrong))
    error = np.sqrt((scores.influence**2).sum()) / data.n
    assert abs(scores.values[0] - 2) < 4 * error + 0.02 < 0.3 < naive - 2


def test_targeted_estimates_stay_in_range():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(500)
    t = (rng.random(500) < 1 / (1 + np.exp(-2 * x))).astype(int)
    y = (rng.random(500) < 0.98).astype(float)
    data = effect_data("A", {"x": x, "t": t, "y": y}, ("t",), "y", ("x",))
    means = TargetedLikelihood().scores(data, Nuisance()).means
    assert all(0 <= m <= 1 for m in means.values())


def test_the_treated():
    """With an effect of 1 + x the treated gain more."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal(40_000)
    t = (rng.random(len(x)) < 1 / (1 + np.exp(-x))).astype(int)
    frame = {"x": x, "t": t, "y": (1 + x) * t + rng.standard_normal(len(x))}
    for target, truth in (
        ("ate", 1.0),
        ("att", 1 + x[t == 1].mean()),
        ("atc", 1 + x[t == 0].mean()),
    ):
        data = effect_data("A", frame, ("t",), "y", ("x",), target=target)
        for method in (DoublyRobust(), TargetedLikelihood()):
            assert_allclose(method.scores(data, Nuisance()).values, truth, atol=0.06)
