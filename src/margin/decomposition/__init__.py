"""Decomposition: tables as products of simpler ones, and maps to fewer dimensions."""

from margin.core import publish
from margin.decomposition.correlation._cca import CCA
from margin.decomposition.correlation._kernel_cca import KernelCCA
from margin.decomposition.correlation._probabilistic_cca import ProbabilisticCCA
from margin.decomposition.factor._factor_analysis import FactorAnalysis
from margin.decomposition.factor._rotation import RotatedLoadings, rotate_factors
from margin.decomposition.kernel._kernel_pca import KernelPCA
from margin.decomposition.linear._alternating_pca import AlternatingPCA
from margin.decomposition.linear._incremental_pca import IncrementalPCA
from margin.decomposition.linear._pca import PCA
from margin.decomposition.linear._truncated_svd import TruncatedSVD
from margin.decomposition.manifold._classical_mds import ClassicalMDS
from margin.decomposition.manifold._gaussian_projection import GaussianRandomProjection
from margin.decomposition.manifold._johnson_lindenstrauss import johnson_lindenstrauss_min_dim
from margin.decomposition.manifold._mds import MDS
from margin.decomposition.manifold._sparse_projection import SparseRandomProjection
from margin.decomposition.manifold._spectral_embedding import SpectralEmbedding
from margin.decomposition.probabilistic._bayesian_pca import BayesianPCA
from margin.decomposition.probabilistic._ppca import ProbabilisticPCA
from margin.decomposition.probabilistic._ppca_classifier import ProbabilisticPCAClassifier
from margin.decomposition.sources._dictionary_learning import DictionaryLearning
from margin.decomposition.sources._fast_ica import FastICA
from margin.decomposition.sources._fastica_function import fastica
from margin.decomposition.sources._matrix_completion import MatrixCompletion
from margin.decomposition.sources._nmf import NMF
from margin.decomposition.sources._nmf_function import non_negative_factorization
from margin.decomposition.sources._sparse_coder import SparseCoder

__all__ = [
    "CCA",
    "MDS",
    "NMF",
    "PCA",
    "AlternatingPCA",
    "BayesianPCA",
    "ClassicalMDS",
    "DictionaryLearning",
    "FactorAnalysis",
    "FastICA",
    "GaussianRandomProjection",
    "IncrementalPCA",
    "KernelCCA",
    "KernelPCA",
    "MatrixCompletion",
    "ProbabilisticCCA",
    "ProbabilisticPCA",
    "ProbabilisticPCAClassifier",
    "RotatedLoadings",
    "SparseCoder",
    "SparseRandomProjection",
    "SpectralEmbedding",
    "TruncatedSVD",
    "fastica",
    "johnson_lindenstrauss_min_dim",
    "non_negative_factorization",
    "rotate_factors",
]

publish(__name__)
