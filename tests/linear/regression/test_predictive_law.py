"""The law of a new target after least squares and ridge (linear.03, linear.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse, stats

from margin.distributions import StudentT
from margin.linear import BayesianLinearRegression, LinearRegression, Ridge, shrinkage_factors


def sample(n=30, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 3.0, p) + 2.0
    y = X @ np.linspace(1.0, -1.0, p) + 4.0 + 0.7 * rng.normal(size=n)
    return X, y, rng.random(n) + 0.3, rng.normal(size=(6, p)) + 2.0


def test_is_the_interval_of_the_text_books():
    """linear.03: s^2 (1 + x' (A'A)^-1 x) with a column of ones, and n - p - 1 freedoms."""
    X, y, _, new = sample()
    law = LinearRegression().fit(X, y).predict_dist(new)
    A, B = (np.column_stack([np.ones(len(Z)), Z]) for Z in (X, new))
    inverse = np.linalg.inv(A.T @ A)
    beta = inverse @ A.T @ y
    variance = np.sum((y - A @ beta) ** 2) / 26
    form = np.einsum("ij,jk,ik->i", B, inverse, B)
    assert isinstance(law, StudentT)
    assert_allclose(law.df, 26.0)
    assert_allclose(law.mean, B @ beta, rtol=1e-10)
    assert_allclose(law.scale, np.sqrt(variance * (1 + form)), rtol=1e-10)


def test_is_the_posterior_predictive_under_flat_priors():
    """linear.03: brute force; the slope and the logarithm of the noise integrated out."""
    rng = np.random.default_rng(3)
    x = np.array([-1.0, 0.5, 2.0, 3.0, 3.5])
    y = 1.2 * x + 0.4 * rng.normal(size=5)
    law = LinearRegression(fit_intercept=False).fit(x[:, None], y).predict_dist([[2.5]])

    slope = np.linspace(-3.0, 5.0, 1201)[:, None]
    noise = np.exp(np.linspace(-6.0, 5.0, 1201))
    joint = np.prod(stats.norm.pdf(y[:, None, None], slope * x[:, None, None], noise), axis=0)
    for at in (2.0, 3.0, 4.5):
        density = np.sum(joint * stats.norm.pdf(at, 2.5 * slope, noise)) / joint.sum()
        assert_allclose(np.exp(law.log_prob(at))[0], density, rtol=1e-4)


def test_intervals_hold_new_targets_as_often_as_they_say():
    """linear.03: exact coverage, with few rows, where a normal law would miss too often."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(8, 3))
    Y = X @ [1.0, 2.0, 3.0] + 0.5 * rng.normal(size=(20_000, 8))
    new = rng.normal(size=(1, 3))
    seen = (new @ [1.0, 2.0, 3.0])[0] + 0.5 * rng.normal(size=20_000)
    low, high = LinearRegression().fit(X, Y.T).predict_dist(new).interval(0.9)
    assert low.shape == (1, 20_000)
    assert abs(np.mean((seen >= low[0]) & (seen <= high[0])) - 0.9) < 0.01


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("shape", [(30, 3), (12, 20)])
def test_ridge_is_the_posterior_of_its_prior(shape, fit_intercept):
    """linear.13, linear.16: the variance of Bayesian regression with the same noise."""
    X, y, s, new = sample(*shape)
    model = Ridge(alpha=30.0, fit_intercept=fit_intercept).fit(X, y, sample_weight=s)
    law = model.predict_dist(new)
    error = y - model.predict(X)
    factors = shrinkage_factors(X, 30.0, fit_intercept=fit_intercept, sample_weight=s)
    freedom = s.sum() - fit_intercept - factors.sum()
    noise = s @ error**2 / freedom
    assert_allclose(law.df, freedom, rtol=1e-9)
    bayes = BayesianLinearRegression(
        prior_precision=30.0 / noise, noise_variance=noise, fit_intercept=fit_intercept
    )
    wanted = bayes.fit(X, y, sample_weight=s).predict_dist(new)
    assert_allclose(law.mean, wanted.mean, rtol=1e-8)
    assert_allclose(law.scale, wanted.std, rtol=1e-8)


def test_without_a_penalty_ridge_is_least_squares():
    """linear.13: the limit."""
    X, y, s, new = sample()
    ridge = Ridge(alpha=1e-9).fit(X, y, sample_weight=s).predict_dist(new)
    plain = LinearRegression().fit(X, y, sample_weight=s).predict_dist(new)
    assert_allclose(ridge.scale, plain.scale, rtol=1e-6)
    assert_allclose(ridge.df, plain.df, rtol=1e-6)


def test_several_targets_with_strengths_of_their_own():
    """linear.01, linear.13: every target as if it were alone."""
    X, y, s, new = sample()
    Y = np.column_stack([y, -2 * y + X[:, 0] ** 2, np.cos(y)])
    alpha = [0.5, 20.0, 0.5]
    law = Ridge(alpha=alpha).fit(X, Y, sample_weight=s).predict_dist(new)
    assert law.shape == (6, 3)
    for j in range(3):
        alone = Ridge(alpha=alpha[j]).fit(X, Y[:, j], sample_weight=s).predict_dist(new)
        assert_allclose(law.scale[:, j], alone.scale, rtol=1e-10)
        assert_allclose(law.df[:, j], alone.df, rtol=1e-10)
        assert_allclose(law.mean[:, j], alone.mean, rtol=1e-10)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(alpha=3.0)])
def test_sparse_rows_have_the_same_law(model):
    X, y, s, new = sample()
    dense = model.fit(X, y, sample_weight=s).predict_dist(new)
    law = model.fit(sparse.csr_matrix(X), y, sample_weight=s).predict_dist(sparse.csr_matrix(new))
    assert_allclose(law.scale, dense.scale, rtol=1e-7)
    assert_allclose(law.df, dense.df, rtol=1e-7)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(alpha=1e-6)])
def test_no_law_without_freedom(model):
    """linear.03: the method is not there where the noise cannot be estimated, and says why."""
    assert hasattr(model, "predict_dist")
    X, y, _, new = sample(n=5)
    model.fit(X, y)
    assert not hasattr(model, "predict_dist")
    with pytest.raises(AttributeError) as caught:
        model.predict_dist(new)
    told = f"{caught.value} {caught.value.__cause__}"
    assert f"{type(model).__name__}: predict_dist needs more than 2 rows beyond" in told
    assert "got 5 rows for 4 parameters" in told
    X, y, _, new = sample(n=8)
    assert model.fit(X, y).predict_dist(new).df[0] == pytest.approx(4.0)


def test_no_law_where_the_factor_was_not_kept(monkeypatch):
    monkeypatch.setattr("margin.linalg.least_squares._least_squares.MOST_NUMBERS", 3)
    X, y, _, _ = sample()
    assert not hasattr(LinearRegression().fit(X, y), "predict_dist")


def test_a_perfect_fit_is_certain_but_proper():
    X, _, _, new = sample()
    law = LinearRegression().fit(X, X @ np.ones(3)).predict_dist(new)
    assert (law.var > 0).all()
    assert (law.scale < 1e-10).all()
