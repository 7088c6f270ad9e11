import numpy as np
import pytest

from margin import distributions
from margin.search import DistanceCorrelation, distance_correlation


def test_the_function_is_one():
    assert distance_correlation is distributions.distance_correlation
    assert distance_correlation.__module__ == "margin.distributions"


def test_dependence_without_correlation_is_seen_and_a_condition_takes_it_away():
    rng = np.random.default_rng(0)
    z = rng.standard_normal(300)
    x, y = z**2 + rng.standard_normal(300), z**2 + rng.standard_normal(300)
    w = rng.standard_normal(300)
    test = DistanceCorrelation(np.column_stack([x, y, z, w]), n_permutations=199)
    assert test(0, 1).p_value < 0.02
    assert test(0, 2).p_value < 0.02
    assert test(0, 1, [2]).p_value > 0.05
    assert test(0, 3).p_value > 0.05


def test_p_values_are_uniform_under_independence():
    values = np.random.default_rng(1).standard_normal((60, 40))
    test = DistanceCorrelation(values, n_permutations=99, enough=100)
    p = np.array([test(2 * k, 2 * k + 1).p_value for k in range(20)])
    assert 0.25 < p.mean() < 0.75


def test_unknown_values_early_stops_and_refusals():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((50, 2))
    X[:45, 0] = np.nan
    assert not DistanceCorrelation(X)(0, 1).reliable
    X = rng.standard_normal((50, 2))
    early = DistanceCorrelation(X, n_permutations=10_000, enough=5)(0, 1)
    assert early.p_value > 0.01
    with pytest.raises(ValueError, match="DistanceCorrelation: enough must be an integer"):
        DistanceCorrelation(X, enough=0)
    with pytest.raises(ValueError, match="columns must be different"):
        DistanceCorrelation(X)(0, 0)
