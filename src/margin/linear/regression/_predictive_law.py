"""The law of a new target after (penalised) least squares."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from margin.core.types import Floats, Matrix, Places
from margin.distributions import StudentT
from margin.linalg import NormalInverse

_LEAST_FREEDOM = 2.0  # below, Student's t has no variance


@dataclass(frozen=True, eq=False)
class PredictiveLaw:
    r"""Student's t law of a target at a new row, noise and coefficients both uncertain.

    With the centred rows :math:`A`, weights that sum to :math:`N`, :math:`M = (A^\top A + \alpha
    I)^{-1}` and :math:`\nu = N - 1 - \operatorname{tr}(A M A^\top)` degrees of freedom (one more
    without an intercept, which then also leaves out :math:`1/N`),

    .. math:: \frac{y - \hat y(x)}{\hat\sigma \sqrt{1 + \tfrac1N + (x - \bar x)^\top M (x - \bar
              x)}} \sim t_\nu, \qquad \hat\sigma^2 = \mathrm{RSS} / \nu .

    For least squares with Gaussian noise this is exact. With a penalty :math:`M` is the posterior
    covariance under the prior :math:`w \sim N(0, \sigma^2 / \alpha)`, and :math:`\nu` the
    equivalent degrees of freedom. Directions that no row spans count as known where nothing is
    penalised.

    Parameters
    ----------
    inverses : tuple of NormalInverse or None
        One for every distinct strength of the penalty; ``None`` where it was not kept.
    member : ndarray of int of shape (n_targets,)
        Which of them a target belongs to.
    squares : ndarray of shape (n_targets,)
        Residual sums of squares.
    rank : int
        Rank of the centred rows.
    count : float
        Sum of the weights :math:`N`.
    intercept : bool
        Whether there is one.
    """

    inverses: tuple[NormalInverse | None, ...]
    member: Places
    squares: Floats
    rank: int
    count: float
    intercept: bool

    @cached_property
    def freedom(self) -> Floats:
        """Degrees of freedom left for the noise of each target."""
        used = [float(self.rank) if kept is None else kept.dof() for kept in self.inverses]
        return np.asarray(self.count - float(self.intercept) - np.array(used)[self.member])

    @property
    def missing(self) -> str:
        """Why there is no law; empty where there is one."""
        least = float(self.freedom.min(initial=np.inf))
        if not least > _LEAST_FREEDOM:
            used = self.count - least
            return (
                f"predict_dist needs more than {_LEAST_FREEDOM:g} rows beyond the parameters, "
                f"got {self.count:g} rows for {used:.4g} parameters"
            )
        if any(kept is None for kept in self.inverses):
            return "predict_dist needs a factor of the normal equations that takes less than 80 MB"
        return ""

    def at(self, X: Matrix, mean: Floats) -> StudentT:
        """Laws at the rows of a table whose predictions are ``mean``."""
        forms = [kept.along(X) for kept in self.inverses if kept is not None]
        spread = 1.0 + np.column_stack(forms)[:, self.member]
        if self.intercept:
            spread = spread + 1.0 / self.count
        variance = spread * (self.squares / self.freedom)
        # A perfect fit leaves no noise; a scale must be above 0 all the same.
        scale = np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny))
        freedom = np.broadcast_to(self.freedom, scale.shape)
        if mean.ndim == 1:
            return StudentT(freedom[:, 0], mean, scale[:, 0])
        return StudentT(freedom, mean, scale)
