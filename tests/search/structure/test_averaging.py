"""graphical.38: averages over graphs."""

import numpy as np
import pytest

from margin.search import (
    Categories,
    Knowledge,
    NetworkScore,
    Walk,
    average_graphs,
    sample_orders,
)


def score_of(n_columns, n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, n_columns))
    X[:, -1] = X[:, 0] ^ (rng.random(n) < 0.15)
    return NetworkScore.of("Test", Categories.of("Test", X), "bdeu", equivalent_sample_size=2.0)


@pytest.mark.parametrize(("n", "number"), [(1, 1), (2, 3), (3, 25), (4, 543)])
def test_number_of_graphs(n, number):
    """graphical.38: 1, 3, 25, 543 graphs."""
    assert len(average_graphs(score_of(n), Knowledge.none(n)).log_scores) == number


def test_posterior_is_symmetric_between_equivalent_graphs():
    found = average_graphs(score_of(3), Knowledge.none(3)).probability
    assert found[0, 2] + found[2, 0] > 0.95
    pair = average_graphs(score_of(2), Knowledge.none(2)).probability
    assert pair[0, 1] == pytest.approx(pair[1, 0])


def test_knowledge_is_certain():
    known = Knowledge.of("Test", range(3), required=[(1, 0)], forbidden=[(2, 0)])
    found = average_graphs(score_of(3), known).probability
    assert found[1, 0] == pytest.approx(1.0)
    assert found[2, 0] == 0
    walked = sample_orders(score_of(3), known, np.random.default_rng(0), n_samples=200)
    assert walked.probability[1, 0] == pytest.approx(1.0)


def test_orders_agree_with_graphs_where_one_arc_matters():
    score = score_of(4, n=200)
    exact = average_graphs(score, Knowledge.none(4)).probability
    walk = sample_orders(score, Knowledge.none(4), np.random.default_rng(1), n_samples=3000)
    joined, walked = exact + exact.T, walk.probability + walk.probability.T
    # The priors differ (uniform over graphs, uniform over orders), so only roughly.
    np.testing.assert_allclose(walked, joined, atol=0.12)
    assert walked[0, 3] > 0.99


def test_too_many_nodes_are_refused():
    with pytest.raises(ValueError, match="at most 5 nodes, got 6"):
        average_graphs(score_of(6), Knowledge.none(6))


def test_contradiction_is_refused():
    known = Knowledge.of("Test", range(2), required=[(0, 1)])
    known.forbidden[0, 1] = 1
    with pytest.raises(ValueError, match="no graph"):
        average_graphs(score_of(2), known)


def test_a_walk_is_shortened_in_proportion():
    walk = Walk(1000, 500, 10)
    assert walk.within(1e12, n_nodes=10, n_sets=176) is walk
    step = 36_051 * (61 / 3 + 6)
    half = walk.within(10_500 * step / 2, n_nodes=60, n_sets=36_051)
    assert half == Walk(500, 250, 10)
    assert walk.within(1.0, n_nodes=60, n_sets=36_051) == Walk(10, 0, 10)
    assert Walk(3, 0, 1).within(1.0, n_nodes=60, n_sets=36_051).n_samples == 3
