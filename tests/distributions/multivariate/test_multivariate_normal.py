import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from margin.core import FitError
from margin.distributions import MultivariateNormal, Normal, NormalInverseWishart

SIGMA = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 0.5]])
MU = np.array([1.0, -2.0, 0.5])


@pytest.fixture(params=["covariance", "precision", "cholesky"])
def joint(request):
    made = {
        "covariance": SIGMA,
        "precision": np.linalg.inv(SIGMA),
        "cholesky": np.linalg.cholesky(SIGMA),
    }
    return MultivariateNormal(MU, **{request.param: made[request.param]})


def test_density_moments_and_entropy_against_scipy(joint):
    """distributions.07: every form of the matrix."""
    x = np.random.default_rng(0).normal(size=(50, 3))
    theirs = stats.multivariate_normal(MU, SIGMA)
    assert_allclose(joint.log_prob(x), theirs.logpdf(x))
    assert joint.log_prob(x[0]).shape == ()
    assert joint.entropy == pytest.approx(theirs.entropy())
    assert_allclose(joint.var, np.diag(SIGMA))
    assert_allclose(joint.covariance, SIGMA)
    assert_allclose(joint.precision, np.linalg.inv(SIGMA))
    assert_allclose(joint.cdf(x), stats.norm(MU, np.sqrt(np.diag(SIGMA))).cdf(x))
    assert_allclose(joint.quantile(0.3), stats.norm(MU, np.sqrt(np.diag(SIGMA))).ppf(0.3))


def test_samples_have_the_mean_and_the_covariance(joint):
    """distributions.07: sampling, within five standard errors."""
    n = 40_000
    draws = joint.sample(n, np.random.default_rng(0))
    assert draws.shape == (n, 3)
    assert np.all(np.abs(draws.mean(axis=0) - MU) < 5 * np.sqrt(np.diag(SIGMA) / n))
    variance = np.outer(np.diag(SIGMA), np.diag(SIGMA)) + SIGMA**2
    assert np.all(np.abs(np.cov(draws.T) - SIGMA) < 5 * np.sqrt(variance / n))


def test_marginal_and_conditional_by_brute_force_integration():
    """distributions.07: p(x0) and p(x0 | x1) of a plane density on a fine grid."""
    joint = MultivariateNormal([0.5, -1.0], [[1.5, 0.7], [0.7, 0.9]])

    grid = np.linspace(-14, 14, 2801)
    step = grid[1] - grid[0]
    x0, x1 = -1.0, 0.4
    rows = joint.log_prob(np.column_stack([np.full_like(grid, x0), grid]))
    p_x0 = np.exp(rows).sum() * step
    assert p_x0 == pytest.approx(float(np.exp(joint.marginal(0).log_prob([x0]))))
    columns = joint.log_prob(np.column_stack([grid, np.full_like(grid, x1)]))
    p_x1 = np.exp(columns).sum() * step
    ratio = np.exp(float(joint.log_prob([x0, x1]))) / p_x1
    assert ratio == pytest.approx(float(np.exp(joint.condition(1, x1).log_prob([x0]))))
    plane = np.stack(np.meshgrid(grid[::10], grid[::10]), axis=-1)
    assert np.exp(joint.log_prob(plane)).sum() * (10 * step) ** 2 == pytest.approx(1)


@given(seed=st.integers(0, 10_000), d=st.integers(1, 6), data=st.data())
@settings(deadline=None, max_examples=50)
def test_chain_rule_for_every_split(definite, seed, d, data):
    """distributions.07: log p(x) = log p(x_e) + log p(x_r | x_e), both forms."""
    rng = np.random.default_rng(seed)
    sigma, x = definite(d, seed), rng.normal(size=(4, d))
    idx = data.draw(st.permutations(range(d)))[: data.draw(st.integers(0, d))]
    rest = np.setdiff1d(np.arange(d), idx)
    for spread in ({"covariance": sigma}, {"precision": np.linalg.inv(sigma)}):
        joint = MultivariateNormal(rng.normal(size=d), **spread)
        parts = joint.marginal(idx).log_prob(x[:, idx])
        parts += joint.condition(idx, x[:, idx]).log_prob(x[:, rest])
        assert_allclose(parts, joint.log_prob(x), rtol=1e-8, atol=1e-8)


