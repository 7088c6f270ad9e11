"""graphical.17 and graphical.18: Dirichlet posteriors of tables."""

import numpy as np
import pandas as pd
import pytest

from margin.graphical import DirichletNetwork
from margin.graphs import DAG
from margin.search import Categories, NetworkScore

RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (60, 3))
X[:, 2] = X[:, 0] | X[:, 1]
EDGES = [(0, 2), (1, 2)]


def test_golden_number():
    """graphical.18: three heads, one imaginary observation per side."""
    model = DirichletNetwork(prior=1.0).fit([["h"]] * 3, states={0: ["h", "t"]})
    np.testing.assert_allclose(model.tables()[0], [0.8, 0.2])


@pytest.mark.parametrize("prior", ["bdeu", "k2"])
def test_evidence_is_the_score_and_the_chain_of_predictions(prior):
    model = DirichletNetwork(edges=EDGES, prior=prior, equivalent_sample_size=3.0).fit(X)
    score = NetworkScore.of("Test", Categories.of("Test", X), prior, equivalent_sample_size=3.0)
    assert model.log_evidence_ == pytest.approx(score.total(DAG(3, EDGES).adjacency()))
    states = {j: [0, 1] for j in range(3)}
    total = 0.0
    for n in range(1, 13):
        past = DirichletNetwork(edges=EDGES, prior=prior, equivalent_sample_size=3.0)
        if n > 1:
            past.fit(X[: n - 1], states=states)
            total += past.log_prob(X[n - 1 : n])[0]
        else:
            total += past.fit(X[:1], states=states).log_evidence_
    twelve = DirichletNetwork(edges=EDGES, prior=prior, equivalent_sample_size=3.0)
    assert total == pytest.approx(twelve.fit(X[:12], states=states).log_evidence_)


def test_limits_of_the_prior():
    """graphical.17: without a prior, relative counts."""
    weak = DirichletNetwork(edges=EDGES, prior=1e-9).fit(X).tables()[2]
    np.testing.assert_allclose(weak[1, 1], [0, 1], atol=1e-6)
    strong = DirichletNetwork(edges=EDGES, prior=1e9).fit(X).tables()[2]
    np.testing.assert_allclose(strong, 0.5, atol=1e-6)


def test_draws_and_intervals():
    model = DirichletNetwork(edges=EDGES).fit(X)
    rng = np.random.default_rng(1)
    draws = np.array([model.sample_tables(rng)[2] for _ in range(2000)])
    np.testing.assert_allclose(draws.mean(axis=0), model.tables()[2], atol=0.02)
    low, high = model.interval(2, 0.9)
    inside = ((draws >= low) & (draws <= high)).mean(axis=0)
    np.testing.assert_allclose(inside, 0.9, atol=0.03)


def test_refusals():
    with pytest.raises(ValueError, match="DirichletNetwork: prior must be"):
        DirichletNetwork(prior=-1.0).fit(X)
    wide = np.arange(2)[:, None].repeat(41, axis=1)
    with pytest.raises(ValueError, match="edges must be a graph with tables of at most"):
        DirichletNetwork(edges=[(i, 40) for i in range(40)]).fit(wide)
    with pytest.raises(ValueError, match="without a directed cycle"):
        DirichletNetwork(edges=[(0, 1), (1, 0)]).fit(X)
    with pytest.raises(ValueError, match="without unknown values"):
        DirichletNetwork().fit(pd.DataFrame({"a": [1, 2]})).log_prob(pd.DataFrame({"a": [None]}))
