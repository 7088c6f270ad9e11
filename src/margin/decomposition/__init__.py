"""Decomposition: tables as products of simpler ones, and maps to fewer dimensions."""

from margin.core import publish
from margin.decomposition.correlation._cca import CCA
from margin.decomposition.correlation._kernel_cca import KernelCCA
from margin.decomposition.correlation._probabilistic_cca import ProbabilisticCCA
from margin.decomposition.manifold._classical_mds import ClassicalMDS
from margin.decomposition.manifold._gaussian_projection import GaussianRandomProjection
from margin.decomposition.manifold._johnson_lindenstrauss import johnson_lindenstrauss_min_dim
from margin.decomposition.manifold._mds import MDS
from margin.decomposition.manifold._sparse_projection import SparseRandomProjection
from margin.decomposition.manifold._spectral_embedding import SpectralEmbedding
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
    "ClassicalMDS",
    "DictionaryLearning",
    "FastICA",
    "GaussianRandomProjection",
    "KernelCCA",
    "MatrixCompletion",
    "ProbabilisticCCA",
    "SparseCoder",
    "SparseRandomProjection",
    "SpectralEmbedding",
    "fastica",
    "johnson_lindenstrauss_min_dim",
    "non_negative_factorization",
]

publish(__name__)
