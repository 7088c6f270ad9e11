"""Jeffrey's rule, virtual evidence, and both (inference.17, inference.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import JunctionTree, ZeroProbabilityError, enumerate_model, jeffrey

TABLES = [np.array([0.5, 0.3, 0.2]), np.array([[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]])]
TREE = JunctionTree.compile((3, 2), ((0,), (0, 1)))
SOFT = np.array([0.3, 0.15, 0.55])


def test_the_worked_example():
    """inference.17: beliefs (.3, .15, .55) give .63."""
    found = jeffrey(TREE, TABLES, [1], {0: SOFT})
    assert_allclose(found, [[0.37, 0.63]], atol=1e-14)


def test_one_hot_is_hard_and_the_answer_is_linear():
    hard = TREE.joint(TABLES, (1,), {0: 2})
    assert_allclose(jeffrey(TREE, TABLES, [1], {0: [0, 0, 1]}), hard, atol=1e-14)
    parts = [jeffrey(TREE, TABLES, [1], {0: np.eye(3)[k]})[0] for k in range(3)]
    assert_allclose(jeffrey(TREE, TABLES, [1], {0: SOFT})[0], SOFT @ parts, atol=1e-14)


def test_jeffrey_and_virtual_evidence_are_not_the_same():
    virtual = TREE.joint(TABLES, (1,), None, {0: SOFT})
    assert np.abs(virtual - jeffrey(TREE, TABLES, [1], {0: SOFT})).max() > 0.1
    # The likelihood that makes them the same divides by the prior.
    turned = TREE.joint(TABLES, (1,), None, {0: SOFT / TABLES[0]})
    assert_allclose(turned, jeffrey(TREE, TABLES, [1], {0: SOFT}), atol=1e-14)


def test_mixed_evidence_virtual_first_then_soft(random_model):
    model = random_model(np.random.default_rng(11), 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    rng = np.random.default_rng(0)
    likelihood = rng.random(model.cardinalities[1])
    soft = rng.dirichlet(np.ones(model.cardinalities[2]))
    found = jeffrey(tree, model.tables, [4], {2: soft}, None, {1: likelihood})[0]
    whole = enumerate_model(model).table * likelihood.reshape(1, -1, 1, 1, 1)
    pair = whole.sum(axis=(0, 1, 3))
    assert_allclose(found, soft @ (pair / pair.sum(1, keepdims=True)), atol=1e-13)


def test_two_soft_variables_are_taken_as_independent(random_model):
    model = random_model(np.random.default_rng(2), 4, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    p, q = (np.ones(model.cardinalities[v]) / model.cardinalities[v] for v in (0, 1))
    found = jeffrey(tree, model.tables, [3], {0: p, 1: q})[0]
    joint = enumerate_model(model, (0, 1, 3)).table
    wanted = np.einsum("i,j,ijk->k", p, q, joint / joint.sum(2, keepdims=True))
    assert_allclose(found, wanted, atol=1e-13)


def test_refusals():
    with pytest.raises(ValueError, match=r"soft\[0\] must be a distribution"):
        jeffrey(TREE, TABLES, [1], {0: [0.5, 0.5, 0.5]})
    with pytest.raises(ValueError, match="apart from the soft variables"):
        jeffrey(TREE, TABLES, [0], {0: SOFT})
    with pytest.raises(ZeroProbabilityError, match="probability zero"):
        jeffrey(TREE, [np.array([1.0, 0.0, 0.0]), TABLES[1]], [1], {0: SOFT})
