"""How normal vectors are learnt: statistics, completion of gaps, and fits."""

from abc import abstractmethod
from typing import Any, Self

from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily
from margin.distributions.multivariate._spreads import AnySpread
from margin.distributions.multivariate._vector_fit import (
    CovarianceType,
    expected_by_type,
    fitted,
    statistics_by_type,
)
from margin.distributions.statistics._column_moments import ColumnMoments
from margin.distributions.statistics._moments import Moments


class NormalLearning(ExponentialFamily):
    """The part of a family of normal vectors that learns from data."""

    mean: Floats
    spread: AnySpread

    @classmethod
    @abstractmethod
    def _with(cls, mean: Floats, spread: AnySpread) -> Self:
        """A distribution of parts that are known to be good."""

    @classmethod
    def statistics(
        cls,
        X: ArrayLike,
        weight: ArrayLike | None = None,
        *,
        covariance_type: CovarianceType = "full",
    ) -> Any:
        """Weight, mean and scatter of rows (distributions.37).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows, complete for covariances that are full or tied: rows with NaN have no statistics
            of their own there, :meth:`expected_statistics` completes them.
        weight : array-like of shape (n,) or (n, k), optional
            Non-negative weights; a matrix gives statistics of ``k`` members at once.
        covariance_type : {"full", "tied", "diag", "spherical"}
            What is to be fitted; the last two leave NaN out, and need no products of columns.
        """
        return statistics_by_type(cls.__name__, X, weight, covariance_type)

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> Any:
        """Expected statistics of rows with NaN, completed under this distribution.

        Fitting to them is one step of expectation maximisation: the likelihood of the observed
        values never falls. Each member of an array completes the rows by itself. Independent
        coordinates (a diagonal covariance) need no completion.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows; NaN means unobserved.
        weight : array-like of shape (n,) or (n, k), optional
            Non-negative weights; all ones when absent. An array of ``k`` members needs a column
            for each.
        """
        return expected_by_type(self, self.mean, self.spread, X, weight)

    @classmethod
    def fit(
        cls,
        stats: Moments | ColumnMoments | ArrayLike,
        prior: Belief | None = None,
        *,
        covariance_type: CovarianceType | None = None,
        ridge: float = 0.0,
    ) -> Self:
        r"""Maximum likelihood (divisor ``n``), or MAP with a prior (distributions.24).

        Parameters
        ----------
        stats : Moments, ColumnMoments or array-like
            From :meth:`statistics`; sums of several are fine, and statistics of ``k`` members give
            an array of them. Rows of data are summed up first.
        prior : NormalInverseWishart or NormalInverseGamma, optional
            Prior of mean and covariance (of mean and variances, for a diagonal one); the joint
            mode of the posterior is returned.
        covariance_type : {"full", "tied", "diag", "spherical"}, optional
            One covariance for each member, one for all, variances, or one variance for all
            coordinates. By default full for :class:`Moments`, diagonal for :class:`ColumnMoments`.
        ridge : float
            Added to the variances.

        Raises
        ------
        FitError
            Without a prior, if the data do not span all ``d`` dimensions: the likelihood is then
            unbounded.
        """
        return cls._with(*fitted(cls.__name__, stats, prior, covariance_type, ridge))
