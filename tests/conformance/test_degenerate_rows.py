"""Tables that models of hidden variables are not made for: a finite answer or a clear refusal."""

import warnings

import numpy as np
import pytest

from margin.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from margin.core import FitError
from margin.decomposition import (
    NMF,
    PCA,
    BayesianPCA,
    FactorAnalysis,
    FastICA,
    KernelPCA,
    ProbabilisticPCA,
)
from margin.distributions import MultivariateNormal
from margin.mixture import (
    BayesianGaussianMixture,
    DirichletProcessMixture,
    GaussianMixture,
    LatentDirichletAllocation,
    Mixture,
)

X = np.random.default_rng(0).normal(size=(30, 4))


def changed(**entries):
    table = X.copy()
    for name, value in entries.items():
        axis, place = name.split("_")
        table[(slice(None), int(place)) if axis == "column" else int(place)] = value
    return table


TABLES = {
    "duplicates": np.repeat(X[:2], 15, axis=0),
    "constant column": changed(column_1=3.0),
    "one row": X[:1],
    "nothing but one row": np.ones((30, 4)),
    "row of NaN": changed(row_4=np.nan),
    "column of NaN": changed(column_2=np.nan),
    "fewer rows than components": X[:2],
    "huge": X * 1e150,
    "tiny": X * 1e-150,
}
MODELS = {
    "KMeans": lambda: KMeans(3, random_state=0),
    "Agglomerative": lambda: AgglomerativeClustering(3),
    "Spectral": lambda: SpectralClustering(3, random_state=0),
    "GaussianMixture": lambda: GaussianMixture(3, random_state=0),
    "without a floor": lambda: GaussianMixture(3, reg_covar=0.0, random_state=0),
    "diagonal, squarem": lambda: GaussianMixture(
        3, covariance_type="diag", acceleration="squarem", random_state=0
    ),
    "annealed": lambda: GaussianMixture(3, assignment="annealed", random_state=0),
    "Bayesian": lambda: BayesianGaussianMixture(n_components=3, random_state=0),
    "Mixture": lambda: Mixture([MultivariateNormal] * 3, random_state=0),
    "variational process": lambda: DirichletProcessMixture(max_components=5, random_state=0),
    "sampled process": lambda: DirichletProcessMixture(
        method="gibbs", n_draws=8, n_warmup=8, random_state=0
    ),
    "PCA": lambda: PCA(2),
    "ProbabilisticPCA": lambda: ProbabilisticPCA(n_components=2),
    "BayesianPCA": BayesianPCA,
    "FactorAnalysis": lambda: FactorAnalysis(2),
    "KernelPCA": lambda: KernelPCA(2),
    "FastICA": lambda: FastICA(2, random_state=0),
    "NMF": lambda: NMF(2, random_state=0),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", MODELS)
def test_finite_or_refused(name, kind):
    """A refusal names the class; what is not refused has no NaN in it, nor in its scores."""
    table = np.abs(TABLES[kind]) if name == "NMF" else TABLES[kind]
    model = MODELS[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(table)
        except (ValueError, FitError) as refusal:
            assert type(model).__name__ in str(refusal)  # noqa: PT017
            assert not hasattr(model, "fit_report_")
            return
        for attribute, value in vars(model).items():
            if attribute.endswith("_") and isinstance(value, np.ndarray | float):
                numbers = np.asarray(value)
                if numbers.dtype.kind == "f":
                    assert np.isfinite(numbers).all(), attribute
        if hasattr(model, "score_samples"):
            assert not np.isnan(model.score_samples(table)).any()


def test_documents_without_words():
    """They teach nothing, and have the prior for their proportions."""
    counts = np.random.default_rng(0).poisson(1.0, size=(20, 6))
    counts[[3, 7]] = 0
    model = LatentDirichletAllocation(3, random_state=0).fit(counts)
    rest = LatentDirichletAllocation(3, random_state=0).fit(np.delete(counts, [3, 7], axis=0))
    share = model.transform(counts)
    np.testing.assert_allclose(share[[3, 7]], 1 / 3)
    assert np.isfinite(model.components_).all()
    assert np.isclose(model.components_.sum(), rest.components_.sum())
