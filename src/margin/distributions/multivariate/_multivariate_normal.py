"""The normal distribution of a vector."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import coordinates, parameter, shown
from margin.distributions._requirements import Seed, source
from margin.distributions.continuous._normal import Normal
from margin.distributions.multivariate._joint_cdf import joint_cdf
from margin.distributions.multivariate._member_densities import member_densities
from margin.distributions.multivariate._normal_learning import NormalLearning
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._spreads import (
    AnySpread,
    coloured,
    conditioned,
    divergences,
    log_densities,
    member,
    spread_of,
    transformed,
)
from margin.distributions.multivariate._vector_algebra import LOG_2PI, flat


@dataclass(frozen=True, eq=False, repr=False)
class MultivariateNormal(NormalLearning):
    r"""Normal distribution of a vector of ``d`` coordinates (distributions.07).

    .. math:: \log p(x) = -\tfrac12 (x - \mu)^\top \Sigma^{-1} (x - \mu)
              - \tfrac12 \log\det\Sigma - \tfrac d2 \log 2\pi

    Give exactly one of ``covariance``, ``precision``, ``cholesky`` and ``variance``. The form given
    is the one that is factored; the other is only computed where it is needed.

    Parameters
    ----------
    mean : array-like of shape (..., d)
        :math:`\mu`; with leading axes, an array of distributions. They share one covariance, as
        linear Gaussian predictions do, or have one each.
    covariance : array-like of shape (d, d) or (..., d, d), optional
        :math:`\Sigma`; with leading axes, which must be the last ones of the array, one for each
        member.
    precision : array-like of shape (d, d) or (..., d, d), optional
        :math:`\Lambda = \Sigma^{-1}`.
    cholesky : array-like of shape (d, d) or (..., d, d), optional
        Lower-triangular ``L`` with :math:`\Sigma = L L^\top`.
    variance : array-like of shape (d,) or (..., d), optional
        Diagonal of a covariance that is zero elsewhere.

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
    spread: AnySpread

    def __init__(
        self,
        mean: ArrayLike,
        covariance: ArrayLike | None = None,
        *,
        precision: ArrayLike | None = None,
        cholesky: ArrayLike | None = None,
        variance: ArrayLike | None = None,
    ) -> None:
        mean = parameter(self, "mean", mean)
        self._set(mean, spread_of(self, mean, covariance, precision, cholesky, variance))

    def _set(self, mean: Floats, spread: AnySpread) -> None:
        if mean.shape[-1:] != (spread.dim,):
            raise check.fail(self, "mean", f"of shape (..., {spread.dim})", f"shape {mean.shape}")
        lead = mean.shape[:-1]
        if spread.batch and lead[len(lead) - len(spread.batch) :] != spread.batch:
            if lead:
                need = f"of shape (..., {', '.join(map(str, spread.batch))}, {spread.dim})"
                raise check.fail(self, "mean", need, f"shape {mean.shape}")
            mean = np.broadcast_to(mean, (*spread.batch, spread.dim))
        mean.flags.writeable = False
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "spread", spread)

    @classmethod
    def _with(cls, mean: Floats, spread: AnySpread) -> Self:
        """A distribution of parts that are known to be good."""
        new = object.__new__(cls)
        new._set(np.array(mean), spread)
        return new

    @property
    def dim(self) -> int:
        """Number of coordinates ``d``."""
        return self.spread.dim

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
        r""":math:`\Sigma`, of shape (d, d) where the whole array shares it."""
        return self.spread.covariance

    @property
    def precision(self) -> Floats:
        r""":math:`\Sigma^{-1}`, of shape (d, d) where the whole array shares it."""
        return self.spread.precision

    @property
    def repair(self) -> str:
        """What jitter was needed to factor the matrix given; empty if none."""
        return self.spread.repair

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the density at the vectors ``x``; NaN coordinates are marginalised exactly.

        Rows with the same coordinates missing share one factorisation.

        Parameters
        ----------
        x : array-like of shape (..., d)
            Broadcast against the mean.
        """
        return log_densities(self.spread, self._distance(x))

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row under every member, a column for each.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows; NaN is marginalised, and rows with the same gaps share their factorisations.
        """
        rows = self._rows(X)
        flat_mean = flat(self.mean)
        spreads = [member(self.spread, index) for index in np.ndindex(self.shape)]
        return member_densities(rows, flat_mean, spreads).reshape(len(rows), *self.shape)

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` vectors from each distribution, along a new first axis."""
        white = source(self, n, rng).standard_normal((n, *self.mean.shape))
        return self.mean + coloured(self.spread, white)

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
        if self.spread.batch:
            raise check.fail(self, "shape", "() for a joint cdf: take a member", self.shape)
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
        return self._with(self.mean[..., kept], self.spread.part(kept))

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
        gain, spread = conditioned(self.spread, left, seen)
        shift = given - self.mean[..., seen]
        mean = self.mean[..., left] + (gain @ shift[..., None])[..., 0]
        return self._with(mean, spread)

    def affine(self, A: ArrayLike, b: ArrayLike = 0.0) -> Self:
        r"""Distribution :math:`N(A\mu + b, A\Sigma A^\top)` of ``A x + b`` (distributions.16)."""
        A = np.asarray(A, dtype=np.float64)
        if A.ndim != 2 or A.shape[1] != self.dim:
            raise check.fail(self, "A", f"of shape (k, {self.dim})", f"shape {A.shape}")
        return self._with(self.mean @ A.T + np.asarray(b), transformed(self.spread, A))

    @property
    def entropy(self) -> Any:
        r""":math:`\tfrac12 \log\det(2\pi e \Sigma)`, in nats; shared where the covariance is."""
        return 0.5 * (self.dim * (1.0 + LOG_2PI) + self.spread.log_det)

    def kl(self, other: "MultivariateNormal") -> Floats:
        r"""Divergence :math:`\mathrm{KL}(p\,\|\,q) = E_p\log(p/q)` to another (distributions.21).

        .. math:: \tfrac12 \big[\operatorname{tr}(\Sigma_q^{-1}\Sigma_p)
                  + \|\mu_p - \mu_q\|^2_{\Sigma_q^{-1}} - d
                  + \log\det\Sigma_q - \log\det\Sigma_p\big]
        """
        if other.dim != self.dim:
            raise check.fail(self, "dimension", f"{self.dim}", other.dim)
        return divergences(self.spread, other.spread, self.mean - other.mean)

    @property
    def mode(self) -> Floats:
        """The most probable vector: the mean."""
        return self.mean

    def __getitem__(self, key: Any) -> Self:
        if not self.shape:
            raise TypeError(f"{type(self).__name__}: a single distribution has no members")
        mean = self.mean[key]
        if isinstance(self.spread, Spread) or not self.spread.batch:
            return self._with(mean, self.spread)
        if self.spread.batch != self.shape:
            raise check.fail(self, "shape", f"{self.spread.batch} to take members", self.shape)
        return self._with(mean, self.spread[key])

    def _rows(self, X: ArrayLike) -> Floats:
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.dim:
            raise check.fail(self, "X", f"of shape (n, {self.dim})", f"shape {rows.shape}")
        return rows

    def _distance(self, x: ArrayLike) -> Floats:
        """Vectors ``x`` seen from the mean."""
        given = np.asarray(x, dtype=np.float64)
        if given.shape[-1:] != (self.dim,):
            raise check.fail(self, "x", f"of shape (..., {self.dim})", f"shape {given.shape}")
        return np.asarray(given - self.mean)

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        std = shown(np.sqrt(np.asarray(self.spread.variance)))
        return f"MultivariateNormal(mean={shown(self.mean)}, std={std}{batch})"
