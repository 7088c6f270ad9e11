"""A fit over blocks of rows is that of all of them in memory, whatever else is asked at once."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from margin.cluster import KMeans
from margin.decomposition import (
    CCA,
    PCA,
    BayesianPCA,
    FactorAnalysis,
    ProbabilisticCCA,
    ProbabilisticPCA,
    ProbabilisticPCAClassifier,
)
from margin.distributions import Exponential, Gamma, MultivariateNormal, Normal, Poisson
from margin.linear import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    LinearRegression,
    QuadraticDiscriminantAnalysis,
    Ridge,
)
from margin.mixture import (
    BayesianGaussianMixture,
    DirichletProcessMixture,
    GaussianMixture,
    LatentDirichletAllocation,
    Mixture,
    MixtureOfExperts,
    MixtureOfRegressions,
)

RNG = np.random.default_rng(0)
CUTS = (7, 8, 60, 110)
CENTRES = np.array([[0.0, 0, 0, 0, 0], [6, 0, 3, 0, -4], [0, 7, -3, 5, 0]])
LABEL = RNG.integers(3, size=150)
X = CENTRES[LABEL] + RNG.normal(size=(150, 5)) @ (np.eye(5) + 0.2 * RNG.normal(size=(5, 5)))
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
HOLES[3] = X[3]
WEIGHT = RNG.integers(0, 4, 150).astype(float)
COUNTS = RNG.poisson(RNG.dirichlet(np.ones(3), 150) @ RNG.gamma(0.5, 4.0, size=(3, 12)))

DENSITIES = {
    "k-means": (lambda: KMeans(3, random_state=0), "cluster_centers_ inertia_ labels_"),
    "k-means, random starts": (
        lambda: KMeans(3, init="random", n_init=4, random_state=1, algorithm="hamerly"),
        "cluster_centers_ inertia_ labels_",
    ),
    "k-means, partition": (
        lambda: KMeans(4, init="partition", n_init=2, random_state=1),
        "cluster_centers_ inertia_",
    ),
    "k-means, farthest": (
        lambda: KMeans(4, init="farthest", n_init=1, random_state=1),
        "cluster_centers_ inertia_",
    ),
    "mixture": (lambda: GaussianMixture(3, random_state=0), "means_ covariances_ weights_"),
    "tied mixture": (
        lambda: GaussianMixture(3, covariance_type="tied", random_state=0),
        "means_ covariances_ weights_",
    ),
    "spherical mixture, accelerated": (
        lambda: GaussianMixture(
            3, covariance_type="spherical", acceleration="squarem", random_state=0
        ),
        "means_ covariances_ weights_",
    ),
    "hard mixture": (
        lambda: GaussianMixture(3, assignment="hard", random_state=0),
        "means_ covariances_ weights_",
    ),
    "Bayesian mixture": (
        lambda: BayesianGaussianMixture(n_components=4, random_state=0, max_iter=30),
        "means_ covariances_ weights_ lower_bound_",
    ),
    "Bayesian mixture, diagonal": (
        lambda: BayesianGaussianMixture(
            n_components=4,
            covariance_type="diag",
            weight_concentration_prior_type="dirichlet_distribution",
            random_state=0,
            max_iter=30,
        ),
        "means_ covariances_ weights_ lower_bound_",
    ),
    "mixture of distributions": (
        lambda: Mixture([MultivariateNormal, MultivariateNormal], random_state=0),
        "weights_ lower_bound_",
    ),
    "PCA": (lambda: PCA(3, svd_solver="covariance_eigh"), "components_ explained_variance_ mean_"),
    "probabilistic PCA": (
        lambda: ProbabilisticPCA(n_components=2),
        "components_ noise_variance_ mean_",
    ),
    "probabilistic PCA by EM": (
        lambda: ProbabilisticPCA(n_components=2, solver="em", tol=1e-4),
        "components_ noise_variance_ mean_",
    ),
    "Bayesian PCA": (lambda: BayesianPCA(max_iter=50), "components_ noise_variance_ relevance_"),
    "factor analysis": (lambda: FactorAnalysis(2), "components_ noise_variance_ mean_"),
}
NO_HOLES = {"k-means", "k-means, random starts", "k-means, partition", "k-means, farthest", "PCA"}


def fitted(fit):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit()


def blocks(*arrays):
    """A function that opens blocks of tuples, or of tables where there is one array."""
    parts = [np.split(a, CUTS) for a in arrays]
    if len(arrays) == 1:
        return lambda: iter(parts[0])
    return lambda: zip(*parts, strict=True)


def alike(one, other, names, rtol=1e-6):
    for name in names.split():
        a, b = getattr(one, name), getattr(other, name)
        assert_allclose(a, b, rtol=rtol, atol=rtol, err_msg=name)


@pytest.mark.parametrize("holes", [False, True], ids=["complete", "holes"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("case", DENSITIES)
def test_densities_and_clusters(case, weighted, holes):
    make, names = DENSITIES[case]
    if holes and case in NO_HOLES:
        pytest.skip("not a density")
    table = HOLES if holes else X
    weight = WEIGHT if weighted else None
    whole = fitted(lambda: make().fit(table, sample_weight=weight))
    source = blocks(table, WEIGHT) if weighted else blocks(table)
    alike(whole, fitted(lambda: make().fit_blocks(source)), names)


CLASSIFIERS = {
    "classes of principal components": (
        lambda: ProbabilisticPCAClassifier(n_components=2),
        "means_ noise_variances_ priors_",
        True,
    ),
    "naive Bayes": (GaussianNB, "theta_ var_ class_prior_", False),
    "linear discriminant": (LinearDiscriminantAnalysis, "means_ priors_ intercept_ coef_", False),
    "quadratic discriminant": (QuadraticDiscriminantAnalysis, "means_ priors_", False),
    "least squares": (LinearRegression, "coef_ intercept_", False),
    "ridge": (Ridge, "coef_ intercept_", False),
    "canonical correlations": (
        lambda: CCA(1),
        "x_rotations_ y_rotations_ correlations_ x_loadings_ coef_ intercept_",
        False,
    ),
    "mixture of regressions": (
        lambda: MixtureOfRegressions(n_components=2, n_init=2, random_state=0),
        "coefs_ intercepts_ variances_ weights_ lower_bound_",
        False,
    ),
    "mixture of experts": (
        lambda: MixtureOfExperts(n_components=2, n_init=2, random_state=0, max_iter=30),
        "coefs_ intercepts_ variances_ gate_coef_ lower_bound_",
        False,
    ),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("case", CLASSIFIERS)
def test_rows_with_targets(case, weighted):
    make, names, holes = CLASSIFIERS[case]
    weight = WEIGHT if weighted else None
    for table in (X, HOLES) if holes else (X,):
        whole = fitted(lambda t=table: make().fit(t, LABEL, sample_weight=weight))
        source = blocks(table, LABEL, WEIGHT) if weighted else blocks(table, LABEL)
        alike(whole, fitted(lambda s=source: make().fit_blocks(s)), names)


@pytest.mark.parametrize("holes", [False, True], ids=["complete", "holes"])
def test_density_of_two_tables(holes):
    table = HOLES if holes else X
    whole = ProbabilisticCCA(n_components=2).fit(table[:, :3], table[:, 3:])
    parts = ProbabilisticCCA(n_components=2).fit_blocks(blocks(table[:, :3], table[:, 3:]))
    alike(whole, parts, "x_weights_ y_noise_ correlations_ log_likelihood_")
    assert whole.fit_report_.n_iter == parts.fit_report_.n_iter


@pytest.mark.parametrize("holes", [False, True], ids=["complete", "holes"])
def test_dirichlet_processes(holes):
    table = HOLES if holes else X
    make = lambda: DirichletProcessMixture(alpha=Gamma(1.0, 1.0), max_components=6, random_state=0)  # noqa: E731
    whole, parts = make().fit(table), make().fit_blocks(blocks(table))
    alike(whole, parts, "weights_ means_ covariances_ labels_ alpha_ n_components_posterior_")


def test_topics():
    """Documents in blocks, dense or sparse; starts are drawn in the same order."""
    whole = LatentDirichletAllocation(3, random_state=0).fit(COUNTS)
    parts = LatentDirichletAllocation(3, random_state=0).fit_blocks(blocks(COUNTS))
    sparse = [csr_array(part) for part in np.split(COUNTS, CUTS)]
    others = LatentDirichletAllocation(3, random_state=0).fit_blocks(sparse)
    alike(whole, parts, "components_ bound_")
    alike(whole, others, "components_ bound_")


@pytest.mark.parametrize("family", [MultivariateNormal, Normal, Gamma, Poisson, Exponential])
def test_distributions_add_up(family):
    """Statistics are a monoid: those of blocks are those of all rows, weights and holes too."""
    table = X if family is MultivariateNormal else COUNTS[:, 0].astype(float)
    if family in (Gamma, Exponential):
        table = table + 0.5
    whole = family.statistics(table, WEIGHT)
    parts = [family.statistics(t, w) for t, w in blocks(table, WEIGHT)()]
    one, other = family.fit(whole), family.fit(sum(parts[1:], parts[0]))
    assert_allclose(one.mean, other.mean, rtol=1e-8)
    assert_allclose(one.var, other.var, rtol=1e-8)


def test_blocks_that_change_are_refused():
    lengths = iter([150, 150, 149, 149, 149, 149, 149])
    with pytest.raises(ValueError, match="KMeans: blocks must be the same in every pass"):
        KMeans(3, random_state=0).fit_blocks(lambda: [X[: next(lengths)]])


@pytest.mark.parametrize(
    "model", [KMeans(), BayesianGaussianMixture(), BayesianPCA(), LatentDirichletAllocation()]
)
def test_iterators_and_nothing_are_refused(model):
    with pytest.raises(ValueError, match="blocks must be a list, another iterable"):
        model.fit_blocks(iter([X]))
    with pytest.raises(ValueError, match="blocks must be at least one"):
        model.fit_blocks([])
