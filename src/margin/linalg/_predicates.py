"""Yes-or-no questions about a matrix, answered at working precision."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Definiteness = Literal[
    "positive definite",
    "positive semidefinite",
    "negative definite",
    "negative semidefinite",
    "indefinite",
    "zero",
]
_RTOL = 1e-10


def is_symmetric(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether :math:`A = A^\top` (linalg.01).

    Every predicate forgives differences up to ``rtol`` times the largest entry of what is compared.

    Examples
    --------
    >>> is_symmetric([[1, 2], [2, 1]]), is_symmetric([[1, 2j], [-2j, 1]])
    (True, False)
    """
    A = _square(A)
    return _same(A, A.T, rtol)


def is_skew_symmetric(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether :math:`A = -A^\top` (linalg.01)."""
    A = _square(A)
    return _same(A, -A.T, rtol)


def is_hermitian(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether :math:`A = A^*`, the conjugate transpose (linalg.01)."""
    A = _square(A)
    return _same(A, A.conj().T, rtol)


def is_orthogonal(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether ``A`` is real with :math:`A^\top A = I` (linalg.01).

    Then lengths and angles are kept, the determinant is 1 or -1, every eigenvalue has size 1, and
    the inverse is the transpose.

    Examples
    --------
    >>> is_orthogonal([[0.6, -0.8], [0.8, 0.6]])
    True
    """
    A = _square(A)
    return bool(np.isrealobj(A)) and is_unitary(A, rtol)


def is_unitary(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether :math:`A^* A = I` (linalg.01)."""
    A = _square(A)
    return _same(A.conj().T @ A, np.eye(len(A)), rtol)


def is_normal(A: ArrayLike, rtol: float = _RTOL) -> bool:
    r"""Whether :math:`A^* A = A A^*`: a unitary basis of eigenvectors exists (linalg.01)."""
    A = _square(A)
    return _same(A.conj().T @ A, A @ A.conj().T, rtol)


def is_regular(A: ArrayLike, rtol: float | None = None) -> bool:
    r"""Whether ``A`` has an inverse (linalg.01).

    The smallest singular value must exceed ``rtol`` (:math:`n\,\mathrm{eps}` when absent) times the
    largest; the determinant would say nothing, as it depends on the scale.

    Examples
    --------
    >>> import numpy as np
    >>> is_regular(1e-8 * np.eye(40)), is_regular([[1.0, 2.0], [2.0, 4.0]])
    (True, False)
    """
    A = _square(A)
    if not len(A):
        return True
    sizes = np.linalg.svd(A, compute_uv=False)
    floor = len(A) * np.finfo(np.float64).eps if rtol is None else rtol
    return bool(sizes[-1] > floor * sizes[0])


def is_singular(A: ArrayLike, rtol: float | None = None) -> bool:
    """Whether ``A`` has no inverse; the opposite of :func:`is_regular` (linalg.01)."""
    return not is_regular(A, rtol)


def definiteness(A: ArrayLike, rtol: float = _RTOL) -> Definiteness:
    r"""Sign of the quadratic form :math:`x^* A x` over all ``x`` (linalg.01).

    Judged by the eigenvalues of the symmetric (hermitian) part :math:`(A + A^*)/2`: the skew part
    contributes nothing to a real form. Eigenvalues within ``rtol`` of zero, relative to the
    largest, count as zero.

    Examples
    --------
    >>> definiteness([[1.0, 5.0], [-5.0, 1.0]])
    'positive definite'
    >>> definiteness([[1.0, 2.0], [2.0, 1.0]]), definiteness([[1.0, 1.0], [1.0, 1.0]])
    ('indefinite', 'positive semidefinite')
    """
    A = _square(A)
    values = np.linalg.eigvalsh((A + A.conj().T) / 2)
    floor = rtol * np.max(np.abs(values), initial=0.0)
    low, high = np.min(values, initial=np.inf), np.max(values, initial=-np.inf)
    if low > floor:
        return "positive definite"
    if high < -floor:
        return "negative definite"
    if low >= -floor and high <= floor:
        return "zero"
    if low >= -floor:
        return "positive semidefinite"
    return "negative semidefinite" if high <= floor else "indefinite"


def properties(A: ArrayLike) -> frozenset[str]:
    """All that holds of a matrix, by name: ``"symmetric"``, ``"orthogonal"``, … (linalg.01).

    Examples
    --------
    >>> sorted(properties([[0.0, 1.0], [-1.0, 0.0]]))
    ['normal', 'orthogonal', 'regular', 'skew-symmetric', 'unitary', 'zero']
    """
    return frozenset({name for name, holds in _PREDICATES.items() if holds(A)} | {definiteness(A)})


_PREDICATES: dict[str, Callable[[ArrayLike], bool]] = {
    "symmetric": is_symmetric,
    "skew-symmetric": is_skew_symmetric,
    "hermitian": is_hermitian,
    "orthogonal": is_orthogonal,
    "unitary": is_unitary,
    "normal": is_normal,
    "regular": is_regular,
    "singular": is_singular,
}


def _square(A: ArrayLike) -> NDArray[Any]:
    checked: NDArray[Any] = np.asarray(A)
    if checked.ndim != 2 or checked.shape[0] != checked.shape[1]:
        raise ValueError(f"linalg: matrix must be square, got an array of shape {checked.shape}")
    if not np.isfinite(checked).all():
        raise ValueError("linalg: matrix must be finite everywhere, got NaN or infinity")
    return checked


def _same(A: NDArray[Any], B: NDArray[Any], rtol: float) -> bool:
    scale = max(np.max(np.abs(A), initial=0.0), np.max(np.abs(B), initial=0.0))
    return bool(np.max(np.abs(A - B), initial=0.0) <= rtol * scale)
