"""Divergence and entropy of any distributions: closed forms, or simulation."""

from typing import Any

import numpy as np

from margin.core import check
from margin.distributions._requirements import Seed
from margin.distributions.information._divergence import Estimate, monte_carlo_kl


def kl_divergence(p: Any, q: Any, *, n: int = 100_000, rng: Seed = 0) -> Estimate:
    r"""Kullback–Leibler divergence :math:`E_p \log(p/q)` (distributions.21).

    In closed form where both are of one family that has it, with an error of zero; otherwise by
    simulation.

    Parameters
    ----------
    p, q : distribution
        From where, and to where.
    n : int
        Draws, where they are needed.
    rng : numpy.random.Generator or int

    Returns
    -------
    Estimate
        ``value`` and ``standard_error``.

    Examples
    --------
    >>> from margin.distributions import Laplace, Normal
    >>> float(kl_divergence(Normal(0.0, 2.0), Normal(0.0, 1.0)).value.round(7))
    0.8068528
    >>> kl_divergence(Laplace(0.0, 1.0), Normal(0.0, 1.0)).standard_error > 0
    np.True_
    """
    if type(p) is type(q) and hasattr(p, "kl"):
        value = np.asarray(p.kl(q))
        return Estimate(value, np.zeros(value.shape))
    return monte_carlo_kl(p, q, n, rng)


def monte_carlo_entropy(distribution: Any, n: int, rng: Seed) -> Estimate:
    r"""Entropy :math:`-E\log p` by simulation, for mixtures and others without a closed form.

    (distributions.20.)

    Parameters
    ----------
    distribution : distribution
    n : int
        Draws, at least 2.
    rng : numpy.random.Generator or int

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> estimate = monte_carlo_entropy(Normal(0.0, 1.0), 10_000, 0)
    >>> bool(abs(estimate.value - Normal(0.0, 1.0).entropy) < 4 * estimate.standard_error)
    True
    """
    if n < 2:
        raise check.fail("monte_carlo_entropy", "n", "an integer of at least 2", n)
    surprise = -distribution.log_prob(distribution.sample(n, rng))
    return Estimate(
        np.asarray(surprise.mean(axis=0)), np.asarray(surprise.std(axis=0, ddof=1) / np.sqrt(n))
    )
