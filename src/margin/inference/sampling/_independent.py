"""Independent draws of a density by way of another: rejection and importance sampling."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Array, Floats

_BLOCK = 1024


class Proposed(Protocol):
    """A law to draw from, such as any of :mod:`margin.distributions`."""

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draws, one per row."""
        ...

    def log_prob(self, x: Array) -> Array:
        """Log density of every row."""
        ...


@dataclass(frozen=True, eq=False)
class WeightedDraws:
    r"""Draws with weights :math:`w_i \propto p(x_i) / g(x_i)`.

    Parameters
    ----------
    draws : ndarray of shape (n, ...)
    log_weight : ndarray of shape (n,)
        Log of the ratios.
    acceptance : float
        Share of the draws that were kept; 1 unless some were rejected.

    Examples
    --------
    >>> two = WeightedDraws(np.array([0.0, 1.0]), np.log([3.0, 1.0]))
    >>> float(two.mean), round(two.effective_size, 4), round(float(np.exp(two.log_evidence)), 4)
    (0.25, 1.6, 2.0)
    """

    draws: Floats = field(repr=False)
    log_weight: Floats = field(repr=False)
    acceptance: float = 1.0

    @property
    def weight(self) -> Floats:
        """Normalised weights."""
        weight = np.exp(self.log_weight - self.log_weight.max())
        return np.asarray(weight / weight.sum())

    @property
    def effective_size(self) -> float:
        r"""Number of equally weighted draws worth as much, :math:`1 / \sum_i w_i^2`."""
        return float(1.0 / (self.weight**2).sum())

    @property
    def log_evidence(self) -> float:
        """Estimate of the log of the integral of the density."""
        return float(np.logaddexp.reduce(self.log_weight) - np.log(len(self.log_weight)))

    @property
    def mean(self) -> Floats:
        """Weighted mean of the draws."""
        return np.asarray(self.weight @ self.draws)

    def expectation(self, function: Callable[[Floats], Array]) -> Any:
        """Weighted mean of ``function(draws)``."""
        return np.tensordot(self.weight, np.asarray(function(self.draws)), axes=1)


def sample_importance(
    log_density: Callable[[Array], Array],
    proposal: Proposed,
    n_draws: int = 1000,
    *,
    random_state: Any = None,
) -> WeightedDraws:
    r"""Draws of a proposal, weighted by :math:`p(x) / g(x)`.

    Parameters
    ----------
    log_density : callable
        ``log_density(X)`` of many draws, up to a constant.
    proposal : distribution
        With ``sample(n, rng)`` and ``log_prob``; heavier in the tails than the density, or a few
        draws carry all the weight, which the effective size shows.
    n_draws : int
    random_state : int, Generator or RandomState, optional

    Returns
    -------
    WeightedDraws

    Examples
    --------
    >>> from margin.distributions import Normal, StudentT
    >>> draws = sample_importance(Normal(1.0, 1.0).log_prob, StudentT(4.0), 4000, random_state=0)
    >>> bool(abs(draws.mean - 1) < 0.1), bool(abs(draws.log_evidence) < 0.1)
    (True, True)
    """
    owner = "sample_importance"
    rng = _checked(owner, n_draws, random_state)
    draws = np.asarray(proposal.sample(n_draws, rng), dtype=np.float64)
    log_weight = np.asarray(log_density(draws)) - np.asarray(proposal.log_prob(draws))
    if np.isnan(log_weight).any() or not (log_weight > -np.inf).any():
        raise check.fail(owner, "log_density", "a number, and above zero somewhere", log_weight)
    return WeightedDraws(draws, log_weight)


def sample_rejection(
    log_density: Callable[[Array], Array],
    proposal: Proposed,
    log_bound: float,
    n_draws: int = 1000,
    *,
    max_tries: int = 10_000_000,
    random_state: Any = None,
) -> WeightedDraws:
    r"""Independent draws of a density under :math:`e^b g(x)`: kept with the ratio's probability.

    Parameters
    ----------
    log_density : callable
        ``log_density(X)`` of many draws, up to a constant.
    proposal : distribution
        With ``sample(n, rng)`` and ``log_prob``.
    log_bound : float
        :math:`b` with :math:`\log p(x) \le b + \log g(x)` everywhere; a draw above it is an error.
    n_draws : int
        Draws kept.
    max_tries : int
        Draws made at most.
    random_state : int, Generator or RandomState, optional

    Returns
    -------
    WeightedDraws
        Of equal weight; ``acceptance`` is their share of all that were made.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> half = lambda x: np.where(x > 0, Normal(0.0, 1.0).log_prob(x), -np.inf)
    >>> draws = sample_rejection(half, Normal(0.0, 1.0), 0.0, 2000, random_state=0)
    >>> bool(draws.draws.min() > 0), bool(abs(draws.acceptance - 0.5) < 0.05)
    (True, True)
    """
    owner = "sample_rejection"
    rng = _checked(owner, n_draws, random_state)
    kept: list[Floats] = []
    tried, have = 0, 0
    while have < n_draws:
        if tried >= max_tries:
            wanted = f"tight enough for {n_draws} of {max_tries} tries, which kept {have}"
            raise check.fail(owner, "log_bound", wanted, log_bound)
        draws = np.asarray(proposal.sample(_BLOCK, rng), dtype=np.float64)
        excess = np.asarray(log_density(draws)) - np.asarray(proposal.log_prob(draws)) - log_bound
        if np.isnan(excess).any() or excess.max() > 1e-9:
            wanted = f"above the log ratio, which is {excess.max() + log_bound:.6g} somewhere"
            raise check.fail(owner, "log_bound", wanted, log_bound)
        chosen = draws[rng.random(_BLOCK) < np.exp(excess)]
        kept.append(chosen)
        tried, have = tried + _BLOCK, have + len(chosen)
    return WeightedDraws(np.concatenate(kept)[:n_draws], np.zeros(n_draws), have / tried)


def _checked(owner: str, n_draws: int, random_state: Any) -> np.random.Generator:
    if isinstance(n_draws, bool) or not n_draws >= 1:
        raise check.fail(owner, "n_draws", "an integer of at least 1", n_draws)
    return generator(random_state, f"{owner}: random_state")
