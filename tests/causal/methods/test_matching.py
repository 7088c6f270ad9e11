import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._matching import Matching, alike, disjoint_pairs, partners
from margin.causal.methods._nuisance import Nuisance


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("target", ["ate", "att"])
def test_against_loops(k, target):
    """causal.22: imputed counterfactuals and the errors of Abadie and Imbens, row by row"""
    rng = np.random.default_rng(0)
    x, y, t = rng.random(40), rng.random(40), rng.integers(0, 2, 40)
    data = effect_data("A", {"x": x, "t": t, "y": y}, ("t",), "y", ("x",), target=target)
    found = Matching(on="covariates", n_neighbors=k).scores(data, Nuisance())
    use = np.ones(40) if target == "ate" else (t == 1) * 1.0
    gain, served = np.zeros(40), np.zeros(40)
    for i in range(40):
        other = np.flatnonzero(t != t[i])
        near = other[np.argsort(np.abs(x[other] - x[i]))[:k]]
        gain[i] = (2 * t[i] - 1) * (y[i] - y[near].mean())
        served[near] += use[i]
    tau = (use @ gain) / use.sum()
    assert_allclose(found.values, tau)
    sigma = np.zeros(40)
    for i in range(40):
        same = np.flatnonzero((t == t[i]) & (np.arange(40) != i))
        sigma[i] = (y[i] - y[same[np.argmin(np.abs(x[same] - x[i]))]]) ** 2 / 2
    K = served
    if target == "ate":
        extra = (K / k) ** 2 + (2 * k - 1) / k * (K / k)
    else:
        extra = (
            np.where(t == 0, K * (K - 1) / k**2 + 0 * K, 0) if k == 1 else (K / k) ** 2 - K / k**2
        )
    variance = (use @ (gain - tau) ** 2 + extra @ sigma) / use.sum() ** 2
    assert_allclose(found.variance, variance)


def test_rows_at_one_place_are_partners_together():
    found = partners(np.zeros((3, 1)), np.array([1.0, 2.0, 6.0]), np.ones((1, 1)), 1)
    assert found.mean == 3
    assert_allclose(found.shares(np.array([1.0])), 1 / 3)
    mean, noise = alike(np.zeros((3, 1)), np.array([0.0, 3.0, 3.0]))
    assert_allclose(mean, [3, 1.5, 1.5])
    assert_allclose(noise, [6, 1.5, 1.5])


def test_optimal_pairs_cost_no_more_than_greedy_ones():
    """causal.22: Hungarian against greedy; the estimates hardly differ"""
    rng = np.random.default_rng(0)
    for _ in range(20):
        cost = rng.random((6, 9))
        greedy, best = (disjoint_pairs(cost, pairing=p) for p in ("greedy", "optimal"))
        assert len(greedy[0]) == len(best[0]) == 6
        assert cost[best].sum() <= cost[greedy].sum() + 1e-12
        assert cost[disjoint_pairs(cost, 0.1, "optimal")].max(initial=0) <= 0.1
        assert cost[disjoint_pairs(cost, 0.1)].max(initial=0) <= 0.1
    frame = study(300, np.random.default_rng(3))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    two = [
        Matching(replacement=False, caliper=0.05, pairing=p).scores(data, Nuisance())
        for p in ("greedy", "optimal")
    ]
    assert abs(two[0].values - two[1].values) < 0.3
    assert abs(two[1].values[0] - 2) < 0.6
    assert "have no partner" in two[0].notes[0]


def test_calipers_leave_rows_out():
    frame = study(300, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    assert (
        "no partner within the caliper" in Matching(caliper=1e-3).scores(data, Nuisance()).notes[0]
    )
    with pytest.raises(ValueError, match="caliper must be wide enough"):
        Matching(caliper=1e-15, replacement=False).scores(data, Nuisance())
    with pytest.raises(ValueError, match="n_neighbors must be at most"):
        Matching(n_neighbors=299).scores(data, Nuisance())
