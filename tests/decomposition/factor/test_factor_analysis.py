"""Factor analysis."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn import decomposition as reference
from sklearn.exceptions import ConvergenceWarning

from margin.decomposition import FactorAnalysis, ProbabilisticPCA

RNG = np.random.default_rng(0)
W = np.kron(np.eye(3), [2.0, 1.5, 1.0])[:, :8] + 0.3 * RNG.normal(size=(3, 8))
X = RNG.normal(size=(400, 3)) @ W + RNG.normal(size=(400, 8)) * RNG.uniform(0.8, 1.6, 8) + 5
GAPS = X.copy()
GAPS[RNG.random(X.shape) < 0.15] = np.nan


@pytest.mark.parametrize("solver", ["newton", "em"])
def test_against_scikit_learn(solver):
    """decomposition.09: the same maximum."""
    ours = FactorAnalysis(3, solver=solver, tol=1e-7, max_iter=5000).fit(X)
    theirs = reference.FactorAnalysis(3, svd_method="lapack", tol=1e-9, max_iter=20_000).fit(X)
    assert_allclose(ours.score(X), theirs.score(X), rtol=1e-8)
    assert ours.score(X) > theirs.score(X) - 1e-8
    assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-2)
    assert_allclose(np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=2e-2)


def test_loose_tolerance_is_not_worse():
    ours, theirs = FactorAnalysis(3).fit(X), reference.FactorAnalysis(3).fit(X)
    assert ours.loglike_[-1] >= theirs.loglike_[-1] - 1e-6
    assert_allclose(ours.loglike_[-1], ours.score_samples(X).sum())


def test_beats_isotropic_noise():
    """decomposition.09: noise of each column its own, at least as likely as probabilistic PCA."""
    assert FactorAnalysis(3).fit(X).score(X) > ProbabilisticPCA(n_components=3).fit(X).score(X)


def test_units_do_not_matter():
    """decomposition.09: unlike principal components."""
    scale = 10.0 ** np.arange(-3, 5)
    one, two = FactorAnalysis(3, tol=1e-7).fit(X), FactorAnalysis(3, tol=1e-7).fit(X * scale)
    assert_allclose(two.noise_variance_, one.noise_variance_ * scale**2, rtol=1e-3)
    assert_allclose(two.score(X * scale) + np.log(scale).sum(), one.score(X), rtol=1e-8)


@pytest.mark.parametrize("rotation", ["varimax", "quartimax", "promax"])
@pytest.mark.parametrize("table", [X, GAPS])
def test_rotations_change_names_only(rotation, table):
    """decomposition.10: covariance and density stay; scores belong to the rotated loadings."""
    plain, turned = FactorAnalysis(3).fit(table), FactorAnalysis(3, rotation=rotation).fit(table)
    assert_allclose(turned.get_covariance(), plain.get_covariance(), atol=1e-9)
    assert_allclose(turned.score(table), plain.score(table))
    L, Z = turned.components_, turned.transform(table)
    back = L.T @ turned.factor_correlation_ @ L + np.diag(turned.noise_variance_)
    assert_allclose(back, plain.get_covariance(), atol=1e-9)
    assert_allclose(turned.inverse_transform(Z), plain.inverse_transform(plain.transform(table)))
    mean, covariance = turned.posterior(table)
    assert_allclose(mean, Z)
    spread = covariance.mean(axis=0) + np.cov(Z.T, bias=True)
    if table is X:
        assert_allclose(spread, turned.factor_correlation_, atol=0.02)


def test_known_noise():
    """decomposition.09: one eigendecomposition where the noise is known."""
    noise = np.full(8, 1.3)
    known = FactorAnalysis(3, noise_variance_init=noise, fit_noise=False).fit(X)
    assert_allclose(known.noise_variance_, noise)
    values, vectors = np.linalg.eigh(np.cov(X.T, bias=True))
    best = (vectors[:, -3:] * (values[-3:] - 1.3)) @ vectors[:, -3:].T
    assert_allclose(known.components_.T @ known.components_, best, atol=1e-9)
    with pytest.raises(ValueError, match="FactorAnalysis: noise_variance_init must be given"):
        FactorAnalysis(3, fit_noise=False).fit(X)
    with pytest.raises(ValueError, match="FactorAnalysis: fit_noise must be True"):
        FactorAnalysis(3, noise_variance_init=noise, fit_noise=False).fit(GAPS)


def test_parameter_count():
    """decomposition.09: D (H + 1) numbers, less the H (H - 1) / 2 of a rotation."""
    assert FactorAnalysis(3).fit(X).n_parameters_ == 8 * 4 - 3


@pytest.mark.parametrize("table", [X, GAPS])
def test_weights_are_repetitions(table):
    count = RNG.integers(0, 3, len(X))
    one = FactorAnalysis(2, tol=1e-8, max_iter=5000).fit(table, sample_weight=count)
    many = FactorAnalysis(2, tol=1e-8, max_iter=5000).fit(np.repeat(table, count, axis=0))
    assert_allclose(one.get_covariance(), many.get_covariance(), atol=1e-3)


@pytest.mark.parametrize("table", [X, GAPS])
def test_blocks_equal_the_whole(table):
    whole = FactorAnalysis(2).fit(table)
    parts = FactorAnalysis(2).fit_blocks([table[:100], table[100:]])
    assert_allclose(parts.components_, whole.components_, rtol=1e-6, atol=1e-8)
    assert_allclose(parts.loglike_[-1], whole.loglike_[-1], rtol=1e-10)


def test_gaps_are_integrated_out():
    """decomposition.09: the score is that of the observed part of every row."""
    model = FactorAnalysis(3).fit(GAPS)
    sigma = model.get_covariance()
    for row, told in zip(GAPS[:20], model.score_samples(GAPS[:20]), strict=True):
        seen = ~np.isnan(row)
        law = multivariate_normal(model.mean_[seen], sigma[np.ix_(seen, seen)])
        assert_allclose(told, law.logpdf(row[seen]), rtol=1e-9)
    full = FactorAnalysis(3).fit(X)
    assert_allclose(model.get_covariance(), full.get_covariance(), atol=0.8)


def test_heywood_and_constant_columns():
    """decomposition.09: noise of zero is bounded, and said."""
    z = RNG.normal(size=(60, 1))
    table = np.hstack([z, 2 * z, z + RNG.normal(size=(60, 1)), np.ones((60, 1))])
    model = FactorAnalysis(1).fit(table)
    assert (model.noise_variance_ > 0).all()
    assert "Heywood" in " ".join(model.fit_report_.repairs)
    assert np.isfinite(model.score(table))
    assert np.isfinite(model.transform(table)).all()


def test_errors_and_warnings():
    with pytest.raises(ValueError, match="FactorAnalysis: n_components must be None or an integer"):
        FactorAnalysis(9).fit(X)
    with pytest.raises(ValueError, match="at least 2 samples"):
        FactorAnalysis(1).fit(X[:1])
    with pytest.raises(ValueError, match="FactorAnalysis: noise_variance_init must be positive"):
        FactorAnalysis(1, noise_variance_init=np.ones(3)).fit(X)
    with pytest.raises(ValueError, match="NaN throughout column 0"):
        FactorAnalysis(1).fit(np.where(np.arange(8) == 0, np.nan, X))
    with pytest.warns(ConvergenceWarning, match="FactorAnalysis: stopped after max_iter=1"):
        FactorAnalysis(3, max_iter=1).fit(X)


def heywood():
    """Rows whose likelihood has its maximum where two noise variances vanish."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 3)) @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(60, 6))


