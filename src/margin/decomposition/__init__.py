"""Decomposition of tables: principal components, latent normal factors, kernels."""

from margin.core import publish
from margin.decomposition.factor._factor_analysis import FactorAnalysis
from margin.decomposition.factor._rotation import RotatedLoadings, rotate_factors
from margin.decomposition.kernel._kernel_pca import KernelPCA
from margin.decomposition.linear._alternating_pca import AlternatingPCA
from margin.decomposition.linear._incremental_pca import IncrementalPCA
from margin.decomposition.linear._pca import PCA
from margin.decomposition.linear._truncated_svd import TruncatedSVD
from margin.decomposition.probabilistic._bayesian_pca import BayesianPCA
from margin.decomposition.probabilistic._ppca import ProbabilisticPCA
from margin.decomposition.probabilistic._ppca_classifier import ProbabilisticPCAClassifier

__all__ = [
    "PCA",
    "AlternatingPCA",
    "BayesianPCA",
    "FactorAnalysis",
    "IncrementalPCA",
    "KernelPCA",
    "ProbabilisticPCA",
    "ProbabilisticPCAClassifier",
    "RotatedLoadings",
    "TruncatedSVD",
    "rotate_factors",
]

publish(__name__)
