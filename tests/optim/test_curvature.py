"""Second derivatives of linear models, against differences of gradients."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.losses import Logistic, Softmax, Squared, Tukey
from margin.optim import LinearProblem
from margin.penalties import L2, Quadratic, Zero

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3))
TARGETS = {
    "Squared": RNG.normal(size=(20, 2)),
    "Logistic": RNG.integers(0, 2, 20).astype(float),
    "Softmax": np.resize(np.arange(3), 20),
    "Tukey": RNG.normal(size=20),
}
PENALTIES = [Zero(), L2(0.3), Quadratic(np.diag([1.0, 2.0, 3.0]) + 0.1, 0.5)]


def problem(loss, penalty, *, intercept, weight=None, rows=X):
    y = TARGETS[type(loss).__name__]
    n_outputs = 3 if isinstance(loss, Softmax) else 1
    return LinearProblem(rows, y, weight, loss, penalty, intercept, n_outputs)


def differences(it, x, step=1e-5):
    units = step * np.eye(len(x))
    return np.array([(it.expand(x + u).gradient - it.expand(x - u).gradient) for u in units]) / (
        2 * step
    )


@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    "loss", [Squared(), Logistic(), Softmax(), Tukey(2.0)], ids=lambda v: type(v).__name__
)
def test_product_is_the_slope_of_the_gradient(loss, intercept, penalty):
    weight = RNG.uniform(0.5, 2.0, size=20)
    it = problem(loss, penalty, intercept=intercept, weight=weight)
    x = RNG.normal(size=it.dimension)
    at = it.expand(x, second_order=True)
    wanted = differences(it, x)
    columns = np.array([at.hessian_product(unit) for unit in np.eye(len(x))])
    assert_allclose(columns, wanted, atol=1e-6 * np.abs(wanted).max())
    if not isinstance(loss, Softmax):
        assert_allclose(at.hessian(), columns, atol=1e-12 * np.abs(wanted).max())


def test_the_shift_of_all_class_scores_is_bent_where_nothing_else_bends_it():
    """Its direction has no gradient: Newton steps stay the same, the matrix is not singular."""
    it = problem(Softmax(), Zero(), intercept=True)
    x = RNG.normal(size=it.dimension)
    at = it.expand(x, second_order=True)
    added = at.hessian() - np.array([at.hessian_product(unit) for unit in np.eye(len(x))])
    assert np.linalg.matrix_rank(added, tol=1e-9) == 4  # a shift for each feature, and the ones
    assert np.linalg.eigvalsh(at.hessian()).min() > 0
    step = np.linalg.solve(at.hessian(), at.gradient)
    assert_allclose(at.hessian_product(step), at.gradient, atol=1e-10)


def test_sparse_rows_bend_as_dense_ones_do():
    dense = problem(Logistic(), L2(0.1), intercept=True)
    thin = problem(Logistic(), L2(0.1), intercept=True, rows=sparse.csr_array(X))
    x = RNG.normal(size=4)
    assert_allclose(
        thin.expand(x, second_order=True).hessian(),
        dense.expand(x, second_order=True).hessian(),
        rtol=1e-12,
    )
