"""The normal distribution of a vector."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily, coordinates, parameter, shown
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions.continuous._normal import Normal
from margin.distributions.multivariate._joint_cdf import joint_cdf
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._vector_algebra import (
    LOG_2PI,
    conditional,
    divergence,
    flat,
    log_density,
)
from margin.distributions.statistics._expected_moments import expected_moments
from margin.distributions.statistics._moments import Moments
from margin.linalg import cholesky as factorise


@dataclass(frozen=True, eq=False, repr=False)
class MultivariateNormal(ExponentialFamily):
    r"""Normal distribution of a vector of ``d`` coordinates (distributions.07).

    .. math:: \log p(x) = -\tfrac12 (x - \mu)^\top \Sigma^{-1} (x - \mu)
              - \tfrac12 \log\det\Sigma - \tfrac d2 \log 2\pi

    Give exactly one of ``covariance``, ``precision`` and ``cholesky``. The form given is the one
    that is factored; the other is only computed where it is needed.

    Parameters
    ----------
    mean : array-like of shape (..., d)
        :math:`\mu`; with leading axes, an array of distributions that share one covariance, as
        linear Gaussian predictions do.
    covariance : array-like of shape (d, d), optional
        :math:`\Sigma`.
    precision : array-like of shape (d, d), optional
        :math:`\Lambda = \Sigma^{-1}`.
    cholesky : array-like of shape (d, d), optional
        Lower-triangular ``L`` with :math:`\Sigma = L L^\top`.

    Examples
    --------
    >>> import numpy as np
    >>> joint = MultivariateNormal([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]])
    >>> joint.condition([0], [2.0])
    MultivariateNormal(mean=[2.], std=[1.3229])
    >>> joint.log_prob([[0.0, 1.0], [0.0, np.nan]]).round(6)
    array([-2.117685, -0.918939])
    """

    mean: Floats
    spread: Spread

    def __init__(
        self,
        mean: ArrayLike,
        covariance: ArrayLike | None = None,
        *,
        precision: ArrayLike | None = None,
        cholesky: ArrayLike | None = None,
    ) -> None:
        mean = parameter(self, "mean", mean)
        spread = Spread.of(self, covariance, precision, cholesky)
        if mean.shape[-1:] != (spread.dim,):
            raise check.fail(self, "mean", f"of shape (..., {spread.dim})", f"shape {mean.shape}")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "spread", spread)

    @property
    def dim(self) -> int:
        """Number of coordinates ``d``."""
        return self.spread.dim

    @property
    def _form(self) -> str:
        """How a distribution made from this one is given: as this one was."""
        return "precision" if self.spread.form == "precision" else "covariance"

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.mean.shape[:-1]

    @property
    def var(self) -> Floats:
        """Variance of each coordinate, in the shape of the mean."""
        return np.broadcast_to(self.spread.variance, self.mean.shape)

    @property
    def covariance(self) -> Floats:
        r""":math:`\Sigma`, shared by the whole array."""
        return self.spread.covariance

    @property
    def precision(self) -> Floats:
        r""":math:`\Sigma^{-1}`, shared by the whole array."""
        return self.spread.precision

    @property
    def repair(self) -> str:
        """What jitter was needed to factor the matrix given; empty if none."""
        return self.spread.factor.repair

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the density at the vectors ``x``; NaN coordinates are marginalised exactly.

        Rows with the same coordinates missing share one factorisation.

        Parameters
        ----------
        x : array-like of shape (..., d)
            Broadcast against the mean.
        """
        residual = self._distance(x)
        return log_density(self.spread, flat(residual)).reshape(residual.shape[:-1])

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` vectors from each distribution, along a new first axis."""
        white = flat(source(self, n, rng).standard_normal((n, *self.mean.shape)))
        return self.mean + self.spread.colour(white).reshape(n, *self.mean.shape)

    def marginals(self) -> Normal:
        """The distribution of each coordinate by itself."""
        return Normal(self.mean, np.sqrt(self.var))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability that a coordinate is at most ``x``, for each coordinate by itself."""
        return self.marginals().cdf(x)

    def joint_cdf(
        self, x: ArrayLike, *, tol: float = 1e-5, max_points: int = 2_000_000, rng: Seed = 0
    ) -> Floats:
        r"""Probability :math:`P(X_1 \le x_1, \dots, X_d \le x_d)` that all stay below at once.

        NaN and infinity leave a coordinate free. One coordinate is exact; more are integrated by
        Genz's method over shifted lattices, until three standard errors are within ``tol``.

        Parameters
        ----------
        x : array-like of shape (..., d)
            Broadcast against the mean.
        tol : float
            Absolute error to reach; a :class:`~sklearn.exceptions.ConvergenceWarning` tells if it
            was not.
        max_points : int
            Most points at which the integrand is evaluated, for each vector.
        rng : numpy.random.Generator or int
            Source of the shifts; the same seed gives the same answer.

        Examples
        --------
        >>> pair = MultivariateNormal([0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]])
        >>> pair.joint_cdf([0.0, 0.0]).round(4)  # 1/4 + arcsin(1/2) / (2 pi)
        np.float64(0.3333)
        """
        distance = self._distance(x)
        value = joint_cdf(
            type(self).__name__,
            flat(distance),
            self.covariance,
            None,
            tol=tol,
            max_points=max_points,
            rng=source(self, 0, rng),
        )
        return value.reshape(distance.shape[:-1])[()]

    def quantile(self, q: ArrayLike) -> Floats:
        """Quantiles of each coordinate by itself; the axes of ``q`` come first."""
        return self.marginals().quantile(q)

    def marginal(self, idx: Any) -> Self:
        """Joint distribution of the coordinates ``idx``, in that order."""
        kept = coordinates(self, idx, self.dim)
        return type(self)(self.mean[..., kept], self.covariance[np.ix_(kept, kept)])

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        r"""Distribution of the other coordinates ``r`` given those at ``idx``, ``e``.

        .. math:: \mu_r + \Sigma_{re}\Sigma_{ee}^{-1}(x_e - \mu_e), \qquad
                  \Sigma_{rr} - \Sigma_{re}\Sigma_{ee}^{-1}\Sigma_{er}

        In precision form :math:`\Lambda_{rr}` simply stays.

        Parameters
        ----------
        idx : int, sequence, slice or mask
            Observed coordinates.
        values : array-like of shape (..., len(idx))
            What they are; several rows give an array of distributions.
        """
        seen = coordinates(self, idx, self.dim)
        given = np.asarray(values, dtype=np.float64)
        if isinstance(idx, int | np.integer):
            given = given[..., None]
        if given.shape[-1:] != seen.shape or not np.isfinite(given).all():
            wanted = f"finite and of shape (..., {len(seen)})"
            raise check.fail(self, "values", wanted, f"shape {given.shape}")
        left = np.setdiff1d(np.arange(self.dim), seen)
        law = conditional(self.spread, left, seen)
        mean = self.mean[..., left] + (given - self.mean[..., seen]) @ law.gain.T
        return type(self)(mean, **{self._form: law.matrix})

    def affine(self, A: ArrayLike, b: ArrayLike = 0.0) -> Self:
        r"""Distribution :math:`N(A\mu + b, A\Sigma A^\top)` of ``A x + b`` (distributions.16)."""
        A = np.asarray(A, dtype=np.float64)
        if A.ndim != 2 or A.shape[1] != self.dim:
            raise check.fail(self, "A", f"of shape (k, {self.dim})", f"shape {A.shape}")
        return type(self)(self.mean @ A.T + np.asarray(b), A @ self.covariance @ A.T)

    @property
    def entropy(self) -> float:
        r""":math:`\tfrac12 \log\det(2\pi e \Sigma)`, in nats."""
        return 0.5 * (self.dim * (1.0 + LOG_2PI) + self.spread.log_det)

    def kl(self, other: "MultivariateNormal") -> Floats:
        r"""Divergence :math:`\mathrm{KL}(p\,\|\,q) = E_p\log(p/q)` to another (distributions.21).

        .. math:: \tfrac12 \big[\operatorname{tr}(\Sigma_q^{-1}\Sigma_p)
                  + \|\mu_p - \mu_q\|^2_{\Sigma_q^{-1}} - d
                  + \log\det\Sigma_q - \log\det\Sigma_p\big]
        """
        if other.dim != self.dim:
            raise check.fail(self, "dimension", f"{self.dim}", other.dim)
        shift = self.mean - other.mean
        apart = divergence(self.spread, other.spread, flat(shift))
        return apart.reshape(shift.shape[:-1])

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Moments:
        """Weight, mean and scatter of complete rows (distributions.37).

        Rows with NaN have no statistics of their own: :meth:`expected_statistics` completes them.
        """
        return Moments.of(X, weight)

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> Moments:
        """Expected statistics of rows with NaN, completed under this distribution.

        Fitting to them is one step of expectation maximisation: the likelihood of the observed
        values never falls.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows; NaN means unobserved.
        weight : array-like of shape (n,), optional
            Non-negative weights; all ones when absent.
        """
        if self.shape:
            raise check.fail(self, "shape", "() to complete data", self.shape)
        return expected_moments(X, weight, self.mean, self.covariance)

    @classmethod
    def fit(cls, stats: Moments | ArrayLike, prior: Belief | None = None) -> Self:
        r"""Maximum likelihood (divisor ``n``), or MAP with a prior (distributions.24).

        Parameters
        ----------
        stats : Moments or array-like
            From :meth:`statistics`; sums of several are fine. Rows of data are summed up first.
        prior : NormalInverseWishart, optional
            Prior of mean and covariance; the joint mode of the posterior is returned.

        Raises
        ------
        FitError
            Without a prior, if the data do not span all ``d`` dimensions: the likelihood is then
            unbounded.
        """
        stats = as_statistics(cls.__name__, Moments, stats)
        if prior is not None:
            return cls(*prior.posterior(stats).mode)
        covariance = stats.covariance()
        try:
            factor = factorise(covariance, name="covariance", max_jitter=0.0)
        except FitError as error:
            raise FitError(
                f"{cls.__name__}: data must span all {len(stats.mean)} dimensions, or have a "
                f"prior, got a singular covariance from a total weight of {stats.weight:g}"
            ) from error
        return cls(stats.mean, cholesky=factor.lower)

    def _distance(self, x: ArrayLike) -> Floats:
        """Vectors ``x`` seen from the mean."""
        given = np.asarray(x, dtype=np.float64)
        if given.shape[-1:] != (self.dim,):
            raise check.fail(self, "x", f"of shape (..., {self.dim})", f"shape {given.shape}")
        return np.asarray(given - self.mean)

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        std = shown(np.sqrt(self.spread.variance))
        return f"MultivariateNormal(mean={shown(self.mean)}, std={std}{batch})"