def test_condition_on_a_batch_gives_a_batch(joint):
    values = np.array([[0.0, 1.0], [2.0, -1.0], [MU[0], MU[2]]])
    batch = joint.condition([0, 2], values)
    assert batch.shape == (3,)
    for row, value in zip(batch.mean, values, strict=True):
        assert_allclose(row, joint.condition([0, 2], value).mean)
    assert_allclose(batch.mean[2], MU[1])
    by_scalars = joint.condition(0, [0.0, 1.0, 2.0])
    assert by_scalars.mean.shape == (3, 2)
    turned = joint.condition([2, 0], values[:, ::-1])
    assert_allclose(turned.mean, batch.mean)


def test_unobserved_coordinates_are_marginalised_exactly(joint):
    """distributions.07: every pattern of holes equals the marginal density."""
    x = np.random.default_rng(2).normal(size=(8, 3))
    for i in range(8):
        x[i, [bool(i & 1 << j) for j in range(3)]] = np.nan
    found = joint.log_prob(x)
    for i in range(8):
        seen = ~np.isnan(x[i])
        expected = joint.marginal(seen).log_prob(x[i, seen]) if seen.any() else 0.0
        assert found[i] == pytest.approx(float(expected))


def test_marginals_keep_the_order_asked_for(joint):
    turned = joint.marginal([2, 0])
    assert_allclose(turned.mean, MU[[2, 0]])
    assert_allclose(turned.covariance, SIGMA[np.ix_([2, 0], [2, 0])])
    each = joint.marginals()
    assert isinstance(each, Normal)
    assert_allclose(each.std, np.sqrt(np.diag(SIGMA)))


def test_covariance_algebra():
    """distributions.16: Cov(Ax + b) = A Cov A', variance of a sum, bilinearity."""
    joint = MultivariateNormal(MU, SIGMA)
    A, b = np.array([[1.0, 1.0, 0.0], [0.0, -2.0, 3.0]]), np.array([5.0, 6.0])
    moved = joint.affine(A, b)
    assert_allclose(moved.covariance, A @ SIGMA @ A.T)
    assert_allclose(moved.mean, A @ MU + b)
    draws = joint.sample(50_000, np.random.default_rng(0)) @ A.T + b
    assert_allclose(np.cov(draws.T), moved.covariance, rtol=0.03)
    total = joint.affine([[1.0, 1.0, 1.0]])
    assert float(total.var[0]) == pytest.approx(SIGMA.sum())
    a, c = 2.0, -3.0
    pair = joint.affine([[a, c, 0.0], [0.0, 0.0, 1.0]])
    assert pair.covariance[0, 1] == pytest.approx(a * SIGMA[0, 2] + c * SIGMA[1, 2])


@pytest.mark.parametrize("forms", [("covariance",) * 2, ("precision", "covariance"),
                                   ("covariance", "precision"), ("precision",) * 2])  # fmt: skip
def test_divergence_closed_form(definite, forms):
    """distributions.21: against the textbook formula, for every pair of forms."""
    S, T = definite(3, 1), definite(3, 2)
    m, k = np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.0, 0.0])
    made = [
        MultivariateNormal(mean, **{form: sigma if form == "covariance" else np.linalg.inv(sigma)})
        for mean, sigma, form in [(m, S, forms[0]), (k, T, forms[1])]
    ]
    inverse = np.linalg.inv(T)
    expected = 0.5 * (
        np.trace(inverse @ S) + (m - k) @ inverse @ (m - k) - 3
        + np.linalg.slogdet(T)[1] - np.linalg.slogdet(S)[1]
    )  # fmt: skip
    assert float(made[0].kl(made[1])) == pytest.approx(expected)
    assert float(made[0].kl(made[0])) == pytest.approx(0, abs=1e-12)


