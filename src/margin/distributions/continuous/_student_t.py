"""Student's t distribution."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, digamma, stdtr, stdtrit

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily, Univariate
from margin.distributions._parameters import parameter, points, probabilities, shown, together
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions.continuous._student_fit import fit_column
from margin.distributions.statistics._sample import WeightedSample


@dataclass(frozen=True, eq=False, repr=False)
class StudentT(Univariate, ExponentialFamily):
    r"""Student's t distribution, or an array of independent ones.

    .. math:: p(x) = \frac{1}{\sqrt\nu\, B(\nu/2, 1/2)\, \sigma}
              \Big(1 + \frac{z^2}{\nu}\Big)^{-(\nu+1)/2}, \qquad z = \frac{x - \mu}{\sigma}

    A normal distribution whose variance is uncertain: the prediction of a Gaussian model with
    unknown noise. It tends to the normal as :math:`\nu \to \infty`.

    Parameters
    ----------
    df : array-like
        Degrees of freedom :math:`\nu > 0`.
    loc : array-like
        Centre :math:`\mu`.
    scale : array-like
        Width :math:`\sigma > 0`; the standard deviation is larger.

    Examples
    --------
    >>> heavy = StudentT(4.0, loc=[0.0, 1.0], scale=2.0)
    >>> heavy.var
    array([8., 8.])
    >>> StudentT(1.0).cdf(1.0).round(12)
    np.float64(0.75)
    """

    df: Floats
    loc: Floats
    scale: Floats

    def __init__(self, df: ArrayLike, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0) -> None:
        given = together(
            self,
            df=parameter(self, "df", df, positive=True),
            loc=parameter(self, "loc", loc),
            scale=parameter(self, "scale", scale, positive=True),
        )
        for name, value in zip(("df", "loc", "scale"), given, strict=True):
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.loc.shape

    @property
    def mean(self) -> Floats:
        r""":math:`\mu`; NaN where :math:`\nu \le 1`, since the expectation does not exist."""
        return np.where(self.df > 1, self.loc, np.nan)

    @property
    def var(self) -> Floats:
        r""":math:`\sigma^2 \nu / (\nu - 2)`; infinite up to :math:`\nu = 2`, NaN up to 1."""
        above = np.where(self.df > 2, self.df - 2, 1.0)
        finite = self.scale**2 * (self.df / above)
        return np.where(self.df > 2, finite, np.where(self.df > 1, np.inf, np.nan))

    @property
    def mode(self) -> Floats:
        return self.loc

    @property
    def skewness(self) -> Floats:
        r"""0; NaN where :math:`\nu \le 3`, since it does not exist."""
        return np.where(self.df > 3, 0.0, np.nan)

    @property
    def kurtosis(self) -> Floats:
        r"""Excess :math:`6/(\nu - 4)`; infinite up to :math:`\nu = 4`, NaN up to 2."""
        finite = 6.0 / np.where(self.df > 4, self.df - 4.0, 1.0)
        return np.where(self.df > 4, finite, np.where(self.df > 2, np.inf, np.nan))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the density at ``x``; 0 where ``x`` is NaN (unobserved)."""
        z = self._standard(x)
        # betaln keeps its digits for large df, where a difference of two gammaln loses them.
        constant = -betaln(self.df / 2, 0.5) - 0.5 * np.log(self.df) - np.log(self.scale)
        # hypot does not overflow where z**2 would.
        tail = 2 * np.log(np.hypot(1.0, np.abs(z) / np.sqrt(self.df)))
        small = np.abs(z) < 1e-3 * np.sqrt(self.df)
        tail = np.where(small, np.log1p(np.where(small, z, 0.0) ** 2 / self.df), tail)
        return np.where(np.isnan(z), 0.0, constant - 0.5 * (self.df + 1) * tail)

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``."""
        return np.asarray(stdtr(self.df, self._standard(x)))

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the cumulative probability reaches ``q``; the axes of ``q`` come first."""
        levels = probabilities(self, q, self.shape)
        return np.asarray(self.loc + self.scale * stdtrit(self.df, levels))

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws from each distribution, along a new first axis."""
        draws = source(self, n, rng).standard_t(self.df, size=(n, *self.shape))
        return self.loc + self.scale * draws

    @property
    def entropy(self) -> Floats:
        r""":math:`\tfrac{\nu+1}2 [\psi(\tfrac{\nu+1}2) - \psi(\tfrac\nu2)] +
        \log(\sqrt\nu B(\tfrac\nu2, \tfrac12)\sigma)`, in nats.
        """
        half = (self.df + 1) / 2
        spread = half * (digamma(half) - digamma(self.df / 2))
        width = 0.5 * np.log(self.df) + betaln(self.df / 2, 0.5) + np.log(self.scale)
        return np.asarray(spread + width)

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> WeightedSample:
        """The distinct rows and their weights: heavy tails have no smaller statistics."""
        return WeightedSample.of(X, weight)

    @classmethod
    def fit(
        cls,
        stats: WeightedSample | ArrayLike,
        prior: Belief | None = None,
        *,
        df: float | None = None,
    ) -> Self:
        """Maximum likelihood: expectation maximisation for centre and width at each ``df``.

        Parameters
        ----------
        stats : WeightedSample or array-like
        prior : None
            There is no conjugate prior of this family.
        df : float, optional
            Degrees of freedom if they are known; else those of the largest likelihood up to
            a million, which is the normal distribution.
        """
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        if df is not None and not 0 < df < np.inf:
            raise check.fail(cls.__name__, "df", "a number above 0", df)
        stats = as_statistics(cls.__name__, WeightedSample, stats)
        fits = [fit_column(cls.__name__, v, w, df) for v, w in stats.columns()]
        return cls(*np.array(fits).T.reshape(3, *stats.shape))

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.df[key], self.loc[key], self.scale[key])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.loc.size > 4 else ""
        return (
            f"StudentT(df={shown(self.df)}, loc={shown(self.loc)}, "
            f"scale={shown(self.scale)}{batch})"
        )

    def _standard(self, x: ArrayLike) -> Floats:
        return np.asarray((points(self, x) - self.loc) / self.scale)
