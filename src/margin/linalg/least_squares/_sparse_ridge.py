"""Ridge and least squares on sparse rows, centred implicitly so that zeros stay zeros."""

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, lsmr

from margin.core.types import Floats
from margin.linalg.data._gram import weighted_means
from margin.linalg.least_squares._normal_inverse import (
    MOST_NUMBERS,
    NormalInverse,
    SparseInverse,
)
from margin.native.rows import products

_TOL = 1e-13
_LEAST_CORRELATION = 1e-6


def sparse_ridge(
    X: Any, Y: Floats, weight: Floats | None, alpha: float, intercept: bool, n_threads: int
) -> tuple[Floats, Floats, str, int, float, int, float, Floats, NormalInverse | None]:
    """Fields of :class:`RidgeFit` for a CSR matrix, by LSMR on the implicitly centred design.

    Each iteration reads the stored entries twice; memory of one transposed sparse copy.
    """
    X.check_format()
    n, p = X.shape
    transposed = X.T.tocsr()
    root = np.ones(n) if weight is None else np.sqrt(weight)
    total = float(root @ root)
    x_mean, y_mean = np.zeros(p), np.zeros(Y.shape[1])
    if intercept:
        x_mean = products.csr_product(transposed, (root**2 / total)[:, None], n_threads)[:, 0]
        y_mean = weighted_means(Y, weight)

    def forward(w: Floats) -> Floats:
        z = products.csr_product(X, np.ascontiguousarray(w.reshape(-1, 1)), n_threads)[:, 0]
        return root * (z - x_mean @ w.ravel())

    def backward(r: Floats) -> Floats:
        scaled = root * r.ravel()
        z = products.csr_product(transposed, scaled[:, None], n_threads)[:, 0]
        return np.asarray(z - x_mean * scaled.sum())

    operator = LinearOperator((n, p), matvec=forward, rmatvec=backward, dtype=np.float64)
    target = root[:, None] * (Y - y_mean)
    norm = float(np.linalg.norm(X.data * np.repeat(root, np.diff(X.indptr))))
    coef = np.empty((p, Y.shape[1]))
    iterations, worst, objective, squares = 0, 0.0, 0.0, np.empty(Y.shape[1])
    for k in range(Y.shape[1]):
        steps = lsmr(
            operator,
            target[:, k],
            damp=np.sqrt(alpha),
            atol=_TOL,
            btol=_TOL,
            conlim=0.0,
            maxiter=max(100, 10 * min(n, p)),
        )
        coef[:, k], iterations = steps[0], max(iterations, int(steps[2]))
        error = forward(coef[:, k]) - target[:, k]
        gradient = backward(error) + alpha * coef[:, k]
        size = max(
            float(np.abs(backward(target[:, k])).max(initial=0.0)),
            _LEAST_CORRELATION * norm * float(np.linalg.norm(target[:, k])),
            np.finfo(float).tiny,
        )
        worst = max(worst, float(np.abs(gradient).max(initial=0.0)) / size)
        squares[k] = error @ error
        objective += 0.5 * float(squares[k] + alpha * coef[:, k] @ coef[:, k])
    kept = None
    if max(p * p, X.nnz) <= MOST_NUMBERS:
        kept = SparseInverse(x_mean, alpha, transposed, root**2)
    return (
        coef,
        y_mean - x_mean @ coef,
        "LSMR (sparse)",
        min(int(np.count_nonzero(root)) - int(intercept), p),
        worst,
        iterations,
        objective,
        squares,
        kept,
    )
