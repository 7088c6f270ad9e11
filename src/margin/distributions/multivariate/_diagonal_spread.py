"""The covariance of independent coordinates: a variance each."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from margin.core.types import Floats, Places

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class DiagonalSpread:
    r"""Diagonal covariance :math:`\Sigma = \mathrm{diag}(\sigma^2)`, or an array of them.

    Parameters
    ----------
    variance : ndarray of shape (..., d)
        :math:`\sigma^2`, above 0.

    Examples
    --------
    >>> DiagonalSpread(np.array([4.0, 0.25])).precision
    array([[0.25, 0.  ],
           [0.  , 4.  ]])
    """

    variance: Floats

    form: ClassVar[str] = "variance"
    repair: ClassVar[str] = ""

    @property
    def dim(self) -> int:
        """Number of coordinates."""
        return int(self.variance.shape[-1])

    @property
    def batch(self) -> tuple[int, ...]:
        """Shape of the array of covariances."""
        return self.variance.shape[:-1]

    @property
    def covariance(self) -> Floats:
        r""":math:`\Sigma`."""
        return self.variance[..., None] * np.eye(self.dim)

    @property
    def precision(self) -> Floats:
        r""":math:`\Sigma^{-1}`."""
        return (1.0 / self.variance)[..., None] * np.eye(self.dim)

    @property
    def log_det(self) -> Floats:
        r""":math:`\log\det\Sigma`."""
        return np.asarray(np.log(self.variance).sum(axis=-1))

    def log_density(self, residual: Floats) -> Floats:
        """Log density of residuals of shape (..., d); NaN is marginalised."""
        with np.errstate(over="ignore"):  # so far out that the density is zero
            each = -0.5 * (residual**2 / self.variance + np.log(self.variance) + _LOG_2PI)
        return np.asarray(np.where(np.isnan(residual), 0.0, each).sum(axis=-1))

    def colour(self, white: Floats) -> Floats:
        r"""Vectors of covariance :math:`\Sigma` from vectors of white noise."""
        return white * np.sqrt(self.variance)

    def part(self, kept: Places) -> Self:
        """Covariance of some coordinates."""
        return type(self)(self.variance[..., kept])

    def given(self, left: Places, seen: Places) -> tuple[Floats, Self]:
        """How the coordinates ``left`` follow those at ``seen``: not at all."""
        gain = np.zeros((*self.batch, len(left), len(seen)))
        return gain, self.part(left)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.variance[key])
