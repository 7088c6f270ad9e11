import numpy as np
import pytest
from scipy.stats import binom

from margin.causal import AverageEffect
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._estimated_propensity import variance_saved
from margin.causal.methods._matching import Matching
from margin.causal.methods._nuisance import Nuisance


def confounded(n, rng):
    x, z = rng.standard_normal((2, n))
    t = (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)
    return {"x": x, "z": z, "t": t, "y": x + z + t + rng.standard_normal(n)}


@pytest.mark.parametrize("k", [1, 4])
def test_errors_are_the_spread_over_samples(k):
    """causal.22: without the saving the variance would be half as large again"""
    values, variances, saved = [], [], []
    for seed in range(150):
        data = effect_data(
            "A", confounded(400, np.random.default_rng(seed)), ("t",), "y", ("x", "z")
        )
        scores = Matching(n_neighbors=k).scores(data, Nuisance())
        values.append(scores.values[0])
        variances.append(scores.variance[0])
        saved.append(variance_saved(data, scores.propensity[:, 1]))
    # two times the standard error of a variance of 150 values
    assert 0.77 < np.mean(variances) / np.var(values, ddof=1) < 1.3
    assert np.mean(saved) > 0.35 * np.mean(variances)


def test_coverage_with_the_default_propensity():
    """causal.22: nominal, by the variance and by the bootstrap of weights"""
    rng, inside, times = np.random.default_rng(1), np.zeros(2), 150
    models = [
        AverageEffect(None, "t", "y", ["x", "z"], "matching", level=0.9, n_bootstrap=b,
                      random_state=0)
        for b in (0, 200)
    ]  # fmt: skip
    for _ in range(times):
        frame = confounded(300, rng)
        for i, model in enumerate(models):
            low, high = model.fit(frame).interval_
            inside[i] += low <= 1 <= high
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert (low <= inside).all()
    assert (inside <= high).all()


def test_nothing_is_saved_where_the_propensity_is_given_or_others_are_asked_for():
    from sklearn.naive_bayes import GaussianNB

    frame = confounded(300, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", ("x", "z"))
    assert variance_saved(data, Nuisance().propensities(data)[:, 1]) > 0
    assert Nuisance().is_logistic(data)
    assert not Nuisance(propensity_model=GaussianNB()).is_logistic(data)
    assert not Nuisance(clip=0.01).is_logistic(data)