def test_divergence_in_one_dimension_is_that_of_normal():
    """distributions.21: the two worked numbers again."""
    standard = MultivariateNormal([0.0], [[1.0]])
    assert float(MultivariateNormal([1.0], [[1.0]]).kl(standard)) == pytest.approx(0.5)
    assert float(MultivariateNormal([0.0], [[4.0]]).kl(standard)) == pytest.approx(
        0.8068528, abs=1e-7
    )
    batch = MultivariateNormal([[0.0], [1.0], [2.0]], [[1.0]]).kl(standard)
    assert_allclose(batch, [0.0, 0.5, 2.0], atol=1e-15)


def test_maximum_likelihood():
    """distributions.24: mean and covariance with divisor n; no neighbour is better."""
    rng = np.random.default_rng(0)
    X, w = rng.multivariate_normal(MU, SIGMA, size=60), rng.uniform(0.2, 2, size=60)
    fitted = MultivariateNormal.fit(MultivariateNormal.statistics(X, w))
    assert_allclose(fitted.mean, np.average(X, axis=0, weights=w))
    assert_allclose(fitted.covariance, np.cov(X.T, aweights=w, ddof=0))
    best = w @ fitted.log_prob(X)
    for _ in range(30):
        change = rng.normal(size=(3, 3)) * 1e-3
        mean = fitted.mean + rng.normal(size=3) * 1e-3
        other = MultivariateNormal(mean, fitted.covariance + change + change.T)
        assert w @ other.log_prob(X) < best


@given(seed=st.integers(0, 1000), cut=st.integers(0, 40), centre=st.sampled_from([0.0, 1e7]))
@settings(deadline=None, max_examples=30)
def test_fit_of_summed_statistics_is_the_fit_of_all_rows(seed, cut, centre):
    """distributions.37"""
    X = np.random.default_rng(seed).normal(size=(40, 3)) + centre
    whole = MultivariateNormal.fit(MultivariateNormal.statistics(X))
    parts = [MultivariateNormal.statistics(part) for part in (X[:cut], X[cut:])]
    merged = MultivariateNormal.fit(sum(parts))
    assert_allclose(merged.mean, whole.mean, rtol=1e-14, atol=1e-13)
    assert_allclose(merged.covariance, whole.covariance, atol=1e-7)


def test_maximum_a_posteriori_is_the_mode_of_likelihood_times_prior():
    rng = np.random.default_rng(0)
    X, prior = rng.normal(size=(4, 2)) + 3, NormalInverseWishart([0.0, 1.0], 2.0, np.eye(2), 5.0)

    def log_posterior(mean, cov):
        belief = stats.invwishart.logpdf(cov, 5.0, np.eye(2))
        belief += stats.multivariate_normal.logpdf(mean, [0.0, 1.0], cov / 2.0)
        return belief + np.sum(stats.multivariate_normal.logpdf(X, mean, cov))

    fitted = MultivariateNormal.fit(MultivariateNormal.statistics(X), prior)
    best = log_posterior(fitted.mean, fitted.covariance)
    for _ in range(40):
        change = rng.normal(size=(2, 2)) * 1e-3
        mean = fitted.mean + rng.normal(size=2) * 1e-3
        assert log_posterior(mean, fitted.covariance + change + change.T) < best


def test_expectation_maximisation_on_holes_never_falls_and_beats_complete_cases():
    rng = np.random.default_rng(0)
    X = rng.multivariate_normal(MU, SIGMA, size=200)
    X[rng.uniform(size=X.shape) < 0.3] = np.nan
    complete = X[~np.isnan(X).any(axis=1)]
    model = MultivariateNormal.fit(MultivariateNormal.statistics(complete))
    trace = [model.log_prob(X).sum()]
    for _ in range(60):
        model = MultivariateNormal.fit(model.expected_statistics(X))
        trace.append(model.log_prob(X).sum())
    assert np.min(np.diff(trace)) > -1e-9
    assert trace[-1] > trace[0] + 1
    assert trace[-1] - trace[-2] < 1e-6


