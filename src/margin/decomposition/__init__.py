"""Decomposition: tables as products of simpler ones, and maps to fewer dimensions."""

from margin.core import publish
from margin.decomposition.correlation._cca import CCA
from margin.decomposition.correlation._kernel_cca import KernelCCA
from margin.decomposition.correlation._probabilistic_cca import ProbabilisticCCA
from margin.decomposition.manifold._gaussian_projection import GaussianRandomProjection
from margin.decomposition.manifold._johnson_lindenstrauss import johnson_lindenstrauss_min_dim
from margin.decomposition.manifold._sparse_projection import SparseRandomProjection
from margin.decomposition.sources._fast_ica import FastICA
from margin.decomposition.sources._nmf import NMF

__all__ = [
    "CCA",
    "NMF",
    "FastICA",
    "GaussianRandomProjection",
    "KernelCCA",
    "ProbabilisticCCA",
    "SparseRandomProjection",
    "johnson_lindenstrauss_min_dim",
]

publish(__name__)
