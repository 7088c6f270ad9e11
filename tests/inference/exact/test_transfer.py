"""Transfer matrices against elimination (inference.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import FactorModel, eliminate, transfer


def test_a_chain_by_matrices_is_the_chain_by_elimination():
    """inference.06: a chain is a product of matrices."""
    rng = np.random.default_rng(0)
    cards = (3, 2, 4, 3)
    matrices = [rng.random((cards[k], cards[k + 1])) for k in range(3)]
    last = rng.random(3)
    vector, log_scale = transfer(matrices, last)
    model = FactorModel(cards, ((0, 1), (1, 2), (2, 3), (3,)), (*matrices, last))
    found = eliminate(model, (0,))
    assert_allclose(vector, found.table, atol=1e-14)
    assert log_scale == pytest.approx(found.log_evidence)
    assert_allclose(vector * np.exp(log_scale), matrices[0] @ (matrices[1] @ (matrices[2] @ last)))


def test_a_long_chain_does_not_underflow_and_a_broken_one_is_empty():
    step = np.array([[0.9, 0.2], [0.1, 0.8]]) * 1e-100
    vector, log_scale = transfer([step] * 10_000, [1.0, 0.0])
    assert_allclose(vector, [2 / 3, 1 / 3])
    assert log_scale == pytest.approx(-10_000 * 100 * np.log(10))
    vector, log_scale = transfer([np.ones((3, 2)), np.zeros((2, 2))], [1.0, 1.0])
    assert log_scale == -np.inf
    assert vector.tolist() == [0.0, 0.0, 0.0]
    assert transfer([], [1.0, 3.0])[0].tolist() == [0.25, 0.75]


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"matrices\[0\] must be with 2 columns"):
        transfer([np.ones((2, 3))], [1.0, 1.0])
    with pytest.raises(ValueError, match="finite and non-negative"):
        transfer([], [1.0, -1.0])
