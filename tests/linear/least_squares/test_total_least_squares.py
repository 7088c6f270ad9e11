"""Total least squares (linear.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize
from sklearn.decomposition import PCA

from margin.core import FitError, Status
from margin.linear import LinearRegression, TotalLeastSquares


def sample(n=70, p=3, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    clean = rng.normal(size=(n, p)) * np.linspace(1, 2, p)
    coef = np.linspace(-1.5, 2.0, p)
    y = clean @ coef + 2.0 + noise * rng.normal(size=n)
    return clean + noise * rng.normal(size=(n, p)), y, coef, rng.random(n) + 0.1


def distances(theta, X, y, s, ratio=1.0):
    r = y - X @ theta[:-1] - theta[-1]
    return s @ r**2 / (ratio**2 + theta[:-1] @ theta[:-1])


def theta_of(model):
    return np.append(model.coef_, model.intercept_)


def test_two_dimensions_closed_form():
    """linear.08: slope from variances and covariance (Deming)."""
    X, y, _, _ = sample(p=1)
    sxx, sxy, syy = np.var(X), np.mean((X[:, 0] - X.mean()) * (y - y.mean())), np.var(y)
    for ratio in (0.3, 1.0, 4.0):
        lean = syy - ratio**2 * sxx
        slope = (lean + np.sqrt(lean**2 + 4 * ratio**2 * sxy**2)) / (2 * sxy)
        model = TotalLeastSquares(noise_ratio=ratio).fit(X, y)
        assert_allclose(model.coef_, [slope], rtol=1e-12)


def test_is_the_principal_component_of_least_variance():
    """linear.08: and in two dimensions the line of greatest variance."""
    X, y, _, _ = sample()
    parts = PCA().fit(np.column_stack([X, y])).components_
    assert_allclose(TotalLeastSquares().fit(X, y).coef_, -parts[-1, :-1] / parts[-1, -1])
    line = PCA().fit(np.column_stack([X[:, 0], y])).components_[0]
    assert_allclose(TotalLeastSquares().fit(X[:, :1], y).coef_, [line[1] / line[0]])


@pytest.mark.parametrize("ratio", [0.2, 1.0, 5.0])
def test_agrees_with_a_general_minimiser(ratio):
    """linear.08: the sum of squared distances, weights included, without singular values."""
    X, y, _, s = sample()
    model = TotalLeastSquares(noise_ratio=ratio).fit(X, y, sample_weight=s)
    start = theta_of(LinearRegression().fit(X, y))
    found = optimize.minimize(distances, start, (X, y, s, ratio), tol=1e-11)
    value = distances(theta_of(model), X, y, s, ratio)
    assert value <= found.fun * (1 + 1e-10)
    assert_allclose(theta_of(model), found.x, atol=1e-4)
    assert_allclose(2 * model.fit_report_.objective, value, rtol=1e-9)
    assert_allclose(model.noise_variance_, value / s.sum(), rtol=1e-9)
    assert model.fit_report_.certificate.value < 1e-12


def test_distance_is_what_moves_the_rows_onto_the_plane():
    """linear.08: the smallest change of [X, y] that makes it exactly linear, by brute force."""
    X, y, _, _ = sample(n=20, p=2)
    model = TotalLeastSquares().fit(X, y)
    w, b = model.coef_, model.intercept_
    moves = [
        optimize.minimize(lambda m, i=i: m @ m + (y[i] - (X[i] + m) @ w - b) ** 2, np.zeros(2)).fun
        for i in range(20)
    ]
    assert_allclose(sum(moves), distances(theta_of(model), X, y, np.ones(20)), rtol=1e-6)


def test_unbiased_where_least_squares_shrinks():
    """linear.08: noise in the features attenuates least squares and not this."""
    X, y, coef, _ = sample(n=20000, noise=0.8, seed=1)
    assert_allclose(TotalLeastSquares().fit(X, y).coef_, coef, atol=0.06)
    # Attenuation: variance of a clean feature over that of the noisy one.
    shrunk = coef * np.linspace(1, 2, 3) ** 2 / (np.linspace(1, 2, 3) ** 2 + 0.64)
    assert_allclose(LinearRegression().fit(X, y).coef_, shrunk, atol=0.06)
    assert_allclose(TotalLeastSquares().fit(X, y).noise_variance_, 0.64, rtol=0.05)


def test_limits_of_the_noise_ratio():
    """linear.08: all noise in y is least squares; all in x is the inverse regression."""
    X, y, _, s = sample()
    plain = LinearRegression().fit(X, y, sample_weight=s)
    model = TotalLeastSquares(noise_ratio=1e6).fit(X, y, sample_weight=s)
    assert_allclose(theta_of(model), theta_of(plain), rtol=1e-8)
    inverse = LinearRegression().fit(y[:, None], X[:, 0]).coef_[0]
    line = TotalLeastSquares(noise_ratio=1e-6).fit(X[:, :1], y)
    assert_allclose(line.coef_, [1 / inverse], rtol=1e-8)


def test_scales_with_the_units_of_both_noises():
    X, y, _, _ = sample()
    one = TotalLeastSquares(noise_ratio=2.0).fit(X, y)
    two = TotalLeastSquares(noise_ratio=200.0).fit(X, 100 * y)
    assert_allclose(two.coef_, 100 * one.coef_, rtol=1e-10)
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    assert_allclose(TotalLeastSquares(noise_ratio=2.0).fit(X @ turn, y).coef_, turn.T @ one.coef_)


def test_weights_are_repetitions():
    X, y, _, _ = sample()
    times = np.random.default_rng(3).integers(0, 4, size=len(y))
    rows = np.repeat(np.arange(len(y)), times)
    one = TotalLeastSquares().fit(X, y, sample_weight=times)
    two = TotalLeastSquares().fit(X[rows], y[rows])
    assert_allclose(theta_of(one), theta_of(two), rtol=1e-10)
    assert_allclose(one.noise_variance_, two.noise_variance_, rtol=1e-10)


def test_exact_fit_dependent_columns_and_fewer_rows():
    """linear.08: the shortest of the equally good hyperplanes."""
    X, _, coef, _ = sample()
    y = X @ coef + 2.0
    exact = TotalLeastSquares().fit(X, y)
    assert_allclose(exact.coef_, coef, rtol=1e-10)
    assert exact.noise_variance_ < 1e-25
    wide = TotalLeastSquares().fit(np.column_stack([X, X[:, 0], np.ones(70)]), y)
    assert wide.rank_ == 3
    assert_allclose(wide.coef_, [coef[0] / 2, coef[1], coef[2], coef[0] / 2, 0.0], atol=1e-10)
    few = TotalLeastSquares().fit(X[:3], y[:3])
    C = X[:3] - X[:3].mean(axis=0)
    assert_allclose(few.coef_, np.linalg.pinv(C) @ (y[:3] - y[:3].mean()), rtol=1e-8)
    assert_allclose(few.predict(X[:3]), y[:3], rtol=1e-10)


def test_no_intercept_constant_target_and_no_features():
    X, y, _, _ = sample()
    model = TotalLeastSquares(fit_intercept=False).fit(X, y)
    normal = np.linalg.svd(np.column_stack([X, y]))[2][-1]
    assert_allclose(model.coef_, -normal[:-1] / normal[-1])
    assert model.intercept_ == 0.0
    flat = TotalLeastSquares().fit(X, np.full(70, -3.0))
    assert_allclose(flat.predict(X), -3.0)
    nothing = TotalLeastSquares().fit(np.ones((70, 2)), y)
    assert nothing.rank_ == 0
    assert_allclose(nothing.predict(np.ones((1, 2))), y.mean())


def test_a_plane_that_does_not_meet_the_target_is_refused():
    """linear.08: the nearest plane to a vertical cross of points is x = 0, no function of x."""
    X, y = np.array([[-1.0], [1.0], [0.0], [0.0]]), np.array([0.0, 0.0, 5.0, -5.0])
    with pytest.raises(FitError, match="TotalLeastSquares: y must follow the features"):
        TotalLeastSquares().fit(X, y)
    assert_allclose(TotalLeastSquares(noise_ratio=10.0).fit(X, y).coef_, [0.0], atol=1e-12)
    assert_allclose(TotalLeastSquares().fit(X * 10, y).coef_, [0.0], atol=1e-12)


def test_bad_parameters_and_report():
    X, y, _, _ = sample()
    for bad in ({"noise_ratio": 0.0}, {"noise_ratio": np.inf}, {"fit_intercept": 1}):
        with pytest.raises(ValueError, match=f"TotalLeastSquares: {next(iter(bad))} must be"):
            TotalLeastSquares(**bad).fit(X, y)
    model = TotalLeastSquares().fit(X.astype(np.float32), y)
    assert model.coef_.dtype == np.float32
    assert model.predict(X.astype(np.float32)).dtype == np.float32
    assert model.fit_report_.status is Status.CONVERGED


def test_rounding_of_a_constant_column_is_no_direction():
    X, y, _, _ = sample()
    model = TotalLeastSquares().fit(np.column_stack([X, np.full(70, 0.1)]), y)
    assert model.coef_[-1] == 0.0
    assert_allclose(model.coef_[:-1], TotalLeastSquares().fit(X, y).coef_, rtol=1e-10)
    repeated = TotalLeastSquares().fit(np.tile(X[:1], (70, 1)), y)
    assert_allclose(repeated.predict(X[:1]), y.mean())
