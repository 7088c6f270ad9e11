"""Hamiltonian Monte Carlo, with paths of fixed length or without turning back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from margin.core import check
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.inference._differentiable import ValueAndGradient, differentiable
from margin.inference.sampling._adaptation import DualAveraging, Spread, Windows
from margin.inference.sampling._chain_driver import Transition, Walk, run_chains
from margin.inference.sampling._chains import Chains
from margin.inference.sampling._leapfrog import (
    Metric,
    Phase,
    departing,
    first_step,
    leapfrog,
)
from margin.inference.sampling._no_u_turn import NoUTurn, Travel

MetricKind = Literal["auto", "diagonal", "dense"]

# Steps of warm-up per dimension from which a dense covariance can be learnt.
_DENSE = 8


class Mover(Protocol):
    """One journey through phase space from a point with a fresh momentum."""

    def travel(
        self,
        function: ValueAndGradient,
        metric: Metric,
        at: Phase,
        step: float,
        rng: np.random.Generator,
    ) -> Travel:
        """Where the journey ends."""
        ...


@dataclass(frozen=True)
class FixedPath:
    """So many leapfrog steps, then one decision."""

    n_steps: int
    max_energy: float = 1000.0

    def travel(
        self,
        function: ValueAndGradient,
        metric: Metric,
        at: Phase,
        step: float,
        rng: np.random.Generator,
    ) -> Travel:
        """The end of the path, or the point itself where it is refused."""
        # Equal paths could close on themselves for ever; a little noise prevents it.
        length, there = step * rng.uniform(0.8, 1.2), at
        for _ in range(self.n_steps):
            there = leapfrog(function, metric, there, length)
        change = there.log_joint - at.log_joint
        chance = float(np.exp(min(0.0, change)))
        divergent = change < -self.max_energy
        end = there if rng.random() < chance else at
        return Travel(end.x, end.value, end.gradient, chance, self.n_steps, 0, divergent)


@dataclass(frozen=True)
class Hamiltonian:
    """Journeys whose steps and metric are learnt during the warm-up."""

    function: ValueAndGradient
    mover: Mover
    step_size: float | None
    target: float
    metric: MetricKind
    columns: tuple[str, ...] = ("acceptance", "step_size", "n_steps", "depth", "divergent")

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every journey."""
        d, windows = len(x), Windows.of(n_warmup)
        dense = self.metric == "dense" or (self.metric == "auto" and n_warmup >= _DENSE * d)
        metric, seen = Metric(np.ones(d)), Spread(dense)
        value, gradient = self.function(x)
        at = departing(metric, x, value, gradient, rng)
        step = self.step_size or first_step(self.function, metric, at, rng)
        size, number = DualAveraging(step, self.target), 0
        while True:
            at = departing(metric, at.x, at.value, at.gradient, rng)
            with np.errstate(over="ignore", invalid="ignore"):
                end = self.mover.travel(self.function, metric, at, step, rng)
            at = at._replace(x=end.x, value=end.value, gradient=end.gradient)
            used, number = step, number + 1
            if number <= n_warmup and self.step_size is None:
                step = size.learn(end.acceptance)
            if windows.begin < number <= (windows.ends[-1] if windows.ends else 0):
                seen.add(at.x)
                if number in windows.ends:
                    metric = Metric(seen.shrunk())
                    seen = Spread(dense)
                    if self.step_size is None:
                        step = first_step(self.function, metric, at, rng)
                        size = DualAveraging(step, self.target)
            if number == n_warmup and self.step_size is None:
                step = size.final
            told = (end.acceptance, used, end.n_steps, end.depth, end.divergent)
            yield Transition(at.x, at.value, tuple(map(float, told)))


