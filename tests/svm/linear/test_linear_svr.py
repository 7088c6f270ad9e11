"""LinearSVR against liblinear, the kernel machine and the shape of its optimum."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from margin.svm import SVR, LinearSVR


def table(n=80, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X @ np.arange(1.0, p + 1) + 0.5 + 0.3 * rng.normal(size=n)


def objective(X, y, w, b, C, epsilon, squared):
    slack = np.maximum(0, np.abs(y - X @ w - b) - epsilon)
    return 0.5 * (w @ w + b * b) + C * ((slack**2).sum() if squared else slack.sum())


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("dual", [True, False])
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_minimum(squared, dual, epsilon):
    """svm.15, svm.09: no point nearby is better, and the gap says so."""
    X, y = table()
    loss = "squared_epsilon_insensitive" if squared else "epsilon_insensitive"
    options = {"intercept_scaling": 1.0, "tol": 1e-7, "max_iter": 10**5}
    model = LinearSVR(C=0.5, epsilon=epsilon, loss=loss, dual=dual, **options)
    model.fit(csr_matrix(X), y)
    at = objective(X, y, model.coef_, model.intercept_, 0.5, epsilon, squared)
    assert at == pytest.approx(model.fit_report_.objective, rel=1e-9)
    rng = np.random.default_rng(1)
    for _ in range(100):
        step = 0.02 * rng.normal(size=4)
        there = objective(
            X, y, model.coef_ + step[:3], model.intercept_ + step[3], 0.5, epsilon, squared
        )
        assert there >= at * (1 - 1e-6)


def test_free_intercept_is_the_kernel_machine():
    X, y = table()
    model = LinearSVR(C=2.0, epsilon=0.2, tol=1e-10).fit(X, y)
    whole = SVR(C=2.0, epsilon=0.2, kernel="linear", tol=1e-8).fit(X, y)
    assert np.allclose(model.predict(X), whole.predict(X), atol=1e-3)


def test_rows_inside_the_tube_have_no_multiplier():
    X, y = table()
    model = LinearSVR(C=2.0, epsilon=0.4).fit(X, y)
    inside = np.abs(y - model.predict(X)) < 0.4 - 1e-6
    assert inside.sum() > 20
    assert np.all(np.abs(model.dual_coef_[inside]) < 1e-8)
    assert np.allclose(model.dual_coef_ @ X, model.coef_, atol=1e-6)


def test_features_too_small_to_matter_warn():
    X, y = table()
    with pytest.warns(ConvergenceWarning, match="scale them or raise C"):
        LinearSVR().fit(X * 1e-9, y)


@pytest.mark.parametrize("bad", [{"epsilon": -1.0}, {"C": 0.0}, {"loss": "hinge"}])
def test_refuses(bad):
    with pytest.raises(ValueError, match=f"LinearSVR: {next(iter(bad))} must be"):
        LinearSVR(**bad).fit([[0.0], [1.0]], [0.0, 1.0])


def test_a_shift_of_y_shifts_the_predictions():
    X, y = table()
    here, there = LinearSVR().fit(X, y), LinearSVR().fit(X, y + 100)
    assert np.allclose(there.predict(X), here.predict(X) + 100, atol=1e-5)


def test_columns_of_very_different_size():
    X, y = table()
    units = np.array([1e-3, 1.0, 1e9])
    model = LinearSVR(C=10.0, intercept_scaling=1.0).fit(X * units, y)
    assert model.fit_report_.certificate.value <= 1e-4
    assert model.score(X * units, y) > 0.8
    at = objective(X * units, y, model.coef_, model.intercept_, 10.0, 0.0, False)
    assert at == pytest.approx(model.fit_report_.objective, rel=1e-6)
