"""Kernels: similarities of vectors, strings, trees and graphs, and their algebra."""

from margin.kernels._algebra import Product, Sum
from margin.kernels._alignment import alignment, ideal_matrix, target_alignment
from margin.kernels._approximate import approximate
from margin.kernels._b_spline import BSpline
from margin.kernels._base import Kernel
from margin.kernels._cardinal import CardinalFunctions, cardinal
from margin.kernels._catmull_rom import CatmullRom
from margin.kernels._combination import Combination, alignment_weights, combine
from margin.kernels._compact import CompactSupport
from margin.kernels._constant import Constant
from margin.kernels._constrained import Constrained
from margin.kernels._distances import squared_distances
from margin.kernels._feature_map import FeatureMap, select_features
from margin.kernels._fisher import Fisher, numerical_score
from margin.kernels._fourier import FourierFeatures, fourier_features
from margin.kernels._functions_of import exponential, gaussian, polynomial
from margin.kernels._gamma_exponential import GammaExponential
from margin.kernels._gram_features import GramFeatures, MercerExpansion, gram_features, mercer
from margin.kernels._intersection import Intersection
from margin.kernels._invariance import InvarianceReport, invariances
from margin.kernels._laplacian import Laplacian
from margin.kernels._linear import Linear
from margin.kernels._matern import Matern
from margin.kernels._memory import apply, row_blocks
from margin.kernels._normalised import normalise
from margin.kernels._nystroem import NystroemFeatures, nystroem
from margin.kernels._periodic import Periodic
from margin.kernels._polynomial import Polynomial
from margin.kernels._polynomial_features import PolynomialFeatures
from margin.kernels._power import Power
from margin.kernels._radial import Radial
from margin.kernels._rational_quadratic import RationalQuadratic
from margin.kernels._rbf import RBF
from margin.kernels._representer import (
    RepresenterCertificate,
    representer,
    representer_certificate,
)
from margin.kernels._resolve import Custom, resolve
from margin.kernels._rkhs import KernelFunction, fourier_inner
from margin.kernels._scaled import Scaled
from margin.kernels._separable import Separable
from margin.kernels._sigmoid import Sigmoid
from margin.kernels._sinc import Sinc
from margin.kernels._spaces import (
    ColumnChoice,
    Mapped,
    compose,
    direct_sum,
    on_columns,
    scaled_by,
    tensor,
)
from margin.kernels._thin_plate import ThinPlate
from margin.kernels._triangle import Triangle
from margin.kernels._truncated import Truncated
from margin.kernels._validity import (
    PSDCheck,
    check_conditionally_psd,
    check_psd,
    find_violation,
    quadratic_forms,
)
from margin.kernels._vectors import VectorKernel
from margin.kernels._wendland import Wendland
from margin.kernels._white import White
from margin.kernels.structured import (
    AllSubtrees,
    Convolution,
    Delta,
    GraphKernel,
    Mismatch,
    RandomWalk,
    ShortestPath,
    Spectrum,
    Subsequence,
    SubsetTrees,
    VertexHistogram,
    WeisfeilerLehman,
)

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
    "FeatureMap",
    "Fisher",
    "FourierFeatures",
    "GammaExponential",
    "GramFeatures",
    "GraphKernel",
    "Intersection",
    "InvarianceReport",
    "Kernel",
    "KernelFunction",
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
    "Product",
    "Radial",
    "RandomWalk",
    "RationalQuadratic",
    "RepresenterCertificate",
    "Scaled",
    "Separable",
    "ShortestPath",
    "Sigmoid",
    "Sinc",
    "Spectrum",
    "Subsequence",
    "SubsetTrees",
    "Sum",
    "ThinPlate",
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
    "gaussian",
    "gram_features",
    "ideal_matrix",
    "invariances",
    "mercer",
    "normalise",
    "numerical_score",
    "nystroem",
    "on_columns",
    "polynomial",
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
]
