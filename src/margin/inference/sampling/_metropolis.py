"""Metropolis–Hastings: propose, and accept by the ratio of densities."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.inference.sampling._adaptation import DualAveraging, Spread, Windows
from margin.inference.sampling._chain_driver import LogDensity, Transition, Walk, run_chains
from margin.inference.sampling._chains import Chains

Proposal = Callable[[Floats, np.random.Generator], tuple[Floats, float]]

# Acceptance at which a random walk in many dimensions moves most per step.
_TARGET = 0.234
_TARGET_ALONE = 0.44


@dataclass(frozen=True)
class Metropolis:
    """Steps of a proposal of the user's own, symmetric or not."""

    log_density: LogDensity
    propose: Proposal
    columns: tuple[str, ...] = ("acceptance", "accepted")

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every step."""
        value = float(self.log_density(x))
        while True:
            there, log_ratio = self.propose(x.copy(), rng)
            there = np.asarray(there, dtype=np.float64)
            x, value, chance, taken = _decide(self.log_density, x, value, there, log_ratio, rng)
            yield Transition(x, value, (chance, taken))


@dataclass(frozen=True)
class RandomWalk:
    """Normal steps whose shape and length are learnt during the warm-up."""

    log_density: LogDensity
    scale: float
    columns: tuple[str, ...] = ("acceptance", "accepted", "step_size")

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every step."""
        d, value = len(x), float(self.log_density(x))
        target = _TARGET_ALONE if d == 1 else _TARGET
        size, windows = DualAveraging(self.scale, target), Windows.of(n_warmup)
        seen = Spread()
        root: Floats = np.eye(d)
        length, step = self.scale, 0
        while True:
            there = x + length * (root @ rng.standard_normal(d))
            x, value, chance, taken = _decide(self.log_density, x, value, there, 0.0, rng)
            step += 1
            if step <= n_warmup:
                length = size.learn(chance)
                if windows.begin < step:
                    seen.add(x)
                if step in windows.ends:
                    root = np.asarray(np.linalg.cholesky(seen.shrunk()))
                    length, seen = 2.4 / np.sqrt(d), Spread()
                    size = DualAveraging(length, target)
                if step == n_warmup:
                    length = size.final
            yield Transition(x, value, (chance, taken, length))


def _decide(
    log_density: LogDensity,
    x: Floats,
    value: float,
    there: Floats,
    log_ratio: float,
    rng: np.random.Generator,
) -> tuple[Floats, float, float, float]:
    r"""State after a proposal, its log density, the chance of acceptance, and whether it came so.

    The chance is :math:`\min(1, p(x') g(x' \to x) / (p(x) g(x \to x')))`.
    """
    proposed = float(log_density(there))
    if np.isnan(proposed):
        proposed = -np.inf
    chance = float(np.exp(min(0.0, proposed - value + log_ratio)))
    if rng.random() < chance:
        return there, proposed, chance, 1.0
    return x, value, chance, 0.0


def sample_metropolis(
    log_density: LogDensity,
    start: Array,
    *,
    propose: Proposal | None = None,
    scale: float = 1.0,
    n_draws: int = 1000,
    n_warmup: int = 1000,
    n_chains: int = 4,
    thin: int = 1,
    jitter: float = 1.0,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    callback: Callback | None = None,
) -> Chains:
    r"""Draws of a density by Metropolis–Hastings (``inference.23``).

    A step from :math:`x` to :math:`x'`, drawn from :math:`g(x \to x')`, is taken with probability

    .. math:: \min\left(1, \frac{p(x')\, g(x' \to x)}{p(x)\, g(x \to x')}\right)

    which leaves :math:`p` as it is; its normalising constant cancels.

    Parameters
    ----------
    log_density : callable
        ``log_density(x)``, log of :math:`p` up to a constant; −inf where it is zero.
    start : array of shape (d,) or (n_chains, d)
        Where the chains begin.
    propose : callable, optional
        ``propose(x, rng)`` returns :math:`x'` and :math:`\log g(x' \to x) - \log g(x \to x')`,
        zero for a symmetric proposal. Without it steps are normal; their covariance and length
        are learnt during the warm-up.
    scale : float
        Deviation of the first normal steps.
    n_draws, n_warmup, n_chains, thin : int
        Draws kept of each chain, steps before them, chains, and steps per draw.
    jitter : float
        Deviation of the starts about a single one; chains that begin apart show by their R-hat
        whether they have met.
    names : sequence of str, optional
        Names of the quantities.
    random_state : int, Generator or RandomState, optional
        Of all chains.
    callback : callable, optional
        ``callback(step, -best log density)``.

    Returns
    -------
    Chains

    Notes
    -----
    One evaluation per step. The number of steps for an independent draw grows with the dimension;
    :func:`sample_nuts` does better wherever there is a gradient.

    Examples
    --------
    >>> import numpy as np
    >>> chains = sample_metropolis(lambda x: -0.5 * x @ x, np.zeros(1), random_state=0)
    >>> bool(abs(chains.mean[0]) < 0.1), bool(abs(chains.var[0] - 1) < 0.15)
    (True, True)
    """
    owner = "sample_metropolis"
    if not scale > 0:
        raise check.fail(owner, "scale", "positive", scale)
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, random_state, callback)
    walker: Metropolis | RandomWalk
    walker = RandomWalk(log_density, scale) if propose is None else Metropolis(log_density, propose)
    return run_chains(walker, start, log_density, walk, jitter=jitter)


def detailed_balance_violation(transition: Array, law: Array) -> float:
    r"""Largest :math:`|p_i T_{ij} - p_j T_{ji}|`: zero for a reversible chain (``inference.23``).

    Parameters
    ----------
    transition : array of shape (k, k)
        Probability of moving from state i to state j in row i.
    law : array of shape (k,)
        Distribution over the states.

    Examples
    --------
    >>> detailed_balance_violation([[0.5, 0.5], [0.25, 0.75]], [1 / 3, 2 / 3]) < 1e-15
    True
    """
    flow = np.asarray(law, dtype=np.float64)[:, None] * np.asarray(transition, dtype=np.float64)
    return float(np.abs(flow - flow.T).max())
