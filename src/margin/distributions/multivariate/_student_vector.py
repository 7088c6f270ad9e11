"""Student's t distribution of a vector: a normal with mean and covariance integrated out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln

from margin.core import check, missing
from margin.core.types import Floats
from margin.distributions._parameters import coordinates
from margin.distributions._requirements import Seed, source
from margin.distributions.multivariate._joint_cdf import joint_cdf
from margin.linalg import cholesky, schur_complement


class NormalWishartBelief(Protocol):
    """What is asked of a belief about mean and covariance to predict the next row."""

    @property
    def mean(self) -> Floats: ...
    @property
    def strength(self) -> float: ...
    @property
    def scale(self) -> Floats: ...
    @property
    def df(self) -> float: ...

    @property
    def dim(self) -> int: ...


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
    def predictive(cls, belief: NormalWishartBelief) -> StudentVector:
        r"""Distribution of the next row: :math:`\nu - d + 1` degrees of freedom, scale
        :math:`\Psi (\kappa + 1) / (\kappa (\nu - d + 1))`.
        """
        df = belief.df - belief.dim + 1
        return cls(df, belief.mean, belief.scale * ((1 + 1 / belief.strength) / df))

    @property
    def mean(self) -> Floats:
        r"""The centre; NaN where :math:`\nu \le 1`, since the expectation does not exist."""
        return self.loc if self.df > 1 else np.full(self.loc.shape, np.nan)

    @property
    def covariance(self) -> Floats:
        r""":math:`\Sigma\,\nu/(\nu - 2)`; infinite up to :math:`\nu = 2`, NaN up to 1."""
        if self.df > 2:
            return np.asarray(self.scale * (self.df / (self.df - 2)))
        return np.full(self.scale.shape, np.inf if self.df > 1 else np.nan)

    @property
    def var(self) -> Floats:
        """Variance of every coordinate."""
        return np.asarray(np.diagonal(self.covariance))

    @property
    def mode(self) -> Floats:
        return self.loc

    @property
    def entropy(self) -> float:
        """In nats."""
        d, df = len(self.loc), self.df
        log_det = cholesky(self.scale, name="scale").log_det
        constant = (
            gammaln(df / 2) - gammaln((df + d) / 2) + 0.5 * (d * np.log(df * np.pi) + log_det)
        )
        return float(constant + 0.5 * (df + d) * (digamma((df + d) / 2) - digamma(df / 2)))

    def marginal(self, idx: Any) -> StudentVector:
        """Joint distribution of the coordinates ``idx``, in that order."""
        kept = coordinates(self, idx, len(self.loc))
        return StudentVector(self.df, self.loc[kept], self.scale[np.ix_(kept, kept)])

    def condition(self, idx: Any, values: ArrayLike) -> StudentVector:
        r"""Distribution of the other coordinates given those at ``idx``.

        More degrees of freedom, :math:`\nu + d_e`, and a scale that grows with the distance of the
        values from their centre: :math:`\frac{\nu + \delta}{\nu + d_e}
        (\Sigma_{rr} - \Sigma_{re}\Sigma_{ee}^{-1}\Sigma_{er})`.
        """
        seen = coordinates(self, idx, len(self.loc))
        given = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if given.shape != seen.shape or not np.isfinite(given).all():
            raise check.fail(self, "values", f"finite and of shape ({len(seen)},)", values)
        block = schur_complement(self.scale, seen, name="scale")
        shift = given - self.loc[seen]
        factor = cholesky(self.scale[np.ix_(seen, seen)], name="scale")
        stretch = (self.df + float(factor.quadratic(shift))) / (self.df + len(seen))
        loc = self.loc[block.remaining] + block.gain @ shift
        return StudentVector(self.df + len(seen), loc, stretch * block.complement)

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row, of shape (n,)."""
        return self.log_prob(X)

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

    def joint_cdf(
        self, x: ArrayLike, *, tol: float = 1e-5, max_points: int = 2_000_000, rng: Seed = 0
    ) -> Floats:
        r"""Probability that all coordinates are at most those of ``x`` at once (distributions.07).

        As :meth:`MultivariateNormal.joint_cdf`, of which this is the mean over the common scale.

        Parameters
        ----------
        x : array-like of shape (n, d)
            Rows; NaN and infinity leave a coordinate free.
        tol : float
            Absolute error to reach; a :class:`~sklearn.exceptions.ConvergenceWarning` tells if it
            was not.
        max_points : int
            Most points at which the integrand is evaluated, for each row.
        rng : numpy.random.Generator or int
            Source of the shifts; the same seed gives the same answer.

        Examples
        --------
        >>> pair = StudentVector(1.0, np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
        >>> pair.joint_cdf([[0.0, 0.0]]).round(4)
        array([0.3333])
        """
        rows = np.asarray(x, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.loc):
            need = f"of shape (n, {len(self.loc)})"
            raise check.fail(self, "x", need, f"shape {rows.shape}")
        return joint_cdf(
            type(self).__name__,
            rows - self.loc,
            self.scale,
            self.df,
            tol=tol,
            max_points=max_points,
            rng=source(self, 0, rng),
        )

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` rows."""
        rng = source(self, n, rng)
        lower = cholesky(self.scale, name="scale").lower
        noise = rng.standard_normal((n, len(self.loc))) @ lower.T
        return self.loc + noise / np.sqrt(rng.chisquare(self.df, size=(n, 1)) / self.df)
