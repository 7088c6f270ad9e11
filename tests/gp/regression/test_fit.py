"""From data to a fitted process: method, start, report."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.regression import _start
from margin.kernels import RBF, White


def curve(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 1))
    return X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=n)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("method", ["fitc", "variational"])
@pytest.mark.parametrize("learn", [False, True])
def test_sparse_fits_come_close_to_the_exact_one(method, learn, monkeypatch):
    monkeypatch.setattr(_start, "_START_ROWS", 40)
    X, y = curve()
    exact = GaussianProcessRegressor().fit(X, y)
    model = GaussianProcessRegressor(
        method=method, n_inducing=15, learn_inducing=learn, max_iter=60, random_state=0
    ).fit(X, y)
    assert model.inducing_points_.shape == (15, 1)
    grid = np.linspace(-3, 3, 50)[:, None]
    for one, two in zip(
        exact.predict(grid, return_std=True), model.predict(grid, return_std=True), strict=True
    ):
        np.testing.assert_allclose(one, two, atol=0.03 if method == "variational" else 0.1)
    if method == "variational":
        assert model.log_marginal_likelihood_value_ <= exact.log_marginal_likelihood_value_ + 1e-6
    assert any("15 inducing points" in note for note in model.fit_report_.notes)
    assert any("exact fit to 40 rows" in note for note in model.fit_report_.notes)


def test_moving_points_raises_the_bound():
    X, y = curve()
    bound = [
        GaussianProcessRegressor(
            method="variational", n_inducing=8, learn_inducing=learn, random_state=0
        )
        .fit(X, y)
        .log_marginal_likelihood_value_
        for learn in (False, True)
    ]
    assert bound[1] > bound[0]


def test_the_report_says_why():
    X, y = curve(30)
    report = GaussianProcessRegressor().fit(X, y).fit_report_
    assert "exact: 30 rows" in report.notes[0]
    assert report.solver == "exact, L-BFGS-B"


def test_large_data_are_sparse_by_themselves():
    X, y = curve(2001)
    model = GaussianProcessRegressor(n_inducing=20, random_state=0).fit(X, y)
    assert "variational: 2001 rows" in model.fit_report_.notes[0]
    assert model.score(X, y) > 0.95


def test_kernels_whose_noise_cannot_be_split_are_refused():
    X, y = curve(20)
    bad = 2.0 * (RBF(1.0) + White(0.1))
    with pytest.raises(ValueError, match="kernel must be a sum"):
        GaussianProcessRegressor(kernel=bad, method="fitc").fit(X, y)


def test_many_rows_are_learnt_from_some(monkeypatch):
    """A bound on the work: the search sees so many rows, the posterior all of them."""
    monkeypatch.setattr(_start, "_START_ROWS", 100)
    X, y = curve(2500)
    whole = GaussianProcessRegressor(n_inducing=15, random_state=0).fit(X, y)
    assert not any("learnt from" in note for note in whole.fit_report_.notes)
    monkeypatch.setattr(_start, "LEARNING_ROWS", 500)
    model = GaussianProcessRegressor(n_inducing=15, random_state=0).fit(X, y)
    assert any("learnt from 500 of 2500 rows" in note for note in model.fit_report_.notes)
    value = model.log_marginal_likelihood_value_
    assert value == pytest.approx(model.log_marginal_likelihood(model.kernel_.theta), rel=1e-9)
    assert value <= whole.log_marginal_likelihood_value_ + 1.0
    assert value > 1.02 * whole.log_marginal_likelihood_value_ - 50.0
    np.testing.assert_allclose(model.predict(X[:50]), whole.predict(X[:50]), atol=0.03)
    named = GaussianProcessRegressor(method="variational", n_inducing=15, random_state=0).fit(X, y)
    assert not any("learnt from" in note for note in named.fit_report_.notes)
