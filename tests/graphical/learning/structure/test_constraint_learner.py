"""What learners by tests store."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.graphical import IC, PC
from margin.graphical.learning.structure._constraint_learner import ConstraintLearner
from margin.graphs import DAG
from margin.search import Oracle

TRUTH = DAG.from_edges([("rain", "wet"), ("hose", "wet"), ("wet", "slip")])


@pytest.mark.parametrize("kind", [PC, IC])
def test_evidence_of_the_tests(kind):
    model = kind(test=Oracle(TRUTH)).fit()
    removed = {frozenset(pair): given for pair, given in model.separators_.items()}
    assert removed[frozenset(("rain", "hose"))] == ()
    assert removed[frozenset(("rain", "slip"))] == ("wet",)
    assert set(map(frozenset, model.edge_p_values_)) == set(map(frozenset, TRUTH.edges))
    assert sum(model.n_tests_) > 0
    assert model.score_ is None


@pytest.mark.parametrize("kind", [PC, IC])
def test_refusals(kind):
    rows, name = [[0, 1], [1, 0]], kind.__name__
    with pytest.raises(ValueError, match=f"{name}: alpha must be"):
        kind(alpha=2.0).fit(rows)
    with pytest.raises(ValueError, match=f"{name}: max_cond_size must be"):
        kind(max_cond_size=-1).fit(rows)
    with pytest.raises(ValueError, match=f"{name}: aggregate must be one of"):
        kind(aggregate="mean").fit(rows)


def test_abstract():
    with pytest.raises(TypeError, match="abstract"):
        ConstraintLearner()


@pytest.mark.parametrize("kind", [PC, IC])
def test_a_search_that_runs_out_of_tests_says_so(kind):
    rng = np.random.default_rng(3)
    X = (rng.random((300, 1)) < 0.5) ^ (rng.random((300, 12)) < 0.02)
    with pytest.warns(ConvergenceWarning, match="stopped after max_tests=200 tests"):
        model = kind(max_tests=200).fit(X.astype(int))
    assert sum(model.n_tests_) <= 200
    with pytest.raises(ValueError, match=f"{kind.__name__}: max_tests must be"):
        kind(max_tests=0).fit(X.astype(int))
