"""Factors that sum to one are dropped, others are not."""

import numpy as np
from numpy.testing import assert_allclose

from margin.inference import JunctionTree, enumerate_model
from margin.inference.exact._barren import kept_factors


def test_only_ancestors_of_targets_and_evidence_are_kept(random_model):
    rng = np.random.default_rng(0)
    model = random_model(rng, 7, directed=True)
    hidden = np.ones(7, dtype=bool)
    assert kept_factors(model.scopes, model.tables, hidden, [0]) == (0,)
    assert kept_factors(model.scopes, model.tables, hidden, range(7)) == tuple(range(7))
    hidden[6] = False
    kept = kept_factors(model.scopes, model.tables, hidden, [0])
    assert 6 in kept
    assert {u for f in kept for u in model.scopes[f]} == set(kept)


def test_unnormalised_factors_are_kept():
    tables = [np.array([0.5, 0.5]), np.array([[0.5, 0.5], [0.5, 0.6]])]
    assert kept_factors([(0,), (0, 1)], tables, np.array([True, True]), [0]) == (0, 1)


def test_pruned_answers_are_those_of_enumeration(random_model):
    """Many rows, so that the pruning is switched on."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        model = random_model(rng, 6, directed=True)
        tree = JunctionTree.compile(model.cardinalities, model.scopes)
        rows = np.full((20, 6), -1)
        rows[:, 3] = rng.integers(model.cardinalities[3], size=20)
        found = tree.joint(model.tables, (1, 4), rows)
        for row in (0, 7, 19):
            wanted = enumerate_model(model, (1, 4), {3: int(rows[row, 3])}).table
            assert_allclose(found[row], wanted, atol=1e-13)
