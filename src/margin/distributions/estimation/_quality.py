"""Quality of an estimator, by simulation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import Seed, source


@dataclass(frozen=True, eq=False)
class EstimatorQuality:
    """Bias, spread and efficiency of an estimator at several sizes of sample (distributions.38).

    Parameters
    ----------
    n : ndarray of shape (m,)
        Sizes of samples.
    bias, variance, mse : ndarray of shape (m, ...)
        Mean error, variance, and mean squared error at each.
    bias_error : ndarray of shape (m, ...)
        Standard error of the bias, from the number of repeats.
    efficiency : ndarray or None
        Cramér–Rao bound over the variance, where the information was given.
    """

    n: Floats
    bias: Floats
    bias_error: Floats
    variance: Floats
    mse: Floats
    efficiency: Floats | None

    @property
    def is_unbiased(self) -> bool:
        """Whether every bias is within four standard errors of zero."""
        return bool(np.all(np.abs(self.bias) <= 4 * self.bias_error))

    @property
    def is_consistent(self) -> bool:
        """Whether the mean squared error at the largest size is below half that at the least."""
        return bool(np.all(self.mse[-1] <= 0.5 * self.mse[0]))


def estimator_quality(
    estimator: Callable[[Floats], ArrayLike],
    law: Any,
    truth: ArrayLike,
    *,
    sizes: Sequence[int] = (10, 40, 160),
    repeats: int = 2000,
    information: float | None = None,
    rng: Seed = 0,
) -> EstimatorQuality:
    """Bias, consistency and efficiency of an estimator under a known law (distributions.38).

    Parameters
    ----------
    estimator : callable
        From a sample of shape (n, ...) to an estimate.
    law : distribution
        What samples are drawn from.
    truth : array-like
        What is to be estimated.
    sizes : sequence of int
        Sizes of samples, rising.
    repeats : int
        Samples of each size.
    information : float, optional
        Fisher information of one observation: the efficiency is then told.
    rng : numpy.random.Generator or int

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> quality = estimator_quality(np.var, Normal(0.0, 1.0), 1.0, sizes=[5, 50])
    >>> quality.bias.round(1), quality.is_unbiased, quality.is_consistent
    (array([-0.2, -0. ]), False, True)
    """
    owner = "estimator_quality"
    if repeats < 2 or not len(sizes) or min(sizes) < 1:
        raise check.fail(owner, "repeats and sizes", "at least 2 and 1", (repeats, sizes))
    generator, goal = source(owner, repeats, rng), np.asarray(truth, dtype=np.float64)
    rows = []
    for n in sizes:
        draws = law.sample(repeats * n, generator)
        samples = draws.reshape(repeats, n, *draws.shape[1:])
        estimates = np.array([np.asarray(estimator(s), dtype=np.float64) for s in samples])
        error, variance = estimates - goal, estimates.var(axis=0, ddof=1)
        rows.append(
            (error.mean(axis=0), np.sqrt(variance / repeats), variance, (error**2).mean(axis=0))
        )
    bias, spread, variance, mse = (np.array(column) for column in zip(*rows, strict=True))
    count = np.array(sizes, dtype=np.float64)
    efficiency = None
    if information is not None:
        bound = 1.0 / (count * information)
        efficiency = bound.reshape((-1,) + (1,) * goal.ndim) / variance
    return EstimatorQuality(count, bias, spread, variance, mse, efficiency)
