"""What averaging does to the spread of its members."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats


def variance_of_mean(variance: float, correlation: float, n_members: int) -> float:
    r"""Variance of the mean of equally correlated members (tree.05).

    .. math:: \rho \sigma^2 + (1 - \rho) \frac{\sigma^2}{B}

    However many members there are, :math:`\rho \sigma^2` remains.

    Parameters
    ----------
    variance : float
        Variance :math:`\sigma^2` of one member.
    correlation : float
        Correlation :math:`\rho` of any two; at least :math:`-1 / (B - 1)`.
    n_members : int
        Number :math:`B`.

    Examples
    --------
    >>> round(variance_of_mean(4.0, 0.25, 10), 12)
    1.3
    """
    if n_members < 1:
        raise check.fail("variance_of_mean", "n_members", "at least 1", n_members)
    least = -1.0 / max(n_members - 1, 1)
    if not least <= correlation <= 1.0:
        raise check.fail(
            "variance_of_mean", "correlation", f"between {least:.4g} and 1", correlation
        )
    return variance * (correlation + (1.0 - correlation) / n_members)


@dataclass(frozen=True)
class MemberSpread:
    """How much the members of an ensemble differ between repetitions, and how alike they are.

    Parameters
    ----------
    variance : float
        Mean variance of a single member's answer.
    correlation : float
        Mean correlation of two members' answers.
    n_members : int
        How many there are.
    measured : float
        Variance of their mean as seen.
    """

    variance: float
    correlation: float
    n_members: int
    measured: float

    @property
    def predicted(self) -> float:
        """Variance of the mean by :func:`variance_of_mean`."""
        return variance_of_mean(self.variance, self.correlation, self.n_members)


def member_spread(answers: ArrayLike) -> MemberSpread:
    """Spread of the members over repeated training (tree.05).

    Parameters
    ----------
    answers : array-like of shape (n_repeats, n_members, n_points)
        Predictions of every member at some points, trained on as many independent data sets.

    Returns
    -------
    MemberSpread

    Examples
    --------
    >>> import numpy as np
    >>> draws = np.random.default_rng(0).normal(size=(2000, 5, 1))
    >>> spread = member_spread(draws + draws[:, :1])
    >>> bool(np.isclose(spread.predicted, spread.measured, rtol=1e-9))
    True
    """
    values = np.asarray(answers, dtype=np.float64)
    if values.ndim != 3 or len(values) < 2:
        need = "of shape (n_repeats, n_members, n_points) with at least two repeats"
        raise check.fail("member_spread", "answers", need, values.shape)
    gap: Floats = values - values.mean(axis=0)
    n, m = len(gap) - 1, gap.shape[1]
    covariance = np.einsum("rip,rjp->ij", gap, gap) / (n * gap.shape[2])
    own = float(np.trace(covariance)) / m
    apart = float(covariance.sum() - np.trace(covariance)) / max(m * (m - 1), 1)
    correlation = apart / own if own > 0 and m > 1 else 1.0
    return MemberSpread(own, correlation, m, float(covariance.sum()) / m**2)
