"""Covariances that are there as a matrix, or only as rows to multiply by."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.decomposition.linear._centred_table import CentredTable
from margin.distributions import Moments


@dataclass(frozen=True, eq=False)
class SecondMoments:
    r"""A covariance :math:`S`, divisor :math:`n`, as an operator.

    Parameters
    ----------
    weight : float
        Sum of the weights of rows, :math:`n`.
    diagonal : ndarray of shape (p,)
        Variances of the columns.
    matrix : ndarray of shape (p, p) or None
        The matrix itself,
    rows : CentredTable or None
        or the rows that it is made of.
    """

    weight: float
    diagonal: Floats
    matrix: Floats | None
    rows: CentredTable | None

    @classmethod
    def of_moments(cls, stats: Moments) -> "SecondMoments":
        """From summed statistics.

        Examples
        --------
        >>> SecondMoments.of_moments(Moments.of([[1.0], [3.0]])).diagonal
        array([1.])
        """
        matrix = stats.scatter / stats.weight
        if not np.isfinite(matrix).all():
            raise np.linalg.LinAlgError("a covariance beyond the largest number")
        return cls(float(stats.weight), np.maximum(np.diagonal(matrix), 0.0), matrix, None)

    @classmethod
    def of_rows(cls, table: CentredTable, weight: float) -> "SecondMoments":
        """From rows, for more columns than a matrix has room for."""
        away = table.dense()
        return cls(weight, np.einsum("ij,ij->j", away, away) / weight, None, table)

    def product(self, B: Floats) -> Floats:
        """:math:`S B`."""
        if self.matrix is not None:
            return self.matrix @ B
        assert self.rows is not None
        return self.rows.transposed_product(self.rows.product(B)) / self.weight
