"""Variable elimination and its cost (inference.04, inference.05, inference.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    FactorModel,
    MemoryLimitError,
    eliminate,
    enumerate_model,
    naive_operations,
)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("order", ["min-fill", "min-degree", "min-weight"])
def test_posteriors_and_evidence_likelihood(seed, order, random_model):
    """inference.04, inference.07: elimination, bucket by bucket, against the whole table."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 6)
    evidence = {1: 0, 4: model.cardinalities[4] - 1}
    found = eliminate(model, (3, 1, 0), evidence, order=order)
    wanted = enumerate_model(model, (3, 1, 0), evidence)
    assert_allclose(found.table, wanted.table, atol=1e-13)
    assert found.log_evidence == pytest.approx(np.log(wanted.evidence_mass))
    assert sorted(found.order) == [2, 5]


def test_any_order_gives_the_same_answer_at_its_own_price(random_model):
    rng = np.random.default_rng(1)
    model = random_model(rng, 6)
    answers = [eliminate(model, (0,), order=1 + rng.permutation(5)) for _ in range(5)]
    for answer in answers:
        assert_allclose(answer.table, answers[0].table, atol=1e-13)


@pytest.mark.parametrize(("b", "naive", "grouped"), [(2, 32, 16), (10, 20_000, 1_200)])
def test_the_distributive_law_saves_operations(b, naive, grouped):
    """inference.05: 2 b^4 against b^3 + 2 b^2."""
    tables = (np.ones((b, b, b)), np.ones((b, b)))
    model = FactorModel((b,) * 4, ((0, 1, 2), (0, 3)), tables)
    assert naive_operations(model, (0, 2)).total == naive
    assert eliminate(model, (0, 2), order=[1, 3]).operations.total == grouped


@pytest.mark.parametrize(("n", "k"), [(4, 2), (6, 3)])
def test_additions_on_a_chain(n, k):
    """Seven additions against five for four binary variables, one of them observed."""
    scopes = (*((i, i + 1) for i in range(n - 1)), (n - 1,))
    tables = (*(np.ones((k, k)),) * (n - 1), np.ones(k))
    model = FactorModel((k,) * n, scopes, tables)
    assert naive_operations(model, (), {0: 0}).additions == k ** (n - 1) - 1
    found = eliminate(model, (), {0: 0}, order=range(n - 1, 0, -1)).operations.additions
    assert found == (n - 2) * k * (k - 1) + (k - 1)
    if (n, k) == (4, 2):
        assert (k ** (n - 1) - 1, found) == (7, 5)


def test_impossible_evidence_variables_alone_and_empty_models():
    model = FactorModel((2, 3), ((0,),), ([1.0, 0.0],))
    assert eliminate(model, (), {0: 1}).log_evidence == -np.inf
    assert not eliminate(model, (1,), {0: 1}).table.any()
    assert np.exp(eliminate(model).log_evidence) == pytest.approx(3.0)
    assert_allclose(eliminate(model, (1,)).table, [1 / 3] * 3)
    assert eliminate(FactorModel((), (), ())).log_evidence == 0.0


def test_a_bad_order_and_a_table_too_large_are_refused():
    model = FactorModel((2, 2), ((0, 1),), (np.ones((2, 2)),))
    with pytest.raises(ValueError, match="order must be a permutation"):
        eliminate(model, (), order=[0])
    with pytest.raises(ValueError, match="order must be a sequence or one of"):
        eliminate(model, (), order="best")
    star = FactorModel((10,) * 10, tuple((0, k) for k in range(1, 10)), (np.ones((10, 10)),) * 9)
    with pytest.raises(MemoryLimitError, match="another order"):
        eliminate(star, (), order=range(10))
    assert np.isfinite(eliminate(star).log_evidence)
