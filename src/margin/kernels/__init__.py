"""Kernels: similarities of vectors, strings, trees and graphs, and their algebra."""

from margin.core import publish
from margin.kernels._base import Kernel
from margin.kernels._gaussian_affinity import gaussian_affinity
from margin.kernels._memory import apply, row_blocks
from margin.kernels._prepared import Prepared
from margin.kernels._resolve import Custom, resolve
from margin.kernels._searched import SearchedKernel
from margin.kernels.algebra._algebra import Product, Sum
from margin.kernels.algebra._constrained import Constrained
from margin.kernels.algebra._functions_of import exponential, gaussian, polynomial
from margin.kernels.algebra._normalised import normalise
from margin.kernels.algebra._power import Power
from margin.kernels.algebra._scaled import Scaled
from margin.kernels.algebra._spaces import (
    ColumnChoice,
    Mapped,
    compose,
    direct_sum,
    on_columns,
    scaled_by,
    tensor,
)
from margin.kernels.features._approximate import approximate
from margin.kernels.features._feature_map import FeatureMap
from margin.kernels.features._fourier import FourierFeatures, fourier_features
from margin.kernels.features._gram_features import (
    GramFeatures,
    MercerExpansion,
    gram_features,
    mercer,
)
from margin.kernels.features._nystroem import NystroemFeatures, nystroem
from margin.kernels.features._polynomial_features import PolynomialFeatures
from margin.kernels.features._principal import PrincipalFeatures, principal_features
from margin.kernels.foreign._adapter import Foreign
from margin.kernels.foreign._at_bounds import at_bounds
from margin.kernels.foreign._back import to_sklearn
from margin.kernels.foreign._translation import Translation, from_sklearn, is_sklearn
from margin.kernels.graphs._graph_kernel import GraphKernel, VertexHistogram
from margin.kernels.graphs._random_walk import RandomWalk
from margin.kernels.graphs._shortest_path import ShortestPath
from margin.kernels.graphs._weisfeiler_lehman import WeisfeilerLehman
from margin.kernels.parts._convolution import Convolution
from margin.kernels.parts._delta import Delta
from margin.kernels.products._expansion import Expansion
from margin.kernels.products._kernel_rows import KernelRows, kernel_rows
from margin.kernels.radial._gamma_exponential import GammaExponential
from margin.kernels.radial._laplacian import Laplacian
from margin.kernels.radial._matern import Matern
from margin.kernels.radial._radial import Radial
from margin.kernels.radial._rational_quadratic import RationalQuadratic
from margin.kernels.radial._rbf import RBF
from margin.kernels.radial._thin_plate import ThinPlate
from margin.kernels.radial._truncated import Truncated
from margin.kernels.radial._wendland import Wendland
from margin.kernels.strings._mismatch import Mismatch
from margin.kernels.strings._spectrum import Spectrum
from margin.kernels.strings._subsequence import Subsequence
from margin.kernels.theory._alignment import alignment, ideal_matrix, target_alignment
from margin.kernels.theory._cardinal import CardinalFunctions, cardinal
from margin.kernels.theory._combination import Combination, alignment_weights, combine
from margin.kernels.theory._feature_choice import select_features
from margin.kernels.theory._invariance import InvarianceReport, invariances
from margin.kernels.theory._representer import (
    RepresenterCertificate,
    representer,
    representer_certificate,
)
from margin.kernels.theory._rkhs import KernelFunction, fourier_inner
from margin.kernels.theory._validity import (
    PSDCheck,
    check_conditionally_psd,
    check_psd,
    find_violation,
    quadratic_forms,
)
from margin.kernels.trees._tree_kernels import AllSubtrees, SubsetTrees
from margin.kernels.vectors._b_spline import BSpline
from margin.kernels.vectors._catmull_rom import CatmullRom
from margin.kernels.vectors._compact import CompactSupport
from margin.kernels.vectors._constant import Constant
from margin.kernels.vectors._distances import squared_distances
from margin.kernels.vectors._fisher import Fisher, numerical_score
from margin.kernels.vectors._intersection import Intersection
from margin.kernels.vectors._linear import Linear
from margin.kernels.vectors._periodic import Periodic
from margin.kernels.vectors._polynomial import Polynomial
from margin.kernels.vectors._separable import Separable
from margin.kernels.vectors._sigmoid import Sigmoid
from margin.kernels.vectors._sinc import Sinc
from margin.kernels.vectors._triangle import Triangle
from margin.kernels.vectors._vectors import VectorKernel
from margin.kernels.vectors._white import White

__all__ = [
    "RBF",
    "AllSubtrees",
    "BSpline",
    "CardinalFunctions",
    "CatmullRom",
    "ColumnChoice",
    "Combination",
    "CompactSupport",
    "Constant",
    "Constrained",
    "Convolution",
    "Custom",
    "Delta",
    "Expansion",
    "FeatureMap",
    "Fisher",
    "Foreign",
    "FourierFeatures",
    "GammaExponential",
    "GramFeatures",
    "GraphKernel",
    "Intersection",
    "InvarianceReport",
    "Kernel",
    "KernelFunction",
    "KernelRows",
    "Laplacian",
    "Linear",
    "Mapped",
    "Matern",
    "MercerExpansion",
    "Mismatch",
    "NystroemFeatures",
    "PSDCheck",
    "Periodic",
    "Polynomial",
    "PolynomialFeatures",
    "Power",
    "Prepared",
    "PrincipalFeatures",
    "Product",
    "Radial",
    "RandomWalk",
    "RationalQuadratic",
    "RepresenterCertificate",
    "Scaled",
    "SearchedKernel",
    "Separable",
    "ShortestPath",
    "Sigmoid",
    "Sinc",
    "Spectrum",
    "Subsequence",
    "SubsetTrees",
    "Sum",
    "ThinPlate",
    "Translation",
    "Triangle",
    "Truncated",
    "VectorKernel",
    "VertexHistogram",
    "WeisfeilerLehman",
    "Wendland",
    "White",
    "alignment",
    "alignment_weights",
    "apply",
    "approximate",
    "at_bounds",
    "cardinal",
    "check_conditionally_psd",
    "check_psd",
    "combine",
    "compose",
    "direct_sum",
    "exponential",
    "find_violation",
    "fourier_features",
    "fourier_inner",
    "from_sklearn",
    "gaussian",
    "gaussian_affinity",
    "gram_features",
    "ideal_matrix",
    "invariances",
    "is_sklearn",
    "kernel_rows",
    "mercer",
    "normalise",
    "numerical_score",
    "nystroem",
    "on_columns",
    "polynomial",
    "principal_features",
    "quadratic_forms",
    "representer",
    "representer_certificate",
    "resolve",
    "row_blocks",
    "scaled_by",
    "select_features",
    "squared_distances",
    "target_alignment",
    "tensor",
    "to_sklearn",
]

publish(__name__)
