"""Rows of a linear model with their column of ones, against plain products."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim._design import Design

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 4)) * (RNG.random((12, 4)) < 0.6)


def design(kind, intercept):
    if kind == "dense":
        return Design(X, None, intercept)
    rows = sparse.csr_array(X)
    return Design(rows, rows.T.tocsr(), intercept)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("intercept", [True, False])
class TestAgainstNumpy:
    def whole(self, intercept):
        return np.column_stack([X, np.ones(12)]) if intercept else X

    def test_products(self, kind, intercept):
        coef, rows = RNG.normal(size=(4, 3)), RNG.normal(size=(12, 3))
        it = design(kind, intercept)
        assert_allclose(it.product(coef), X @ coef, atol=1e-14)
        assert_allclose(it.sums(rows), (self.whole(intercept).T @ rows).ravel(), atol=1e-14)

    @pytest.mark.parametrize(
        "weight", [np.ones(12), -np.ones(12), RNG.normal(size=12)], ids=["up", "down", "both"]
    )
    def test_gram(self, kind, intercept, weight):
        A = self.whole(intercept)
        assert_allclose(design(kind, intercept).gram(weight), A.T * weight @ A, atol=1e-13)


def test_no_rows():
    assert design("dense", True).gram(np.zeros(12)).tolist() == np.zeros((5, 5)).tolist()
    assert Design(X[:0], None, True).gram(np.empty(0)).tolist() == np.zeros((5, 5)).tolist()
