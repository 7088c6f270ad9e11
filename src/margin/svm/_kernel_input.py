"""What a kernel machine is given: a table, a kernel matrix, or a list of objects."""

from abc import ABC
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import check
from margin.core.types import Floats
from margin.kernels import Kernel, SearchedKernel, resolve

NAMED = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")


@dataclass(frozen=True, eq=False)
class KernelChoice:
    """A kernel by name, as an object or as a function, with what the named ones need.

    Parameters
    ----------
    kernel : str, Kernel or callable
    gamma : float, "scale" or "auto"
    degree : int
    coef0 : float

    Examples
    --------
    >>> KernelChoice("rbf", 0.5).resolve(np.zeros((2, 1)))
    RBF(length_scale=1.0)
    """

    kernel: Any
    gamma: Any = "scale"
    degree: int = 3
    coef0: float = 0.0

    def resolve(self, X: Any, weight: Floats | None = None) -> Kernel | None:
        """The kernel for this table as an object; ``None`` for a kernel matrix.

        With weights the scale of the table is that of the rows, each as often as it weighs.
        """
        gamma = self.gamma
        if gamma == "scale" and isinstance(self.kernel, str) and weight is not None:
            gamma = _weighted_scale(X, weight)
        return resolve(self.kernel, gamma=gamma, degree=self.degree, coef0=self.coef0, X=X)


class KernelInput(SearchedKernel, BaseEstimator, ABC):
    """An estimator with the parameters ``kernel``, ``degree``, ``gamma`` and ``coef0``."""

    kernel: Any
    degree: Any
    gamma: Any
    coef0: Any

    def _check_kernel(self) -> None:
        """Refuse a bad kernel, gamma, degree or coef0 before any work."""
        kernel, gamma, coef0 = self.kernel, self.gamma, self.coef0
        known = isinstance(kernel, Kernel) or callable(kernel)
        if not known and not (isinstance(kernel, str) and kernel in NAMED):
            need = f"a Kernel, a function or one of {', '.join(map(repr, NAMED))}"
            raise check.fail(self, "kernel", need, kernel)
        number = isinstance(gamma, Real) and not isinstance(gamma, bool)
        if not (number and 0 < gamma < np.inf) and not (
            isinstance(gamma, str) and gamma in ("scale", "auto")
        ):
            raise check.fail(self, "gamma", "a number above 0, 'scale' or 'auto'", gamma)
        check.params(self, count="degree")
        if isinstance(coef0, bool) or not isinstance(coef0, Real) or not abs(float(coef0)) < np.inf:
            raise check.fail(self, "coef0", "a finite number", coef0)

    def _choice(self, kernel: Any = None) -> KernelChoice:
        """The kernel asked for, or another with the same gamma, degree and constant."""
        kernel = self.kernel if kernel is None else kernel
        return KernelChoice(kernel, self.gamma, int(self.degree), float(self.coef0))

    def _training(
        self, X: Any, y: Any, sample_weight: Any, target: Literal["classes", "numeric"] | None
    ) -> tuple[Any, Any, Floats | None]:
        """Checked ``X``, ``y`` and weights; objects come back as a list.

        ``target`` says what ``y`` is; ``None`` where there is none.
        """
        if takes_objects(self.kernel, X):
            X, y = check.objects(self, X, y, target=target)
            return X, y, check.weights(self, sample_weight, len(X), negative=True)
        if target is None:
            X = check.table(self, X, sparse=True, order="C", reset=True)
        else:
            X, y, _ = check.data(self, X, y, target=target, sparse=True, order="C")
        weight = check.weights(self, sample_weight, X.shape[0], negative=True)
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            check_matrix(type(self).__name__, X)
        return X, y, weight

    def _keep_input(self, other: "KernelInput") -> None:
        """Store what another estimator saw: the number and the names of the features."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(other, name):
                setattr(self, name, getattr(other, name))

    def _query(self, X: Any) -> Any:
        """Checked ``X`` of a prediction."""
        check_is_fitted(self)
        if takes_objects(self.kernel, X):
            return check.listed(self, X)
        return check.table(self, X, sparse=True, order="C")

    def __sklearn_tags__(self) -> Any:
        # With a precomputed kernel X is pairwise, and dense.
        tags = super().__sklearn_tags__()
        given = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.sparse = not given
        tags.input_tags.pairwise = given
        return tags


def check_matrix(owner: str, X: Any) -> None:
    """Refuse what is no dense, symmetric matrix of kernel values."""
    name = "X with kernel='precomputed'"
    if sparse.issparse(X):
        raise TypeError(
            f"{owner}: {name} must be a dense array, got a sparse matrix; "
            "Sparse precomputed kernels are not supported"
        )
    if X.shape[0] != X.shape[1]:
        raise ValueError(
            f"{owner}: {name} must be a square matrix of kernel values, got shape {X.shape}"
        )
    largest = float(np.abs(X).max(initial=0.0))
    off = float(np.abs(X - X.T).max(initial=0.0))
    if off > 1e-5 * largest:
        raise check.fail(owner, name, "symmetric", f"a difference of {off:.3g}")


def takes_objects(kernel: Any, X: Any) -> bool:
    """Whether ``X`` is a list of objects for this kernel rather than a table."""
    if not isinstance(kernel, Kernel) and not callable(kernel):
        return False
    if getattr(kernel, "input", "any") == "vectors":
        return False
    if isinstance(kernel, Kernel) and kernel.input != "any":
        return True
    if sparse.issparse(X) or getattr(X, "ndim", 1) == 2:
        return False
    try:
        return np.asarray(X, dtype=np.float64).ndim != 2
    except (TypeError, ValueError):
        return True


def _weighted_scale(X: Any, weight: Floats) -> float:
    """1 / (n_features * variance of ``X``), where a weight of two counts a row twice."""
    share = weight / weight.sum()
    columns = max(1, X.shape[1])
    first = float(share @ np.asarray(X.mean(axis=1)).ravel())
    squares = X.multiply(X) if sparse.issparse(X) else X * X
    spread = float(share @ np.asarray(squares.mean(axis=1)).ravel()) - first**2
    return 1.0 / (columns * spread) if spread > 0 else 1.0
