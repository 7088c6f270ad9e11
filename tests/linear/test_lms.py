import numpy as np
import pytest
from scipy import sparse

from margin.core import Status
from margin.linear import LMS, LinearRegression


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return X, X @ [1.0, -2.0, 0.5] + 3.0 + 0.1 * rng.normal(size=80)


def quiet(model, *args):
    """Fit with too few epochs on purpose."""
    with pytest.warns(UserWarning, match="max_iter"):
        return model.fit(*args)


def test_one_batch_step_by_hand():
    """linear.04: from zero, w = eta / n times the sum of y x."""
    X, y = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([1.0, 3.0])
    model = quiet(LMS(learning_rate=0.1, max_iter=1, fit_intercept=False), X, y)
    np.testing.assert_allclose(model.coef_, 0.1 / 2 * np.array([1 * 1 + 3 * 2, 3 * 1]))


def test_one_batch_step_with_an_intercept_that_starts_at_the_mean():
    """linear.04: the errors of the first step are the deviations from the mean of the targets."""
    X, y, share = np.array([[1.0], [2.0], [6.0]]), np.array([1.0, 3.0, 5.0]), np.array([1, 2, 1])
    model = quiet(LMS(learning_rate=0.05, max_iter=1), X, y, share)
    errors = y - 3.0
    np.testing.assert_allclose(model.coef_, 0.05 / 4 * (share * errors) @ X)
    assert model.intercept_ == pytest.approx(3.0 + 0.05 / 4 * (share @ errors))


def test_one_stochastic_step_by_hand():
    """linear.04: on one row the stochastic rule is w + eta (y - w x) x, epoch after epoch."""
    X, y, eta = np.array([[2.0]]), np.array([3.0]), 0.1
    model = quiet(LMS(rule="stochastic", learning_rate=eta, max_iter=1, fit_intercept=False), X, y)
    np.testing.assert_allclose(model.coef_, [eta * 3.0 * 2.0])


@pytest.mark.parametrize("rule", ["batch", "stochastic"])
def test_approaches_least_squares(data, rule):
    """linear.04: both rules end at the least-squares solution."""
    X, y = data
    wanted = LinearRegression().fit(X, y)
    model = LMS(rule=rule, tol=1e-6 if rule == "batch" else 1e-3).fit(X, y)
    assert model.fit_report_.status is Status.CONVERGED
    atol = 1e-4 if rule == "batch" else 1e-2
    np.testing.assert_allclose(model.coef_, wanted.coef_, atol=atol)
    assert model.intercept_ == pytest.approx(wanted.intercept_, abs=atol)
    same = LMS(rule=rule, tol=model.tol).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(same.coef_, model.coef_, atol=atol / 100)
    again = LMS(rule=rule, tol=model.tol).fit(X, y)
    np.testing.assert_array_equal(again.coef_, model.coef_)


def test_batch_rate_is_the_inverse_of_the_largest_curvature(data):
    """linear.04: the default rate is half of the largest one that converges."""
    X, y = data
    bordered = np.column_stack([X, np.ones(len(y))])
    largest = np.linalg.eigvalsh(bordered.T @ bordered / len(y))[-1]
    assert LMS().fit(X, y).learning_rate_ == pytest.approx(1 / largest, rel=0.02)


def test_refusals(data):
    for bad, text in [
        ({"rule": "online"}, "LMS: rule must be"),
        ({"learning_rate": -1.0}, "LMS: learning_rate must be a number above 0, got -1.0"),
        ({"tol": 0}, "LMS: tol must be a number above 0, got 0"),
    ]:
        with pytest.raises(ValueError, match=f"^{text}"):
            LMS(**bad).fit(*data)