@pytest.mark.parametrize("X", [np.ones((5, 2)), np.eye(2), [[1.0, 2.0]]])
def test_fit_to_a_flat_cloud_is_refused_without_a_prior(X):
    with pytest.raises(FitError, match="MultivariateNormal: data must span all 2 dimensions"):
        MultivariateNormal.fit(MultivariateNormal.statistics(X))
    prior = NormalInverseWishart(np.zeros(2), 1.0, np.eye(2), 3.0)
    assert MultivariateNormal.fit(MultivariateNormal.statistics(X), prior).repair == ""


def test_array_of_distributions_with_a_shared_covariance():
    means = np.arange(12.0).reshape(2, 2, 3)
    batch = MultivariateNormal(means, SIGMA)
    assert batch.shape == (2, 2)
    x = np.zeros(3)
    single = MultivariateNormal(means[1, 0], SIGMA)
    assert batch.log_prob(x).shape == (2, 2)
    assert batch.log_prob(x)[1, 0] == pytest.approx(float(single.log_prob(x)))
    assert batch.sample(4, np.random.default_rng(0)).shape == (4, 2, 2, 3)
    assert batch.marginal([0, 1]).mean.shape == (2, 2, 2)
    with pytest.raises(
        ValueError, match=r"shape must be \(\) to complete data, or \(k,\), got \(2, 2\)"
    ):
        batch.expected_statistics(x[None])


def test_singular_covariance_is_mended_and_says_so():
    flat = MultivariateNormal([0.0, 0.0], np.ones((2, 2)))
    assert "covariance" in flat.repair
    assert np.isfinite(flat.log_prob([1.0, 1.0]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultivariateNormal(MU, np.eye(2)), r"mean must be of shape \(\.\.\., 2\)"),
        (lambda: MultivariateNormal(0.0, np.eye(1)), r"mean must be of shape \(\.\.\., 1\)"),
        (lambda: MultivariateNormal(MU), "spread must be given as exactly one of"),
        (
            lambda: MultivariateNormal(MU, SIGMA).log_prob([1.0]),
            r"x must be of shape \(\.\.\., 3\)",
        ),
        (lambda: MultivariateNormal(MU, SIGMA).marginal(5), "idx must be coordinates below 3"),
        (lambda: MultivariateNormal(MU, SIGMA).condition([0], [np.nan]), "values must be finite"),
        (lambda: MultivariateNormal(MU, SIGMA).condition([0], [1.0, 2.0]), "values must be finite"),
        (lambda: MultivariateNormal(MU, SIGMA).affine([[1.0]]), r"A must be of shape \(k, 3\)"),
        (
            lambda: MultivariateNormal(MU, SIGMA).kl(MultivariateNormal([0.0], [[1.0]])),
            "dimension must be 3, got 1",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=f"MultivariateNormal: {message}"):
        call()


def test_far_points_have_no_density_and_raise_no_warning(joint):
    x = np.array([[np.inf, 0, 0], [1e200, 0, 0], [np.inf, np.nan, 0], MU])
    found = joint.log_prob(x)
    assert found[:3].tolist() == [-np.inf] * 3
    assert np.isfinite(found[3])


def test_conditioning_on_everything_leaves_nothing(joint):
    nothing = joint.condition([0, 1, 2], MU)
    assert nothing.dim == 0
    assert nothing.log_prob(np.empty(0)) == 0.0


def test_pickle_and_repr(joint):
    again = pickle.loads(pickle.dumps(joint))
    assert_allclose(again.log_prob(MU), joint.log_prob(MU))
    assert (
        repr(joint) == "MultivariateNormal(mean=[ 1. , -2. ,  0.5], std=[1.4142, 1.    , 0.7071])"
    )
    batch = MultivariateNormal(np.zeros((5, 2)), np.eye(2))
    assert repr(batch) == "MultivariateNormal(mean=0 … 0, std=[1., 1.], shape=(5,))"
