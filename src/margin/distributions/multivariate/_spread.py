"""The matrix of a Gaussian in whichever form it came: covariance, precision or factor."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Places
from margin.distributions._parameters import parameter
from margin.linalg import Cholesky, cholesky


@dataclass(frozen=True, eq=False)
class Spread:
    r"""Factored covariance :math:`\Sigma = L L^\top` or precision :math:`\Sigma^{-1} = L L^\top`.

    Parameters
    ----------
    factor : Cholesky
        ``L``.
    form : {"covariance", "precision"}
        Which of the two was factored; the other is only computed where it is asked for.

    Examples
    --------
    >>> Spread.of("Example", precision=np.diag([4.0, 0.25])).covariance
    array([[0.25, 0.  ],
           [0.  , 4.  ]])
    """

    factor: Cholesky
    form: Literal["covariance", "precision"]

    @classmethod
    def of(
        cls,
        owner: object,
        covariance: ArrayLike | None = None,
        precision: ArrayLike | None = None,
        lower: ArrayLike | None = None,
    ) -> Self:
        """Factor what was given: exactly one of the three."""
        given = {"covariance": covariance, "precision": precision, "cholesky": lower}
        names = [name for name, value in given.items() if value is not None]
        if len(names) != 1:
            wanted = "given as exactly one of covariance, precision and cholesky"
            raise check.fail(owner, "spread", wanted, names)
        if covariance is not None:
            return cls(cholesky(covariance, name="covariance"), "covariance")
        if precision is not None:
            return cls(cholesky(precision, name="precision"), "precision")
        return cls(_checked_factor(owner, lower), "covariance")

    batch: ClassVar[tuple[int, ...]] = ()

    @property
    def repair(self) -> str:
        """What jitter was needed to factor the matrix; empty if none."""
        return self.factor.repair

    @property
    def dim(self) -> int:
        """Number of coordinates."""
        return len(self.factor.lower)

    @cached_property
    def covariance(self) -> Floats:
        r""":math:`\Sigma`, read-only."""
        return self._matrix(direct=self.form == "covariance")

    @cached_property
    def precision(self) -> Floats:
        r""":math:`\Sigma^{-1}`, read-only."""
        return self._matrix(direct=self.form == "precision")

    @cached_property
    def variance(self) -> Floats:
        r"""Diagonal of :math:`\Sigma`."""
        if self.form == "precision":
            return self.factor.inverse_diagonal()
        return np.asarray(np.sum(self.factor.lower**2, axis=1))

    @property
    def log_det(self) -> float:
        r""":math:`\log\det\Sigma`."""
        return -self.factor.log_det if self.form == "precision" else self.factor.log_det

    @cached_property
    def whitener(self) -> Floats:
        """Matrix that whitens rows from the right, for many rows: one triangular inverse."""
        if self.form == "precision" or not self.dim:
            return self.factor.lower
        return np.ascontiguousarray(self.factor.half_solve(np.eye(self.dim)).T)

    def whiten(self, rows: Floats) -> Floats:
        r"""Rows ``z`` with :math:`\|z\|^2 = r^\top \Sigma^{-1} r`."""
        if self.form == "precision":
            return rows @ self.factor.lower
        return self.factor.half_solve(rows.T).T

    def colour(self, rows: Floats) -> Floats:
        r"""Rows of covariance :math:`\Sigma` from rows of white noise."""
        if self.form == "precision":
            return self.factor.half_solve(rows.T, transpose=True).T
        return rows @ self.factor.lower.T

    def part(self, kept: Places) -> Self:
        """Covariance of some coordinates."""
        return type(self).of("MultivariateNormal", self.covariance[np.ix_(kept, kept)])

    def _matrix(self, *, direct: bool) -> Floats:
        lower = self.factor.lower
        inverse = lower @ lower.T if direct else self.factor.solve(np.eye(self.dim))
        inverse = (inverse + inverse.T) / 2
        inverse.flags.writeable = False
        return inverse


def _checked_factor(owner: object, lower: ArrayLike | None) -> Cholesky:
    factor = parameter(owner, "cholesky", () if lower is None else lower)
    if factor.ndim != 2 or factor.shape[0] != factor.shape[1] or np.triu(factor, 1).any():
        raise check.fail(owner, "cholesky", "square and lower triangular", f"shape {factor.shape}")
    lowest = float(np.min(np.diagonal(factor), initial=np.inf))
    if not lowest > 0:
        raise check.fail(owner, "cholesky", "above 0 on the diagonal", lowest)
    return Cholesky(np.asfortranarray(factor), name="covariance")
