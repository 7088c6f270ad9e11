"""Factorisations and structured solvers, with the one jitter policy of the library."""

from margin.core import publish
from margin.linalg._axioms import (
    MetricCheck,
    ScalarProduct,
    ScalarProductCheck,
    check_metric,
    check_scalar_product,
)
from margin.linalg._derivatives import (
    DERIVATIVES,
    Derivative,
    derivative_error,
    numerical_gradient,
)
from margin.linalg._predicates import (
    definiteness,
    is_hermitian,
    is_normal,
    is_orthogonal,
    is_regular,
    is_singular,
    is_skew_symmetric,
    is_symmetric,
    is_unitary,
    properties,
)
from margin.linalg.data._centring import (
    centring_matrix,
    double_centred,
    scalar_product_matrix,
    scatter_matrix,
)
from margin.linalg.data._gram import gram, row_gram, scatter, weighted_means
from margin.linalg.factors._cholesky import Cholesky, cholesky
from margin.linalg.factors._eigen import Eigen, generalised_eigen, largest_eigen, power_iteration
from margin.linalg.factors._elimination import Elimination, gaussian_elimination
from margin.linalg.factors._finite import eigh, lstsq, singular_values, svd
from margin.linalg.factors._kernel_matrix import kernel_cholesky, mirrored
from margin.linalg.factors._low_rank import Woodbury, downdate, update, woodbury
from margin.linalg.factors._mahalanobis import mahalanobis
from margin.linalg.factors._schur import SchurComplement, schur_complement
from margin.linalg.iterative._block_conjugate_gradient import (
    BlockSolution,
    block_conjugate_gradient,
)
from margin.linalg.iterative._block_krylov import dense_pairs, largest_pairs
from margin.linalg.iterative._conjugate_gradient import conjugate_gradient
from margin.linalg.iterative._graph_functions import GraphFunctions, graph_functions, n_parts
from margin.linalg.iterative._lanczos import TraceEstimate, gauss_quadrature, log_det_ratio
from margin.linalg.least_squares._least_squares import ridge
from margin.linalg.least_squares._normal_inverse import NormalInverse
from margin.linalg.least_squares._pseudo_inverse import left_inverse
from margin.linalg.least_squares._ridge_fit import RidgeFit
from margin.linalg.sparse._fronts import Fronts, fronts
from margin.linalg.sparse._nested_dissection import Dissection, bisection, nested_dissection
from margin.linalg.sparse._sparse_cholesky import SparseCholesky, sparse_cholesky
from margin.linalg.structured._centrosymmetric import symmetric_eigen
from margin.linalg.structured._kronecker import Kronecker, kronecker
from margin.linalg.structured._kronecker_product import (
    kronecker_columns,
    kronecker_product,
    kronecker_rows,
)
from margin.linalg.structured._shifted_kronecker import (
    ShiftedKronecker,
    eigenvalue_products,
    shifted_kronecker,
)
from margin.linalg.structured._toeplitz import LevinsonDurbin, levinson_durbin
from margin.linalg.structured._toeplitz_inverse import ToeplitzInverse, toeplitz_inverse
from margin.linalg.structured._tridiagonal import filter_pole, recursive_filter, solve_tridiagonal

__all__ = [
    "DERIVATIVES",
    "BlockSolution",
    "Cholesky",
    "Derivative",
    "Dissection",
    "Eigen",
    "Elimination",
    "Fronts",
    "GraphFunctions",
    "Kronecker",
    "LevinsonDurbin",
    "MetricCheck",
    "NormalInverse",
    "RidgeFit",
    "ScalarProduct",
    "ScalarProductCheck",
    "SchurComplement",
    "ShiftedKronecker",
    "SparseCholesky",
    "ToeplitzInverse",
    "TraceEstimate",
    "Woodbury",
    "bisection",
    "block_conjugate_gradient",
    "centring_matrix",
    "check_metric",
    "check_scalar_product",
    "cholesky",
    "conjugate_gradient",
    "definiteness",
    "dense_pairs",
    "derivative_error",
    "double_centred",
    "downdate",
    "eigenvalue_products",
    "eigh",
    "filter_pole",
    "fronts",
    "gauss_quadrature",
    "gaussian_elimination",
    "generalised_eigen",
    "gram",
    "graph_functions",
    "is_hermitian",
    "is_normal",
    "is_orthogonal",
    "is_regular",
    "is_singular",
    "is_skew_symmetric",
    "is_symmetric",
    "is_unitary",
    "kernel_cholesky",
    "kronecker",
    "kronecker_columns",
    "kronecker_product",
    "kronecker_rows",
    "largest_eigen",
    "largest_pairs",
    "left_inverse",
    "levinson_durbin",
    "log_det_ratio",
    "lstsq",
    "mahalanobis",
    "mirrored",
    "n_parts",
    "nested_dissection",
    "numerical_gradient",
    "power_iteration",
    "properties",
    "recursive_filter",
    "ridge",
    "row_gram",
    "scalar_product_matrix",
    "scatter",
    "scatter_matrix",
    "schur_complement",
    "shifted_kronecker",
    "singular_values",
    "solve_tridiagonal",
    "sparse_cholesky",
    "svd",
    "symmetric_eigen",
    "toeplitz_inverse",
    "update",
    "weighted_means",
    "woodbury",
]

publish(__name__)
