"""Loop-cut conditioning against enumeration (inference.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    FactorModel,
    MemoryLimitError,
    ZeroProbabilityError,
    enumerate_model,
    loop_cut_conditioning,
    loop_cutset,
)


@pytest.mark.parametrize("seed", range(8))
def test_marginals_and_evidence(seed, random_model):
    """inference.08: every value of the cutset, weighted by its probability."""
    model = random_model(np.random.default_rng(seed), 5, zeros=seed % 3 == 0)
    evidence = {1: 0} if seed % 2 else {}
    if enumerate_model(model, (0,), evidence).evidence_mass == 0:
        with pytest.raises(ZeroProbabilityError):
            loop_cut_conditioning(model, evidence)
        return
    found = loop_cut_conditioning(model, evidence)
    for v in range(5):
        oracle = enumerate_model(model, (v,), evidence)
        assert_allclose(found.marginals[v], oracle.table, atol=1e-12)
    assert found.log_evidence == pytest.approx(np.log(oracle.evidence_mass))
    assert found.n_runs == np.prod([model.cardinalities[v] for v in found.cutset])


def test_the_cutset_leaves_a_forest(random_model):
    for seed in range(20):
        model = random_model(np.random.default_rng(seed), 7)
        cut = loop_cutset(model)
        assert model.reduced(dict.fromkeys(cut, 0)).factor_graph.is_forest()
    tree = random_model(np.random.default_rng(0), 7, tree=True)
    assert loop_cutset(tree) == ()


def test_a_cutset_of_ones_own_and_one_that_is_too_large():
    pair = np.random.default_rng(0).random((2, 2))
    ring = FactorModel((2,) * 4, ((0, 1), (1, 2), (2, 3), (3, 0)), (pair,) * 4)
    one = loop_cut_conditioning(ring, cutset=[2])
    assert one.cutset == (2,)
    assert_allclose(one.marginals[0], loop_cut_conditioning(ring).marginals[0])
    with pytest.raises(ValueError, match="free of cycles"):
        loop_cut_conditioning(ring, cutset=[])
    n = 40
    scopes = tuple((i, j) for i in range(n) for j in range(i))
    complete = FactorModel((2,) * n, scopes, (pair,) * len(scopes))
    with pytest.raises(MemoryLimitError, match="joint states"):
        loop_cut_conditioning(complete)
