"""Sum-product on trees (inference.10, inference.11, inference.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphs import FactorGraph
from margin.inference import FactorModel, JunctionTree, KBest, enumerate_model, sum_product


@pytest.mark.parametrize("seed", range(12))
def test_marginals_and_mass_of_random_trees(seed, random_model):
    """inference.10: two passes give every marginal and the mass."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, int(rng.integers(1, 8)), tree=True, zeros=seed % 3 == 0)
    evidence = {0: 0} if seed % 2 else {}
    beliefs = sum_product(model, evidence)
    for v in range(model.n_variables):
        oracle = enumerate_model(model, (v,), evidence)
        assert_allclose(beliefs.marginals[v], oracle.table, atol=1e-13)
    with np.errstate(divide="ignore"):
        assert_allclose(beliefs.log_evidence, np.log(oracle.evidence_mass), atol=1e-12)


def test_the_mass_is_the_same_from_every_variable(random_model):
    model = random_model(np.random.default_rng(4), 6, tree=True)
    costs = sum_product(model, semiring="min-sum")
    assert_allclose([m.min() for m in costs.marginals], costs.log_evidence)
    best = enumerate_model(model)
    assert_allclose(np.exp(-costs.log_evidence), best.table.max() * best.evidence_mass)
    count = sum_product(model, semiring="counting")
    assert {int(m.sum()) for m in count.marginals} == {int(np.prod(model.cardinalities))}


def test_k_best_messages(random_model):
    model = random_model(np.random.default_rng(6), 5, tree=True)
    oracle = enumerate_model(model)
    ranked = np.sort(np.log(oracle.table * oracle.evidence_mass).ravel())[::-1]
    assert_allclose(sum_product(model, semiring=KBest(4)).log_evidence, ranked[:4], atol=1e-12)


def longest_path(graph):
    """Diameter by breadth-first search from every node."""
    around = {node: set() for node in graph.nodes}
    for a, b in graph.edges:
        around[a].add(b)
        around[b].add(a)
    longest = 0
    for start in graph.nodes:
        distance, queue = {start: 0}, [start]
        for node in queue:
            for other in around[node] - distance.keys():
                distance[other] = distance[node] + 1
                queue.append(other)
        longest = max(longest, *distance.values())
    return longest


@pytest.mark.parametrize("seed", range(10))
def test_rounds_are_the_diameter_of_the_factor_tree(seed, random_model):
    model = random_model(np.random.default_rng(seed), 7, tree=True)
    graph = FactorGraph(model.n_variables, model.scopes)
    assert sum_product(model).rounds == longest_path(graph)


def test_a_chain_of_ten_thousand_factors_stays_finite():
    """inference.11: the plain product of these factors is zero in floating point."""
    n = 10_000
    step = np.array([[0.09, 0.01], [0.02, 0.08]])
    model = FactorModel((2,) * (n + 1), tuple((k, k + 1) for k in range(n)), (step,) * n)
    beliefs = sum_product(model)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    assert beliefs.log_evidence == pytest.approx(tree.log_evidence(model.tables)[0], rel=1e-12)
    assert_allclose(beliefs.marginals[n // 2], [2 / 3, 1 / 3], atol=1e-12)


def test_cycles_are_refused_and_constants_counted():
    ring = FactorModel((2,) * 3, ((0, 1), (1, 2), (2, 0)), (np.ones((2, 2)),) * 3)
    with pytest.raises(ValueError, match="free of cycles"):
        sum_product(ring)
    model = FactorModel((2,), ((), (0,), (0,)), (3.0, [1.0, 2.0], [1.0, 0.5]))
    assert np.exp(sum_product(model).log_evidence) == pytest.approx(6.0)
