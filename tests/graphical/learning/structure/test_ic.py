"""graphical.33: inductive causation."""

import numpy as np
import pytest

from margin.graphical import IC, PC
from margin.graphs import DAG, cpdag
from margin.search import Oracle


@pytest.mark.parametrize("seed", range(5))
def test_an_oracle_gives_the_class_with_more_tests_than_pc(seed):
    """graphical.33."""
    rng = np.random.default_rng(seed)
    dag = DAG.from_adjacency(np.triu(rng.random((7, 7)) < 0.25, 1).astype(int))
    model = IC(test=Oracle(dag)).fit()
    assert model.graph_ == cpdag(dag)
    assert sum(model.n_tests_) >= sum(PC(test=Oracle(dag), max_cond_size=None).fit().n_tests_)


def test_separating_sets_are_smallest():
    dag = DAG(5, [(0, 2), (1, 2), (2, 3), (2, 4), (3, 4)])
    assert IC(test=Oracle(dag)).fit().separators_[0, 4] == (2,)


def test_bad_parameters():
    with pytest.raises(ValueError, match="IC: max_cond_size must be"):
        IC(max_cond_size=-1).fit(np.zeros((3, 2)))
