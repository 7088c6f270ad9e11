"""Several kernel matrices of the same objects, and their weighted sums."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from margin import kernels
from margin.core import check
from margin.core.objects import count
from margin.svm._kernel_data import NAMED, check_matrix, resolved

LARGEST = 2e9  # bytes of all kernel matrices together
BLOCK = 1000
SPREAD = (0.1, 1.0, 10.0)


@dataclass(frozen=True, eq=False)
class KernelStack:
    r"""The matrices :math:`K_m` and the factors that make them comparable.

    Parameters
    ----------
    parts : tuple of Kernel, or None for matrices that were given.
    matrices : list of ndarray of shape (n, n)
    factors : ndarray of shape (m,)
        What every matrix is multiplied by.
    names : tuple of str
    """

    parts: tuple[Any, ...] | None
    matrices: list[np.ndarray]
    names: tuple[str, ...]
    factors: np.ndarray = field(default_factory=lambda: np.empty(0))

    def combined(self, weights):
        r"""The matrix :math:`\sum_m d_m K_m`."""
        total = np.zeros_like(self.matrices[0])
        for weight, K in zip(weights * self.factors, self.matrices, strict=True):
            if weight:
                total += total.dtype.type(weight) * K
        return total

    def kernel(self, weights):
        """The weighted sum as a kernel, ``None`` for matrices that were given."""
        if self.parts is None:
            return None
        pairs = zip(self.parts, weights * self.factors, strict=True)
        made = tuple(kernels.Scaled(part, float(weight)) for part, weight in pairs if weight > 0)
        if len(made) > 1:
            return kernels.Sum(made)
        return made[0] if made[0].factor != 1.0 else made[0].kernel

    def products(self, B):
        r"""The blocks :math:`K_m B` in double precision, of shape (m, n, k)."""
        out = np.empty((len(self.matrices), *B.shape))
        for made, factor, K in zip(out, self.factors, self.matrices, strict=True):
            for at in range(0, len(K), BLOCK):
                made[at : at + BLOCK] = K[at : at + BLOCK].astype(np.float64, copy=False) @ B
            made *= factor
        return out


def candidates(estimator):
    """The kernels of an estimator as a tuple, ``None`` for ``"precomputed"``."""
    given = estimator.kernels
    if given is None:
        return ("linear", *("rbf" for _ in SPREAD))
    if isinstance(given, str) and given == "precomputed":
        return None
    need = "a list of kernels, their names or functions, or 'precomputed'"
    if isinstance(given, str | kernels.Kernel) or not hasattr(given, "__iter__"):
        raise check.fail(estimator, "kernels", need, given)
    listed = tuple(given)
    for kernel in listed:
        named = isinstance(kernel, str) and kernel in NAMED and kernel != "precomputed"
        if not (named or isinstance(kernel, kernels.Kernel) or callable(kernel)):
            raise check.fail(estimator, "kernels", need, kernel)
    if not listed:
        raise check.fail(estimator, "kernels", need, given)
    return listed


def kernel_stack(estimator, X, weight, n_threads):
    """Matrices of all candidates for a table or a list; a given stack is checked."""
    listed = candidates(estimator)
    if listed is None:
        names = tuple(f"kernel {m}" for m in range(len(X)))
        made = KernelStack(None, list(X), names)
    else:
        _refuse_large(estimator, len(listed), count(X))
        parts = [resolved(estimator, X, weight, kernel) for kernel in listed]
        if estimator.kernels is None:
            parts[1:] = [
                kernels.RBF(part.length_scale / np.sqrt(factor))
                for part, factor in zip(parts[1:], SPREAD, strict=True)
            ]
        whole = [
            kernels.kernel_rows(part, X, allow_single=estimator.tol >= 1e-4, n_threads=n_threads)
            for part in parts
        ]
        dtype = np.result_type(*(rows.dtype for rows in whole))
        matrices = [rows.matrix().astype(dtype, copy=False) for rows in whole]
        made = KernelStack(tuple(parts), matrices, tuple(map(str, parts)))
    factors = [_factor(K, weight) if estimator.normalize else 1.0 for K in made.matrices]
    return replace(made, factors=np.array(factors))


def given_stack(estimator, X):
    """An array of kernel matrices, of shape (m, n, n), checked."""
    X = _three(estimator, X)
    if X.shape[1] != X.shape[2]:
        raise check.fail(estimator, "X", "of shape (n_kernels, n, n)", X.shape)
    for K in X:
        check_matrix(estimator, K)
    return X


def query_stack(estimator, X):
    """Weighted sum of the kernel values of new objects, of shape (q, n)."""
    X = _three(estimator, X)
    wanted = len(estimator.weights_)
    if len(X) != wanted:
        raise check.fail(estimator, "X", f"one matrix for each of the {wanted} kernels", len(X))
    return np.tensordot(estimator._stack_weights, X, axes=1)


def _three(estimator, X):
    try:
        X = np.asarray(X)
        X = X if X.dtype == np.float32 else X.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(estimator, "X", "an array of kernel matrices", type(X)) from error
    if X.ndim != 3 or not len(X):
        raise check.fail(estimator, "X", "of shape (n_kernels, n, n)", X.shape)
    if not np.isfinite(X).all():
        raise check.fail(estimator, "X", "finite everywhere", "NaN or infinity")
    return X


def _factor(K, weight):
    """One over the variance of the rows in feature space; 1 where there is none."""
    share = np.full(len(K), 1.0 / len(K)) if weight is None else weight / weight.sum()
    trace = float(share @ np.diagonal(K).astype(np.float64))
    spread = trace - float(share @ (K @ share.astype(K.dtype)).astype(np.float64))
    return 1.0 / spread if spread > 1e-9 * abs(trace) else 1.0


def _refuse_large(estimator, m, n):
    needed = 8.0 * (m + 1) * n * n
    if needed > LARGEST:
        raise ValueError(
            f"{type(estimator).__name__}: X must have at most "
            f"{int((LARGEST / (8 * (m + 1))) ** 0.5)} rows with {m} kernels, got {n}, whose kernel "
            f"matrices take {1e-9 * needed:.1f} GB; use fewer kernels, a part of the rows, or SVC"
        )
