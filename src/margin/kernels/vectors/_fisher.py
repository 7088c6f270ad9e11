"""The Fisher kernel of a generative model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.kernels._base import Floats, Kernel


@dataclass(frozen=True)
class Fisher(Kernel):
    r"""Objects are alike if they pull a model's parameters the same way (kernels.26).

    .. math:: k(x, z) = u_x^\top u_z, \qquad u_x = \nabla_\theta \log p(x; \theta).

    Any model of any objects becomes a kernel through its score vectors. With ``information`` the
    kernel is :math:`u_x^\top I^{-1} u_z`, which does not depend on how the model is parametrised.

    Parameters
    ----------
    score : callable
        Takes ``n`` objects, gives their score vectors as an array of shape ``(n, p)``.
    information : array-like of shape (p, p), optional
        Positive-definite Fisher information ``I``; the identity if left out.

    See Also
    --------
    numerical_score : The score vectors of any model that has a log density.

    Examples
    --------
    A Gaussian of mean 1 and variance 4, as a function of its mean: :math:`u = (x - 1) / 4`.

    >>> import numpy as np
    >>> kernel = Fisher(lambda X: (np.asarray(X) - 1.0) / 4.0)
    >>> kernel([[3.0]], [[5.0]])
    array([[0.5]])
    >>> Fisher(kernel.score, information=[[0.25]])([[3.0]], [[5.0]])
    array([[2.]])
    """

    score: Callable[[Any], Any]
    information: tuple[tuple[float, ...], ...] | None = None
    input: ClassVar[str] = "any"

    def __post_init__(self) -> None:
        if not callable(self.score):
            raise check.fail(self, "score", "a function of objects", self.score)
        if self.information is None:
            return
        matrix = np.atleast_2d(np.asarray(self.information, dtype=np.float64))
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise check.fail(self, "information", "a square matrix", matrix.shape)
        smallest = float(np.linalg.eigvalsh(matrix)[0])
        if not np.allclose(matrix, matrix.T) or not smallest > 0:
            raise check.fail(
                self, "information", "symmetric and positive definite", f"eigenvalue {smallest:.6g}"
            )
        object.__setattr__(self, "information", tuple(tuple(map(float, row)) for row in matrix))

    def _features(self, X: Any) -> Floats:
        """Score vectors, in coordinates in which the information is the identity."""
        u = np.asarray(self.score(X), dtype=np.float64)
        if u.ndim != 2 or not np.isfinite(u).all():
            raise check.fail(self, "score", "giving a finite array of shape (n, p)", u.shape)
        if self.information is None:
            return u
        root = np.linalg.cholesky(np.array(self.information))
        return np.asarray(np.linalg.solve(root, u.T).T)

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Scalar products of the score vectors."""
        left = self._features(X)
        return left @ (left if Z is None else self._features(Z)).T

    def diag(self, X: Any) -> Floats:
        """Squared lengths of the score vectors."""
        u = self._features(X)
        return np.asarray(np.einsum("ij,ij->i", u, u))


@dataclass(frozen=True)
class NumericalScore:
    """Score vectors of a model by central differences: see :func:`numerical_score`."""

    log_prob: Callable[[Any, Floats], Any]
    theta: tuple[float, ...]
    step: float = 1e-5

    def __call__(self, X: Any) -> Floats:
        """Score vectors of objects, one row each."""
        theta, columns = np.array(self.theta), []
        for j in range(len(theta)):
            h = np.zeros(len(theta))
            h[j] = self.step * max(1.0, abs(theta[j]))
            ahead = np.asarray(self.log_prob(X, theta + h), dtype=np.float64)
            behind = np.asarray(self.log_prob(X, theta - h), dtype=np.float64)
            columns.append((ahead - behind) / (2.0 * h[j]))
        return np.stack(columns, axis=1)


def numerical_score(
    log_prob: Callable[[Any, Floats], Any], theta: ArrayLike, *, step: float = 1e-5
) -> NumericalScore:
    """Score vectors of any model with a log density, by central differences (kernels.26).

    Parameters
    ----------
    log_prob : callable
        ``log_prob(X, theta)``: one logarithm of a density per object.
    theta : array-like of shape (p,)
        Parameters of the model.
    step : float
        Relative length of the step.

    Examples
    --------
    >>> import numpy as np
    >>> def log_prob(X, theta):
    ...     return -0.5 * (X[:, 0] - theta[0]) ** 2 / 4.0
    >>> numerical_score(log_prob, [1.0])(np.array([[3.0]])).round(6)
    array([[0.5]])
    """
    return NumericalScore(log_prob, tuple(map(float, np.atleast_1d(theta))), step)