def best_of_many(X, k, n_starts=12):
    """Log-likelihood per row by another optimiser, from many starts."""
    S = np.cov(X.T, bias=True)
    least = np.log(1e-8 * np.diagonal(S))

    def value(t):
        root = np.exp(-0.5 * t)
        values, vectors = np.linalg.eigh(S * np.outer(root, root))
        rest, out = values[:-k], vectors[:, :-k]
        f = t.sum() + np.sum(np.log(values[-k:]) + 1) + rest.sum() + len(t) * np.log(2 * np.pi)
        return 0.5 * f, 0.5 * (out**2) @ (1 - rest)

    rng = np.random.default_rng(1)
    starts = np.log(np.diagonal(S) * rng.uniform(0.01, 1, (n_starts, len(S))))
    bounds = [(v, None) for v in least]
    return -min(minimize(value, t, jac=True, bounds=bounds).fun for t in starts)


def test_a_heywood_case_goes_to_the_end():
    """decomposition.09: the certificate is honest where the usual Hessian promises too little."""
    X = heywood()
    model = FactorAnalysis(2).fit(X)
    assert model.fit_report_.status.ok
    assert "Heywood" in str(model.fit_report_.repairs)
    assert model.score(X) >= best_of_many(X, 2) - model.tol / len(X)


def test_a_heywood_case_is_the_same_in_blocks_and_with_weights_for_repetition():
    X = heywood()
    whole, parts = FactorAnalysis(2).fit(X), FactorAnalysis(2).fit_blocks([X[:7], X[7:]])
    assert_allclose(parts.score(X), whole.score(X), rtol=1e-10)
    assert_allclose(parts.noise_variance_, whole.noise_variance_, atol=1e-6)
    times = np.random.default_rng(3).integers(0, 4, len(X))
    weighted = FactorAnalysis(2).fit(X, sample_weight=times)
    repeated = FactorAnalysis(2).fit(np.repeat(X, times, axis=0))
    # Beside noise of 1e-8 rounding is 1e-8 of the objective, and its root of the parameters.
    assert_allclose(weighted.loglike_[-1], repeated.loglike_[-1], rtol=1e-7)
    assert_allclose(weighted.noise_variance_, repeated.noise_variance_, atol=3e-4)


@pytest.mark.parametrize("rotation", ["varimax", "quartimax", "promax"])
@pytest.mark.parametrize("solver", ["newton", "em"])
def test_constant_rows_have_no_factors_to_rotate(solver, rotation):
    X = np.tile([1.0, 2.0, 3.0, 4.0], (9, 1))
    model = FactorAnalysis(2, solver=solver, rotation=rotation).fit(X)
    assert np.isfinite(model.components_).all()
    assert_allclose(model.mean_, X[0])


@pytest.mark.parametrize("solver", ["newton", "em"])
def test_batches_are_the_whole(solver):
    """Exact through the moments, weights and all; a fit begins anew."""
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 6)) + rng.normal(size=(400, 6)) + 100
    weight = rng.uniform(0.5, 2.0, 400)
    options = {"n_components": 2, "tol": 1e-5, "solver": solver, "max_iter": 5000}
    model = FactorAnalysis(**options)
    whole = FactorAnalysis(**options).fit(rows, sample_weight=weight)
    for part in np.array_split(np.arange(400), 4):
        model.partial_fit(rows[part], sample_weight=weight[part])
    assert_allclose(model.mean_, whole.mean_)
    assert_allclose(model.score(rows), whole.score(rows), rtol=1e-7)
    assert_allclose(model.noise_variance_, whole.noise_variance_, rtol=1e-3)
    assert_allclose(model.fit(rows).partial_fit(rows[:40]).mean_, rows[:40].mean(axis=0))
    with pytest.raises(ValueError, match="X must be without NaN in partial_fit"):
        model.partial_fit(np.where(rows < 98, np.nan, rows))
