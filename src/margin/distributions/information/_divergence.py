"""Divergences between distributions without a closed form."""

from typing import NamedTuple

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Distribution
from margin.distributions._requirements import Seed


class Estimate(NamedTuple):
    """A Monte Carlo average with its standard error."""

    value: Floats
    standard_error: Floats


def monte_carlo_kl(p: Distribution, q: Distribution, n: int, rng: Seed) -> Estimate:
    r"""Kullback–Leibler divergence :math:`E_p \log(p/q) \ge 0` by simulation (distributions.21).

    For any two distributions over the same space. Normal distributions have a closed form
    (:meth:`Normal.kl`, :meth:`MultivariateNormal.kl`); for probability vectors call
    :func:`scipy.stats.entropy` with both.

    Parameters
    ----------
    p, q : Distribution
        From where, and to where: the divergence is not symmetric. Arrays of distributions are
        compared one by one.
    n : int
        Draws from ``p``, at least 2.
    rng : numpy.random.Generator or int
        Source of the draws.

    Returns
    -------
    Estimate
        ``value`` and ``standard_error``; infinite where ``q`` gives no probability to a draw.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> rng = np.random.default_rng(0)
    >>> estimate = monte_carlo_kl(Normal(1.0, 1.0), Normal(0.0, 1.0), 10_000, rng)
    >>> abs(float(estimate.value) - 0.5) < 4 * float(estimate.standard_error)
    True
    """
    if n < 2:
        raise check.fail("monte_carlo_kl", "n", "an integer of at least 2", n)
    x = p.sample(n, rng)
    ratio = p.log_prob(x) - q.log_prob(x)
    if np.isinf(ratio).any():
        value = np.where(np.isinf(ratio).any(axis=0), np.inf, 0.0)
        finite = np.where(np.isinf(ratio), 0.0, ratio)
        return Estimate(value + finite.mean(axis=0), value + finite.std(axis=0) / np.sqrt(n))
    return Estimate(
        np.asarray(ratio.mean(axis=0)), np.asarray(ratio.std(axis=0, ddof=1) / np.sqrt(n))
    )
