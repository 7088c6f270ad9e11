"""Several kernel matrices of the same objects, and their weighted sums."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin import kernels
from margin.core import check
from margin.core.objects import count
from margin.core.types import Array, Floats
from margin.kernels import Kernel
from margin.svm._kernel_input import NAMED, KernelChoice, check_matrix

LARGEST = 2e9  # bytes of all kernel matrices together
BLOCK = 1000
SPREAD = (0.1, 1.0, 10.0)


@dataclass(frozen=True, eq=False)
class KernelStack:
    r"""The matrices :math:`K_m` and the factors that make them comparable.

    Parameters
    ----------
    parts : tuple of Kernel, or None for matrices that were given.
    matrices : sequence of ndarray of shape (n, n)
    factors : ndarray of shape (m,)
        What every matrix is multiplied by.
    names : tuple of str
    """

    parts: tuple[Kernel, ...] | None
    matrices: Sequence[Array]
    names: tuple[str, ...]
    factors: Floats = field(default_factory=lambda: np.empty(0))

    def combined(self, weights: Floats) -> Array:
        r"""The matrix :math:`\sum_m d_m K_m`."""
        total = np.zeros_like(self.matrices[0])
        for weight, K in zip(weights * self.factors, self.matrices, strict=True):
            if weight:
                total += total.dtype.type(weight) * K
        return total

    def kernel(self, weights: Floats) -> Kernel | None:
        """The weighted sum as a kernel, ``None`` for matrices that were given."""
        if self.parts is None:
            return None
        pairs = zip(self.parts, weights * self.factors, strict=True)
        terms = tuple(kernels.Scaled(part, float(weight)) for part, weight in pairs if weight > 0)
        if len(terms) > 1:
            return kernels.Sum(terms)
        return terms[0] if terms[0].factor != 1.0 else terms[0].kernel

    def products(self, B: Floats) -> Floats:
        r"""The blocks :math:`K_m B` in double precision, of shape (m, n, k)."""
        out = np.empty((len(self.matrices), *B.shape))
        for product, factor, K in zip(out, self.factors, self.matrices, strict=True):
            for at in range(0, len(K), BLOCK):
                product[at : at + BLOCK] = K[at : at + BLOCK].astype(np.float64, copy=False) @ B
            product *= factor
        return out


def candidates(owner: str, given: Any) -> tuple[Any, ...] | None:
    """The kernels to choose from as a tuple, ``None`` for ``"precomputed"``."""
    if given is None:
        return ("linear", *("rbf" for _ in SPREAD))
    if isinstance(given, str) and given == "precomputed":
        return None
    need = "a list of kernels, their names or functions, or 'precomputed'"
    if isinstance(given, str | Kernel) or not hasattr(given, "__iter__"):
        raise check.fail(owner, "kernels", need, given)
    listed = tuple(given)
    for kernel in listed:
        named = isinstance(kernel, str) and kernel in NAMED and kernel != "precomputed"
        if not (named or isinstance(kernel, Kernel) or callable(kernel)):
            raise check.fail(owner, "kernels", need, kernel)
    if not listed:
        raise check.fail(owner, "kernels", need, given)
    return listed


def kernel_stack(
    owner: str,
    choices: Sequence[KernelChoice],
    X: Any,
    weight: Floats | None = None,
    *,
    spread: bool = False,
    normalize: bool = True,
    allow_single: bool = False,
    n_threads: int = 1,
) -> KernelStack:
    """Matrices of all candidates for a table or a list.

    Parameters
    ----------
    owner : str
        Name of the estimator in messages.
    choices : sequence of KernelChoice
    X : table or list
    weight : ndarray or None, of the rows
    spread : bool
        Whether all candidates but the first are Gaussians of several widths.
    normalize : bool
        Whether the kernels are made comparable.
    allow_single : bool
        Whether single precision will do.
    n_threads : int
    """
    _refuse_large(owner, len(choices), count(X))
    resolved = [choice.resolve(X, weight) for choice in choices]
    parts = [part for part in resolved if part is not None]
    if spread:
        widths = zip(choices[1:], SPREAD, strict=True)
        parts[1:] = [_widened(choice, X, weight, factor) for choice, factor in widths]
    rows = [
        kernels.kernel_rows(part, X, allow_single=allow_single, n_threads=n_threads)
        for part in parts
    ]
    dtype = np.result_type(*(each.dtype for each in rows))
    matrices = [each.matrix().astype(dtype, copy=False) for each in rows]
    factors = _factors(matrices, weight, normalize)
    return KernelStack(tuple(parts), matrices, tuple(map(str, parts)), factors)


def _widened(choice: KernelChoice, X: Any, weight: Floats | None, factor: float) -> Kernel:
    """A Gaussian whose gamma is so many times that of the choice."""
    part = choice.resolve(X, weight)
    assert isinstance(part, kernels.RBF)
    return kernels.RBF(np.asarray(part.length_scale) / np.sqrt(factor))


def given_stack(X: Array, weight: Floats | None = None, *, normalize: bool = True) -> KernelStack:
    """Checked kernel matrices that were given, of shape (m, n, n), as a stack."""
    names = tuple(f"kernel {m}" for m in range(len(X)))
    return KernelStack(None, list(X), names, _factors(list(X), weight, normalize))


def checked_matrices(owner: str, X: Any) -> Array:
    """An array of kernel matrices, of shape (m, n, n)."""
    stack = _three(owner, X)
    if stack.shape[1] != stack.shape[2]:
        raise check.fail(owner, "X", "of shape (n_kernels, n, n)", stack.shape)
    for K in stack:
        check_matrix(owner, K)
    return stack


def query_stack(owner: str, X: Any, weights: Floats) -> Array:
    """Weighted sum of the kernel values of new objects, of shape (q, n)."""
    stack, wanted = _three(owner, X), len(weights)
    if len(stack) != wanted:
        raise check.fail(owner, "X", f"one matrix for each of the {wanted} kernels", len(stack))
    return np.tensordot(weights, stack, axes=1)


def _three(owner: str, X: Any) -> Array:
    try:
        X = np.asarray(X)
        X = X if X.dtype == np.float32 else X.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "X", "an array of kernel matrices", type(X)) from error
    if X.ndim != 3 or not len(X):
        raise check.fail(owner, "X", "of shape (n_kernels, n, n)", X.shape)
    if not np.isfinite(X).all():
        raise check.fail(owner, "X", "finite everywhere", "NaN or infinity")
    return np.asarray(X)


def _factors(matrices: Sequence[Array], weight: Floats | None, normalize: bool) -> Floats:
    return np.array([_factor(K, weight) if normalize else 1.0 for K in matrices])


def _factor(K: Array, weight: Floats | None) -> float:
    """One over the variance of the rows in feature space; 1 where there is none."""
    share = np.full(len(K), 1.0 / len(K)) if weight is None else weight / weight.sum()
    trace = float(share @ np.diagonal(K).astype(np.float64))
    spread = trace - float(share @ (K @ share.astype(K.dtype)).astype(np.float64))
    return 1.0 / spread if spread > 1e-9 * abs(trace) else 1.0


def _refuse_large(owner: str, m: int, n: int) -> None:
    needed = 8.0 * (m + 1) * n * n
    if needed > LARGEST:
        raise ValueError(
            f"{owner}: X must have at most "
            f"{int((LARGEST / (8 * (m + 1))) ** 0.5)} rows with {m} kernels, got {n}, whose kernel "
            f"matrices take {1e-9 * needed:.1f} GB; use fewer kernels, a part of the rows, or SVC"
        )
