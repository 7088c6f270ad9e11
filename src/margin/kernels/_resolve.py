"""Kernels by their names in scikit-learn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from margin.core import check
from margin.core.objects import count
from margin.kernels._base import Definite, Floats, Kernel
from margin.kernels.algebra._normalised import normalise
from margin.kernels.radial._laplacian import Laplacian
from margin.kernels.radial._rbf import RBF
from margin.kernels.vectors._linear import Linear
from margin.kernels.vectors._polynomial import Polynomial
from margin.kernels.vectors._sigmoid import Sigmoid

NAMES = ("cosine", "laplacian", "linear", "poly", "precomputed", "rbf", "sigmoid")


@dataclass(frozen=True)
class Custom(Kernel):
    """Any function ``function(X, Z)`` that gives a matrix, taken as a kernel.

    Nothing is known about it: no hyper-parameters, and :func:`check_psd` should be asked.

    Parameters
    ----------
    function : callable
        Takes two sets of objects, gives an array of shape ``(n, m)``.

    Examples
    --------
    >>> import numpy as np
    >>> Custom(lambda X, Z: X @ Z.T)(np.array([[1.0], [2.0]]))
    array([[1., 2.],
           [2., 4.]])
    """

    function: Callable[[Any, Any], Any]
    input = "any"
    definite: ClassVar[Definite] = "unknown"

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """What the function gives, made exactly symmetric for one set."""
        values = self.function(X, X if Z is None else Z)
        values = values.toarray() if sparse.issparse(values) else np.array(values)
        if values.dtype != np.float32:
            values = values.astype(np.float64)
        wanted = (count(X), count(X if Z is None else Z))
        if values.shape != wanted:
            raise check.fail(self, "function", f"giving an array of shape {wanted}", values.shape)
        if not np.isfinite(values).all():
            raise check.fail(self, "function", "giving finite numbers", "NaN or infinity")
        if Z is not None:
            return values
        largest = float(np.abs(values).max(initial=0))
        if not np.allclose(values, values.T, rtol=1e-6, atol=1e-6 * largest):
            raise check.fail(self, "function", "symmetric in its arguments", "one that is not")
        return np.asarray(0.5 * (values + values.T))

    def diag(self, X: Any) -> Floats:
        """The function of every object with itself."""
        pairs = [self(X[i : i + 1], X[i : i + 1]) for i in range(count(X))]
        return np.array([float(np.squeeze(pair)) for pair in pairs])


def resolve(
    kernel: Any,
    *,
    gamma: float | str | None = None,
    degree: int = 3,
    coef0: float | None = None,
    X: Any = None,
) -> Kernel | None:
    """A kernel from a name, a kernel or a function; None for ``"precomputed"``.

    Parameters
    ----------
    kernel : str, Kernel or callable
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"``, ``"cosine"``, ``"laplacian"``,
        ``"precomputed"``; a kernel comes back as it is.
    gamma : float, "scale", "auto" or None
        Factor of the named kernels: ``"scale"`` is 1 / (number of columns × variance of ``X``),
        ``"auto"`` and None are 1 / number of columns.
    degree : int
        Degree of ``"poly"``.
    coef0 : float, optional
        Constant of ``"poly"`` (1 if left out) and ``"sigmoid"`` (0 if left out).
    X : array-like, optional
        Table that the gamma is derived from, unless it is a number.

    Returns
    -------
    Kernel or None

    Examples
    --------
    >>> resolve("rbf", gamma=0.5)
    RBF(length_scale=1.0)
    >>> resolve("poly", gamma="auto", degree=2, coef0=0.0, X=[[1.0, 2.0]])
    Polynomial(degree=2, gamma=0.5, coef0=0.0)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Custom(kernel)
    if not isinstance(kernel, str) or kernel not in NAMES:
        known = ", ".join(map(repr, NAMES))
        raise check.fail("kernels", "kernel", f"one of {known}, a Kernel or a function", kernel)
    if kernel == "precomputed":
        return None
    if kernel == "linear":
        return Linear()
    if kernel == "cosine":
        return normalise(Linear())
    factor = _gamma(gamma, X)
    if kernel == "rbf":
        return RBF.from_gamma(factor)
    if kernel == "laplacian":
        return Laplacian(1.0 / factor)
    if kernel == "poly":
        return Polynomial(degree, factor, 1.0 if coef0 is None else coef0)
    return Sigmoid(factor, 0.0 if coef0 is None else coef0)


def _variance(X: Floats) -> float:
    """What ``np.var`` gives, without its preparations, which cost more than a small table."""
    size = max(X.size, 1)
    away = X - np.add.reduce(X, axis=None) / size
    np.multiply(away, away, out=away)
    return float(np.add.reduce(away, axis=None) / size)


def _gamma(gamma: float | str | None, X: Any) -> float:
    if isinstance(gamma, int | float | np.number) and not isinstance(gamma, bool):
        number = float(gamma)
        if not 0 < number < np.inf:
            raise check.fail("kernels", "gamma", "a number above 0, 'scale' or 'auto'", gamma)
        return number
    if gamma is not None and gamma not in ("scale", "auto"):
        raise check.fail("kernels", "gamma", "a number above 0, 'scale' or 'auto'", gamma)
    if X is None:
        raise check.fail("kernels", "X", f"given with gamma={gamma!r}", None)
    columns = max(1, int(np.shape(X)[1]))
    if gamma != "scale":
        return 1.0 / columns
    if sparse.issparse(X):
        spread = float(X.multiply(X).mean() - X.mean() ** 2)
    else:
        spread = _variance(np.asarray(X, dtype=np.float64))
    return 1.0 / (columns * spread) if spread > 0 else 1.0