def sample_nuts(
    log_density: Any,
    start: Array,
    *,
    gradient: Any = None,
    n_draws: int = 1000,
    n_warmup: int = 1000,
    n_chains: int = 4,
    thin: int = 1,
    target_acceptance: float = 0.8,
    max_depth: int = 10,
    metric: MetricKind = "auto",
    step_size: float | None = None,
    jitter: float = 1.0,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    callback: Callback | None = None,
) -> Chains:
    r"""Draws of a density by the no-U-turn sampler (``inference.25``).

    Hamiltonian motion :math:`\dot x = \Sigma v,\ \dot v = \nabla \log p(x)` from a momentum drawn
    anew; the path is doubled, forwards or backwards, until its ends approach each other, and a
    point of it is drawn by its density. Step size and :math:`\Sigma` are learnt during the warm-up.

    Parameters
    ----------
    log_density : callable
        ``log_density(x)`` returns the log density up to a constant and its gradient, or the value
        alone if ``gradient`` is given.
    start : array of shape (d,) or (n_chains, d)
        Where the chains begin.
    gradient : callable, optional
        ``gradient(x)``.
    n_draws, n_warmup, n_chains, thin : int
        Draws kept of each chain, journeys before them, chains, and journeys per draw.
    target_acceptance : float
        Mean acceptance along a path; nearer to 1 for densities with narrow places.
    max_depth : int
        A path has at most 2 to this power steps.
    metric : {"auto", "diagonal", "dense"}
        What is learnt of the covariance; auto: all of it where the warm-up is long enough.
    step_size : float, optional
        A fixed step instead of a learnt one.
    jitter : float
        Deviation of the starts about a single one.
    names : sequence of str, optional
        Names of the quantities.
    random_state : int, Generator or RandomState, optional
        Of all chains.
    callback : callable, optional
        ``callback(journey, -best log density)``.

    Returns
    -------
    Chains
        With the statistics ``acceptance``, ``step_size``, ``n_steps``, ``depth``, ``divergent``.

    Notes
    -----
    A divergent journey met a place too narrow for its step: the draws miss it. Raise
    ``target_acceptance``, or change the parameters.

    Examples
    --------
    >>> import numpy as np
    >>> def log_of_gamma(x):
    ...     return 3 * x[0] - np.exp(x[0]), 3 - np.exp(x)
    >>> chains = sample_nuts(log_of_gamma, np.zeros(1), random_state=0)
    >>> bool(abs(np.exp(chains.pooled).mean() - 3) < 0.2), chains.solution.status.value
    (True, 'converged')
    """
    owner = "sample_nuts"
    if isinstance(max_depth, bool) or not 1 <= max_depth <= 20:
        raise check.fail(owner, "max_depth", "an integer from 1 to 20", max_depth)
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, random_state, callback)
    return _sample(
        walk, log_density, gradient, start, NoUTurn(int(max_depth)), step_size,
        target_acceptance, metric, jitter,
    )  # fmt: skip


def sample_hmc(
    log_density: Any,
    start: Array,
    *,
    n_steps: int = 16,
    gradient: Any = None,
    n_draws: int = 1000,
    n_warmup: int = 1000,
    n_chains: int = 4,
    thin: int = 1,
    target_acceptance: float = 0.8,
    metric: MetricKind = "auto",
    step_size: float | None = None,
    jitter: float = 1.0,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    callback: Callback | None = None,
) -> Chains:
    r"""Draws of a density by Hamiltonian Monte Carlo with paths of fixed length (``inference.25``).

    Parameters
    ----------
    log_density, start, gradient, n_draws, n_warmup, n_chains, thin
        As for :func:`sample_nuts`.
    n_steps : int
        Leapfrog steps of a path.
    target_acceptance, metric, step_size, jitter, names, random_state, callback
        As for :func:`sample_nuts`.

    Returns
    -------
    Chains

    Examples
    --------
    >>> import numpy as np
    >>> chains = sample_hmc(lambda x: (-0.5 * x @ x, -x), np.zeros(3), random_state=0)
    >>> bool(np.abs(chains.var - 1).max() < 0.1)
    True
    """
    owner = "sample_hmc"
    if isinstance(n_steps, bool) or not n_steps >= 1:
        raise check.fail(owner, "n_steps", "an integer of at least 1", n_steps)
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, random_state, callback)
    return _sample(
        walk, log_density, gradient, start, FixedPath(int(n_steps)), step_size,
        target_acceptance, metric, jitter,
    )  # fmt: skip


def _sample(
    walk: Walk,
    log_density: Any,
    gradient: Any,
    start: Array,
    mover: Mover,
    step_size: float | None,
    target: float,
    metric: MetricKind,
    jitter: float,
) -> Chains:
    if not 0 < target < 1:
        raise check.fail(walk.owner, "target_acceptance", "between 0 and 1", target)
    if step_size is not None and not step_size > 0:
        raise check.fail(walk.owner, "step_size", "positive", step_size)
    if metric not in ("auto", "diagonal", "dense"):
        raise check.fail(walk.owner, "metric", "'auto', 'diagonal' or 'dense'", metric)
    function = differentiable(walk.owner, log_density, gradient, start)
    walker = Hamiltonian(function, mover, step_size, target, metric)

    def possible(x: Array) -> float:
        """The log density; not a number where no path can begin."""
        value, slope = function(x)
        return value if np.isfinite(slope).all() else np.nan

    return run_chains(walker, start, possible, walk, jitter=jitter)
