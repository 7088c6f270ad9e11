"""What a matrix must be before any work is done on it."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.core.types import Floats

_BLOCK = 512


def matrix(A: ArrayLike, name: str = "matrix") -> Floats:
    """Finite two-dimensional float64 array, or a refusal that names it.

    Examples
    --------
    >>> matrix([[1, 2]])
    array([[1., 2.]])
    >>> matrix([1.0, 2.0], name="kernel matrix")
    Traceback (most recent call last):
    ValueError: linalg: kernel matrix must be two-dimensional, got an array of shape (2,)
    """
    given: NDArray[Any] = np.asarray(A)
    if given.ndim != 2:
        raise _refusal(name, "two-dimensional", f"an array of shape {given.shape}")
    if given.dtype.kind == "c":
        raise _refusal(name, "real", f"an array of {given.dtype}")
    floats = given.astype(np.float64, copy=False)
    if not check.all_finite(floats):
        bad = "NaN" if np.isnan(floats).any() else "infinity"
        raise _refusal(name, "finite everywhere", bad)
    return floats


def square(A: ArrayLike, name: str = "matrix") -> Floats:
    """Finite square float64 array, or a refusal that names it.

    Examples
    --------
    >>> square([[1.0, 2.0]])
    Traceback (most recent call last):
    ValueError: linalg: matrix must be square, got an array of shape (1, 2)
    """
    checked = matrix(A, name)
    if checked.shape[0] != checked.shape[1]:
        raise _refusal(name, "square", f"an array of shape {checked.shape}")
    return checked


def symmetric(A: ArrayLike, name: str = "matrix", rtol: float = 1e-8) -> Floats:
    r"""Finite symmetric float64 array, or a refusal that names it.

    Rounding is forgiven: :math:`\max_{ij} |A_{ij} - A_{ji}| \le \mathrm{rtol} \cdot
    \max_{ij} |A_{ij}|`.

    Examples
    --------
    >>> symmetric([[1.0, 2.0], [0.0, 1.0]], name="covariance")
    Traceback (most recent call last):
    ValueError: linalg: covariance must be symmetric, got entries 2 apart across the diagonal
    """
    checked = square(A, name)
    gap = asymmetry(checked)
    if gap > 0 and gap > rtol * np.max(np.abs(checked)):
        raise _refusal(name, "symmetric", f"entries {gap:.3g} apart across the diagonal")
    return checked


def asymmetry(A: Floats) -> float:
    r"""Largest :math:`|A_{ij} - A_{ji}|`, block by block so that no second matrix is made."""
    if len(A) <= _BLOCK:
        return float(np.maximum.reduce(np.abs(A - A.T), axis=None, initial=0.0))
    gaps = [
        np.max(np.abs(A[i : i + _BLOCK, : i + _BLOCK] - A[: i + _BLOCK, i : i + _BLOCK].T))
        for i in range(0, len(A), _BLOCK)
    ]
    return float(max(gaps))


def vector(b: ArrayLike, size: int, name: str = "vector") -> Floats:
    """Finite one-dimensional float64 array of the given size, or a refusal that names it.

    Examples
    --------
    >>> vector([1, 2], 2)
    array([1., 2.])
    """
    right = np.asarray(b, dtype=np.float64)
    if right.shape != (size,):
        raise _refusal(name, f"of shape ({size},)", f"an array of shape {right.shape}")
    if not np.isfinite(right).all():
        raise _refusal(name, "finite everywhere", "NaN or infinity")
    return right


def right_side(b: ArrayLike, rows: int, name: str = "right-hand side") -> Floats:
    """One or several right-hand sides as float64: shape ``(rows,)`` or ``(rows, k)``."""
    right = np.asarray(b, dtype=np.float64)
    if right.ndim not in (1, 2) or right.shape[0] != rows:
        wanted = f"of shape ({rows},) or ({rows}, k)"
        raise _refusal(name, wanted, f"an array of shape {right.shape}")
    return right


def _refusal(name: str, requirement: str, got: str) -> ValueError:
    return ValueError(f"linalg: {name} must be {requirement}, got {got}")
