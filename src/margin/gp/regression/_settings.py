"""What a regression is asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.gp.learning._settings import LearningSettings

METHODS = ("auto", "exact", "fitc", "variational", "state-space", "grid", "cg", "compact")
INDUCING = 500


@dataclass(frozen=True)
class RegressionSettings:
    """Settings of a regression, checked.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    n_inducing : int or None
        Number of inducing points; None: ``INDUCING``.
    learn_inducing : bool
        Whether they move to raise the objective.
    learning : LearningSettings
        Search for the hyper-parameters; knows the name of the estimator.
    """

    method: str
    n_inducing: int | None
    learn_inducing: bool
    learning: LearningSettings

    @property
    def owner(self) -> str:
        """Class that is fitted, for messages."""
        return self.learning.owner


def noise_levels(owner: object, alpha: Any, n: int) -> Floats:
    """Known variance of the noise at each of ``n`` rows.

    Examples
    --------
    >>> noise_levels("GP", 0.1, 2)
    array([0.1, 0.1])
    """
    if np.ndim(alpha) == 0:
        return np.full(n, float(alpha))
    noise = np.asarray(alpha, dtype=np.float64)
    if noise.shape != (n,):
        need = f"a scalar or an array with same number of entries as y ({n})"
        raise check.fail(owner, "alpha", need, noise.shape)
    if not (np.isfinite(noise).all() and noise.min() >= 0):
        raise check.fail(owner, "alpha", "finite and at least 0 for every row", alpha)
    return noise
