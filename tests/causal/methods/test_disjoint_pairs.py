import numpy as np

from margin.causal.methods._disjoint_pairs import disjoint_pairs


def test_optimal_pairs_cost_no_more_than_greedy_ones():
    """causal.22: Hungarian against greedy"""
    rng = np.random.default_rng(0)
    for _ in range(20):
        cost = rng.random((6, 9))
        greedy, best = (disjoint_pairs(cost, pairing=p) for p in ("greedy", "optimal"))
        assert len(greedy[0]) == len(best[0]) == 6
        assert cost[best].sum() <= cost[greedy].sum() + 1e-12
        assert cost[disjoint_pairs(cost, 0.1, "optimal")].max(initial=0) <= 0.1
        assert cost[disjoint_pairs(cost, 0.1)].max(initial=0) <= 0.1
