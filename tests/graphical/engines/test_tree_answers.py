"""Answers read off trees that leave variables out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, Soft, Virtual
from margin.graphical.engines._engine import Question
from margin.graphical.engines._tree_answers import marginals, query

NET = BayesianNetwork.from_edges(
    [("a", "b"), ("b", "c"), ("b", "d")],
    {
        "a": [0.3, 0.7],
        "b": [[0.9, 0.1], [0.4, 0.6]],
        "c": [[0.5, 0.5], [0.2, 0.8]],
        "d": [[0.1, 0.9], [0.7, 0.3]],
    },
)
JOINT = np.einsum("a,ab,bc,bd->abcd", *(NET.table(n) for n in "abcd"))
DOMAIN, TREE = NET._model.domain, NET._engine().tree


def test_evidence_moves_with_the_variables_that_are_kept():
    """c is left out: virtual and soft evidence on d keep their place."""
    for weak, likelihood in ((Virtual([1.0, 3.0]), [1.0, 3.0]), (Soft([0.2, 0.8]), None)):
        answer = query(DOMAIN, TREE, Question(["a"], {"d": weak})).values
        if likelihood is None:
            likelihood = np.array([0.2, 0.8]) / JOINT.sum(axis=(0, 1, 2))
        expected = np.einsum("abcd,d->a", JOINT, likelihood)
        assert_allclose(answer, expected / expected.sum(), rtol=1e-12)


def test_marginals_of_a_smaller_tree():
    values = marginals(DOMAIN, TREE(["a", "c"]), {"c": 1})
    assert list(values) == ["a", "b", "c"]
    expected = JOINT[:, :, 1].sum(axis=(1, 2))
    assert_allclose(values["a"], expected / expected.sum(), rtol=1e-12)


@pytest.mark.parametrize("kind", ["map", "k-best"])
def test_best_of_a_table_is_summed_over_the_rest(kind):
    table = JOINT[..., 0].sum(axis=1)
    table = table / table.sum()
    answer = query(DOMAIN, TREE, Question(["c", "a"], {"d": 0}, kind, k=2))
    best = answer.values.reshape(-1, 2)[0]
    assert_allclose(table[best[1], best[0]], table.max())
    assert_allclose(np.exp(np.ravel(answer.log_prob)[0]), table.max(), rtol=1e-12)
