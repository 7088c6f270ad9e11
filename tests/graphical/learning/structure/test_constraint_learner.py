"""What learners by tests store."""

import numpy as np
import pytest

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
    assert np.isnan(model.score_)


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
