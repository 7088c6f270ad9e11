"""Gaussian mixtures by variational Bayes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import gammaln
from sklearn.mixture import BayesianGaussianMixture as Theirs

from margin.distributions import NormalInverseWishart
from margin.mixture import BayesianGaussianMixture, GaussianMixture

KINDS = ("full", "tied", "diag", "spherical")
PRIORS = ("dirichlet_process", "dirichlet_distribution")


def clouds(n=40, d=2):
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(5 * k, 1, (n, d)) for k in range(3)])


def with_gaps(X):
    holes = np.random.default_rng(1).random(X.shape) < 0.2
    return np.where(holes, np.nan, X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("gaps", [False, True])
def test_the_bound_never_falls(kind, prior, gaps):
    """inference.31: exact for every kind, with gaps and added variance."""
    X = with_gaps(clouds()) if gaps else clouds()
    model = BayesianGaussianMixture(
        n_components=5,
        covariance_type=kind,
        weight_concentration_prior_type=prior,
        reg_covar=1e-2,
        tol=1e-6,
        max_iter=3000,
        random_state=0,
    ).fit(X, sample_weight=np.full(len(X), 1.5))
    assert model.converged_
    assert np.diff(model.lower_bounds_).min() > -1e-7
    assert np.isfinite(model.score(X))


def test_one_component_is_the_conjugate_posterior():
    """inference.31: the bound of a single component is the evidence itself."""
    X = clouds(5)
    model = BayesianGaussianMixture(
        reg_covar=0.0,
        mean_prior=[1.0, -1.0],
        mean_precision_prior=0.7,
        degrees_of_freedom_prior=4.0,
        covariance_prior=np.eye(2) * 2,
        weight_concentration_prior_type="dirichlet_distribution",
    ).fit(X)
    prior = NormalInverseWishart([1.0, -1.0], 0.7, np.eye(2) * 2, 4.0)
    after = prior.posterior(X)
    assert_allclose(model.means_[0], after.mean)
    assert_allclose(model.covariances_[0], after.scale / after.df)
    assert_allclose(model.lower_bound_, prior.log_evidence(X))


@pytest.mark.parametrize("kind", ["diag", "spherical"])
def test_one_variance_is_the_conjugate_posterior(kind):
    """inference.31: evidence of one column by quadrature over the precision."""
    x = np.array([0.5, -1.0, 2.0])
    model = BayesianGaussianMixture(
        covariance_type=kind,
        reg_covar=0.0,
        mean_prior=[0.3],
        mean_precision_prior=0.7,
        degrees_of_freedom_prior=3.0,
        covariance_prior=[2.0] if kind == "diag" else 2.0,
        weight_concentration_prior_type="dirichlet_distribution",
    ).fit(x[:, None])
    n, mean = len(x), x.mean()
    scatter = ((x - mean) ** 2).sum() + n * 0.7 / (n + 0.7) * (mean - 0.3) ** 2

    def density(t):
        log = (1.5 - 1) * np.log(t) - t + 1.5 * np.log(1.0) - gammaln(1.5)
        log += 0.5 * n * np.log(t / (2 * np.pi)) - 0.5 * t * scatter
        return np.exp(log + 0.5 * np.log(0.7 / (n + 0.7)))

    assert_allclose(model.lower_bound_, np.log(quad(density, 0, np.inf)[0]), rtol=1e-8)


@pytest.mark.parametrize("prior", PRIORS)
def test_agrees_with_scikit_learn_for_full_covariances(prior):
    X = clouds()
    options = {
        "n_components": 3,
        "weight_concentration_prior_type": prior,
        "tol": 1e-9,
        "max_iter": 5000,
        "random_state": 0,
    }
    ours, theirs = BayesianGaussianMixture(**options).fit(X), Theirs(**options).fit(X)
    for name in ("weights_", "means_", "covariances_", "mean_precision_", "degrees_of_freedom_"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert_allclose(np.sort(a.ravel()), np.sort(b.ravel()), rtol=1e-4, atol=1e-4)
    assert_allclose(ours.score(X), theirs.score(X), rtol=1e-5)


def test_components_that_are_not_needed_fade():
    model = BayesianGaussianMixture(
        n_components=8, weight_concentration_prior=1e-3, max_iter=2000, random_state=0
    ).fit(clouds())
    assert (model.weights_ > 0.02).sum() <= 4
    assert model.weights_.min() < 1e-6


def test_much_data_is_the_fit_of_em():
    """inference.31: EM as the limit."""
    X = clouds(2000)
    bayes = BayesianGaussianMixture(n_components=3, random_state=0, tol=1e-6, max_iter=500).fit(X)
    plain = GaussianMixture(3, random_state=0, tol=1e-9, max_iter=500).fit(X)
    order, other = np.argsort(bayes.means_[:, 0]), np.argsort(plain.means_[:, 0])
    assert_allclose(bayes.means_[order], plain.means_[other], atol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_do_not_vary(kind):
    X = np.column_stack([clouds(20)[:, 0], np.ones(60)])
    model = BayesianGaussianMixture(n_components=2, covariance_type=kind, random_state=0).fit(X)
    assert np.isfinite(model.score(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight_concentration_prior": 0.0}, "weight_concentration_prior must be a number above"),
        ({"mean_prior": [1.0]}, "mean_prior must be of shape"),
        ({"degrees_of_freedom_prior": 0.5}, "degrees_of_freedom_prior must be above 1"),
        ({"covariance_prior": np.ones((2, 2))}, "covariance_prior must be symmetric"),
        ({"covariance_prior": np.ones(2)}, "covariance_prior must be of shape"),
        ({"weight_concentration_prior_type": "none"}, "weight_concentration_prior_type must be"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=f"BayesianGaussianMixture: {message}"):
        BayesianGaussianMixture(**options).fit(clouds())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_batches_of_one_component_are_the_posterior_of_all_rows(kind, weighted):
    """inference.30: the prior counts once, whatever the number of batches."""
    X = np.random.default_rng(0).permutation(clouds())
    weight = np.random.default_rng(1).integers(1, 3, len(X)).astype(float)
    weight[:60] *= weight[60:].sum() / weight[:60].sum()  # batches of one weight
    given = {"sample_weight": weight} if weighted else {}
    prior = {
        "covariance_type": kind,
        "mean_prior": [0.0, 1.0],
        "covariance_prior": {"diag": [2.0, 3.0], "spherical": 2.0}.get(kind, 2 * np.eye(2)),
    }
    whole = BayesianGaussianMixture(**prior).fit(X, **given)
    model = BayesianGaussianMixture(**prior, learning_decay=1.0)
    for part in (slice(0, 60), slice(60, 120)):
        model.partial_fit(X[part], **{k: w[part] for k, w in given.items()})
    assert model.n_iter_ == 2
    assert_allclose(model.means_, whole.means_, rtol=1e-10)
    assert_allclose(model.covariances_, whole.covariances_, rtol=1e-10)
    assert_allclose(model.degrees_of_freedom_, whole.degrees_of_freedom_)
    assert_allclose(model.mean_precision_, whole.mean_precision_)


@pytest.mark.parametrize("kind", KINDS)
def test_partial_fit_learns_from_batches_with_gaps(kind):
    """inference.30: components that are not needed fade also from batch to batch."""
    rng, X = np.random.default_rng(0), clouds()
    options = {"n_components": 5, "covariance_type": kind, "weight_concentration_prior": 1e-3}
    whole = BayesianGaussianMixture(**options, max_iter=500, random_state=0).fit(X)
    model = BayesianGaussianMixture(**options, random_state=0)
    for _ in range(30):
        model.partial_fit(with_gaps(X[rng.choice(len(X), 50)]))
    assert model.score(X) > whole.score(X) - 0.3
    blind = X[:5].copy()
    blind[:, 0] = np.nan  # a batch may lack a column
    assert np.isfinite(model.partial_fit(blind).score(X))
    model.fit(X)
    assert model.partial_fit(X).n_iter_ == 1  # a fit ends the stream


def test_first_batch_of_too_few_rows_is_refused():
    with pytest.raises(ValueError, match="BayesianGaussianMixture: X must have at least"):
        BayesianGaussianMixture(n_components=3).partial_fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="BayesianGaussianMixture: learning_decay"):
        BayesianGaussianMixture(learning_decay=1.5).partial_fit([[0.0], [1.0]])
