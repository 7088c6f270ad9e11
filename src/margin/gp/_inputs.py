"""What a kernel compares: rows of a table, objects in a list, or a matrix made beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin.core import check
from margin.core.types import Array, Floats
from margin.kernels import Kernel, resolve


@dataclass(frozen=True)
class Precomputed(Kernel):
    """A kernel matrix given in place of the objects.

    The matrix of the training objects is square; that of new objects has one column for each
    training object.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> Precomputed()(K).tolist() == K.tolist()
    True
    """

    input: ClassVar[str] = "vectors"

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """The matrix itself."""
        return np.array(X, dtype=np.float64)

    def diag(self, X: Any) -> Floats:
        """Diagonal of a square matrix."""
        return np.diagonal(X).astype(np.float64)


def resolve_kernel(owner: Any, kernel: Any) -> Kernel | None:
    """The kernel meant by a parameter; None where the model's own default is meant."""
    if kernel is None:
        return None
    if isinstance(kernel, str) and kernel == "precomputed":
        return Precomputed()
    try:
        resolved = resolve(kernel, gamma=1.0)
    except ValueError as error:
        need = "None, a Kernel, a function, or the name of a kernel"
        raise check.fail(owner, "kernel", need, kernel) from error
    if resolved is not None and resolved.definite not in (
        "positive",
        "one column",
        "grid",
        "unknown",
    ):
        raise check.fail(owner, "kernel", "positive definite", kernel)
    return resolved


def structured(kernel: Any) -> bool:
    """Whether the kernel compares objects that are not rows of a table."""
    return kernel is not None and kernel.input not in ("vectors", "any")


def training(
    owner: Any, kernel: Any, X: Any, y: Any, *, target: Any = "numeric", multi_output: bool = False
) -> tuple[Any, Array]:
    """Checked training objects and targets."""
    if structured(kernel):
        return check.objects(owner, X, y, target=target, multi_output=multi_output)
    X, y, _ = check.data(owner, X, y, target=target, multi_output=multi_output, order="C")
    X = own_rows(X)
    if isinstance(kernel, Precomputed):
        if X.shape[0] != X.shape[1]:
            raise check.fail(owner, "X", "a square kernel matrix", f"shape {X.shape}")
        if not np.allclose(X, X.T, rtol=1e-8, atol=1e-10 * float(np.abs(X).max())):
            raise check.fail(owner, "X", "a symmetric kernel matrix", "one that is not")
        X = 0.5 * (X + X.T)
    return X, y


def own_rows(X: Any) -> Any:
    """A copy of a checked table, dense or sparse, for a model to keep.

    Rows that the user can still write on would change the model. And a product of a matrix with
    itself is another sum for BLAS than one with its copy: predictions at the training rows would
    change in the last digit once the model is saved and loaded.
    """
    return X.astype(np.float64, copy=True)


def new(owner: Any, kernel: Any, X: Any) -> Any:
    """Checked objects to predict at."""
    if structured(kernel):
        check_is_fitted(owner)
        return check.listed(owner, X)
    return check.table(owner, X, order="C").astype(np.float64, copy=False)
