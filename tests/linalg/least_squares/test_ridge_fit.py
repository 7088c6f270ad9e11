"""What a least-squares fit says of itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.core import FitError
from margin.linalg import ridge
from margin.linalg.data._centred import centred
from margin.linalg.least_squares._ridge_fit import gradient_unit, penalised_half


@pytest.mark.parametrize("form", ["auto", "svd", "sparse"])
@pytest.mark.parametrize("shape", [(40, 3), (6, 9)])
@pytest.mark.parametrize("k", [1, 3])
def test_squares_are_those_of_each_target(k, shape, form):
    """linear.03: recomputed from the predictions, and the objective is half their penalised sum."""
    rng = np.random.default_rng(1)
    X, Y, s = rng.normal(size=shape), rng.normal(size=(shape[0], k)), rng.random(shape[0]) + 0.1
    data = sparse.csr_matrix(X) if form == "sparse" else X
    fit = ridge(data, Y, s, 0.4, method="svd" if form == "svd" else "auto")
    error = Y - X @ fit.coef - fit.intercept
    assert_allclose(fit.squares, s @ error**2, rtol=1e-9)
    assert_allclose(fit.objective, penalised_half(fit.squares / 2, fit.coef, 0.4), rtol=1e-12)


def test_unit_of_a_gradient_is_the_largest_moment_and_finite():
    view = centred(np.array([[0.0], [1.0]]), np.array([[0.0], [2.0]]), None, True, 1)
    assert gradient_unit(np.array([[-3.0]]), 1.0, view) == 3.0
    assert_allclose(gradient_unit(np.zeros((1, 1)), 1.0, view), 1e-6 * np.sqrt(2))
    with pytest.raises(FitError, match="must have finite sums of squares"):
        gradient_unit(np.zeros((1, 1)), np.inf, view)
