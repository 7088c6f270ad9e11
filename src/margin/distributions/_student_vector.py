"""Student's t distribution of a vector: a normal with mean and covariance integrated out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from margin.core import missing
from margin.core.types import Floats
from margin.distributions._normal_inverse_wishart import NormalInverseWishart
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False)
class StudentVector:
    r"""Multivariate t with :math:`\nu` degrees of freedom, centre ``loc`` and scale ``scale``.

    .. math:: \log p(x) = \log\frac{\Gamma((\nu+d)/2)}{\Gamma(\nu/2)} - \tfrac d2\log(\nu\pi)
              - \tfrac12\log\det\Sigma - \tfrac{\nu+d}2 \log\Big(1 + \tfrac1\nu
              (x-m)^\top \Sigma^{-1} (x-m)\Big)

    Its marginals are of the same kind with the same :math:`\nu`, so NaN is integrated out exactly.

    Parameters
    ----------
    df : float
    loc : ndarray of shape (d,)
    scale : ndarray of shape (d, d)

    Examples
    --------
    >>> import numpy as np
    >>> one = StudentVector(4.0, np.zeros(1), np.eye(1))
    >>> round(float(np.exp(one.log_prob([[0.0]])[0])), 6)
    0.375
    """

    df: float
    loc: Floats
    scale: Floats

    @classmethod
    def predictive(cls, belief: NormalInverseWishart) -> StudentVector:
        r"""Distribution of the next row: :math:`\nu - d + 1` degrees of freedom, scale
        :math:`\Psi (\kappa + 1) / (\kappa (\nu - d + 1))`.
        """
        df = belief.df - belief.dim + 1
        return cls(df, belief.mean, belief.scale * ((1 + 1 / belief.strength) / df))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density of every row; NaN is integrated out."""
        rows = np.asarray(x, dtype=np.float64)
        value = np.zeros(len(rows))
        for group in missing.patterns(rows):
            seen, d = group.columns, len(group.columns)
            if not d:
                continue
            factor = cholesky(self.scale[np.ix_(seen, seen)], name="scale")
            white = factor.half_solve((rows[np.ix_(group.rows, seen)] - self.loc[seen]).T)
            tail = np.log1p(np.sum(white**2, axis=0) / self.df)
            constant = gammaln((self.df + d) / 2) - gammaln(self.df / 2)
            constant -= 0.5 * (d * np.log(self.df * np.pi) + factor.log_det)
            value[group.rows] = constant - 0.5 * (self.df + d) * tail
        return value

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """``n`` rows."""
        lower = cholesky(self.scale, name="scale").lower
        noise = rng.standard_normal((n, len(self.loc))) @ lower.T
        return self.loc + noise / np.sqrt(rng.chisquare(self.df, size=(n, 1)) / self.df)
