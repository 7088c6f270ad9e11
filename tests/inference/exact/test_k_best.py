"""The k best assignments against sorting them all (inference.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import JunctionTree, KBest, ZeroProbabilityError, eliminate, enumerate_model


@pytest.mark.parametrize("seed", range(8))
def test_the_k_best_are_the_first_of_the_sorted_table(seed, random_model):
    """inference.13: the k best assignments in order."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, zeros=seed % 2 == 1)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    table = enumerate_model(model)
    if table.evidence_mass == 0:
        with pytest.raises(ZeroProbabilityError):
            tree.mpe(model.tables, k=4)
        return
    k = 12
    values, states = tree.mpe(model.tables, k=k)
    with np.errstate(divide="ignore"):
        ranked = np.sort(np.log(table.table * table.evidence_mass).ravel())[::-1][:k]
    count = int(np.isfinite(ranked).sum())
    assert_allclose(values[0, :count], ranked[:count], atol=1e-10)
    assert (values[0, count:] == -np.inf).all()
    assert len({tuple(s) for s in states[0, :count]}) == count
    assert_allclose(model.log_prob(states[0, :count]), ranked[:count], atol=1e-10)
    algebra = eliminate(model, semiring=KBest(k)).table
    assert_allclose(algebra[:count], ranked[:count], atol=1e-10)


def test_k_best_with_evidence_for_several_rows(random_model):
    rng = np.random.default_rng(0)
    model = random_model(rng, 4)
    assert sum(c > 1 for c in model.cardinalities) > 2
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    rows = np.array([[0, -1, -1, -1], [-1, -1, -1, 0]])
    values, states = tree.mpe(model.tables, rows, k=2)
    assert states.shape == (2, 2, 4)
    assert (states[0, :, 0] == 0).all()
    assert (states[1, :, 3] == 0).all()
    assert_allclose(values[:, 0], tree.mpe(model.tables, rows)[0], atol=1e-12)
