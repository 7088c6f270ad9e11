"""The von Mises distribution of an angle."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import i0e, i1e
from scipy.stats import vonmises

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily
from margin.distributions._requirements import Seed, source
from margin.distributions.statistics._totals import Totals

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False, repr=False)
class VonMises(SummedFamily):
    r"""Normal distribution of the circle, or an array of independent ones.

    .. math:: p(x) = \frac{e^{\kappa \cos(x - \mu)}}{2\pi I_0(\kappa)}

    Angles are in radians, and whole turns do not matter to the density. Draws, quantiles and
    ``cdf`` live on the turn :math:`\mu - \pi < x \le \mu + \pi` around the centre.

    Parameters
    ----------
    loc : array-like
        Centre :math:`\mu`.
    concentration : array-like
        :math:`\kappa \ge 0`; 0 is uniform.

    Examples
    --------
    >>> wind = VonMises.fit([0.1, -0.1, 0.2, -0.2])
    >>> abs(float(wind.loc)) < 1e-12, float(wind.concentration.round(3))
    (True, 40.368)
    """

    loc: Floats
    concentration: Floats

    def __init__(self, loc: ArrayLike = 0.0, concentration: ArrayLike = 1.0) -> None:
        kappa = parameter(self, "concentration", concentration)
        if kappa.size and kappa.min() < 0:
            raise check.fail(self, "concentration", "at least 0", float(kappa.min()))
        self._store(loc=parameter(self, "loc", loc), concentration=kappa)

    @property
    def mean(self) -> Floats:
        """The centre, which is also the mean direction."""
        return self.loc

    @property
    def resultant(self) -> Floats:
        r"""Length :math:`I_1(\kappa)/I_0(\kappa)` of the mean of :math:`e^{ix}`."""
        return np.asarray(i1e(self.concentration) / i0e(self.concentration))

    @property
    def circular_var(self) -> Floats:
        """One less the :attr:`resultant`."""
        return 1.0 - self.resultant

    @property
    def var(self) -> Floats:
        r"""Variance of the angle on the turn around the centre."""
        # The Fourier series of x squared meets the resultants of all orders.
        grid = np.linspace(-np.pi, np.pi, 8193)
        weights = np.exp(self.concentration[..., None] * (np.cos(grid) - 1.0))
        return np.asarray(
            np.trapezoid(weights * grid**2, grid, axis=-1) / np.trapezoid(weights, grid, axis=-1)
        )

    @property
    def mode(self) -> Floats:
        return self.loc

    @property
    def skewness(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def entropy(self) -> Floats:
        r""":math:`\log(2\pi I_0(\kappa)) - \kappa I_1(\kappa)/I_0(\kappa)`, in nats."""
        return self._log_peak() + self.concentration * (1.0 - self.resultant)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        safe = np.where(np.isfinite(at), at, 0.0)
        value = -2.0 * self.concentration * np.sin((safe - self.loc) / 2) ** 2 - self._log_peak()
        return np.where(np.isnan(at), 0.0, np.where(np.isinf(at), -np.inf, value))

    def cdf(self, x: ArrayLike) -> Floats:
        """Share of the turn around the centre up to ``x``."""
        away = np.clip(points(self, x) - self.loc, -np.pi, np.pi)
        inner = vonmises.cdf(away, np.where(self.concentration > 0, self.concentration, 1.0))
        flat = away / (2 * np.pi) + 0.5
        value = np.where(self.concentration > 0, inner, flat)
        return np.where(away <= -np.pi, 0.0, np.where(away >= np.pi, 1.0, value))

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the cumulative probability reaches ``q``, by bisection; axes of ``q`` first."""
        levels = probabilities(self, q, self.shape)
        low = np.broadcast_to(self.loc - np.pi, np.broadcast_shapes(levels.shape, self.shape))
        high = low + 2 * np.pi
        for _ in range(60):
            middle = (low + high) / 2
            below = self.cdf(middle) < levels
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray((low + high) / 2)

    def sample(self, n: int, rng: Seed) -> Floats:
        draws = source(self, n, rng).vonmises(0.0, self.concentration, size=(n, *self.shape))
        return self.loc + draws

    def kl(self, other: "VonMises") -> Floats:
        """Divergence to another (distributions.21)."""
        seen = self.concentration - other.concentration * np.cos(self.loc - other.loc)
        log_ratio = other._log_peak() - self._log_peak()
        log_ratio = log_ratio + other.concentration - self.concentration
        return np.asarray(log_ratio + seen * self.resultant)

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """Cosine and sine."""
        if np.isinf(x).any():
            raise check.fail(cls.__name__, "X", "finite or NaN", "infinity")
        return np.stack([np.cos(x), np.sin(x)], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood: direction and length of the mean of cosine and sine.

        Parameters
        ----------
        stats : Totals or array-like
        prior : None
            There is no conjugate prior here.
        """
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        means = cls._observed(stats).means
        length = np.hypot(means[..., 0], means[..., 1])
        if not np.all(length < 1 - 1e-12):
            raise check.fail(cls.__name__, "data", "of two angles in every column", "fewer")
        return cls(np.arctan2(means[..., 1], means[..., 0]), _concentration(length))

    def _log_peak(self) -> Floats:
        """Minus the log density at the centre."""
        return np.asarray(_LOG_2PI + np.log(i0e(self.concentration)))


def _concentration(length: Floats) -> Floats:
    r"""The root of :math:`I_1(\kappa)/I_0(\kappa) = R` by Newton's steps."""
    kappa = np.maximum(length * (2 - length**2) / (1 - length**2), 1e-300)
    for _ in range(40):
        ratio = i1e(kappa) / i0e(kappa)
        slope = np.maximum(1 - ratio**2 - ratio / kappa, 1e-300)
        kappa = np.maximum(kappa - (ratio - length) / slope, 0.1 * kappa)
    return np.where(length > 1e-12, kappa, 2 * length)
