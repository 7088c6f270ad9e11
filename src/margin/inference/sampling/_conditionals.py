"""Gibbs sampling by conditional laws of the user's own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.inference.sampling._chain_driver import LogDensity, Transition, Walk, run_chains
from margin.inference.sampling._chains import Chains

Conditional = Callable[[Floats, np.random.Generator], Any]


@dataclass(frozen=True)
class Sweeps:
    """Every block of the state redrawn in turn, given all others."""

    conditionals: tuple[tuple[tuple[int, ...], Conditional], ...]
    log_density: LogDensity
    columns: tuple[str, ...] = ()

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every sweep."""
        while True:
            x = x.copy()
            for block, draw in self.conditionals:
                x[list(block)] = draw(x, rng)
            yield Transition(x, float(self.log_density(x)))


def sample_gibbs(
    conditionals: Sequence[Conditional] | Sequence[tuple[Sequence[int], Conditional]],
    start: Array,
    *,
    log_density: LogDensity | None = None,
    n_draws: int = 1000,
    n_warmup: int = 200,
    n_chains: int = 4,
    thin: int = 1,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    callback: Callback | None = None,
) -> Chains:
    r"""Draws of a joint law by its conditionals, one block at a time (``inference.24``).

    .. math:: x_b \sim p(x_b \mid x_{-b})

    A Metropolis–Hastings step whose proposal is always accepted.

    Parameters
    ----------
    conditionals : sequence of callables, or of (indices, callable)
        ``draw(x, rng)`` returns new values of its block given the whole state; without indices,
        block j is coordinate j.
    start : array of shape (d,) or (n_chains, d)
        Where the chains begin.
    log_density : callable, optional
        Log density of a state, kept beside the draws; zero without it.
    n_draws, n_warmup, n_chains, thin : int
        Draws kept of each chain, sweeps before them, chains, and sweeps per draw.
    names : sequence of str, optional
        Names of the quantities.
    random_state : int, Generator or RandomState, optional
        Of all chains.
    callback : callable, optional
        ``callback(sweep, -best log density)``.

    Returns
    -------
    Chains

    See Also
    --------
    gibbs : The same for discrete models, whose conditionals follow from their factors.

    Examples
    --------
    A normal pair of correlation 0.8:

    >>> import numpy as np
    >>> def given(other):
    ...     return lambda x, rng: 0.8 * x[other] + 0.6 * rng.standard_normal()
    >>> chains = sample_gibbs([given(1), given(0)], np.zeros(2), random_state=0)
    >>> bool(abs(np.corrcoef(chains.pooled.T)[0, 1] - 0.8) < 0.05)
    True
    """
    owner = "sample_gibbs"
    blocks = _blocks(owner, conditionals, np.shape(start)[-1] if np.ndim(start) else 0)
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, random_state, callback)
    density = _flat if log_density is None else log_density
    return run_chains(Sweeps(blocks, density), start, density, walk)


def _flat(_: Floats) -> float:
    return 0.0


def _blocks(
    owner: str, conditionals: Sequence[Any], d: int
) -> tuple[tuple[tuple[int, ...], Conditional], ...]:
    blocks = tuple(
        ((j,), item) if callable(item) else (tuple(map(int, item[0])), item[1])
        for j, item in enumerate(conditionals)
    )
    covered = {i for block, _ in blocks for i in block}
    if covered != set(range(d)):
        wanted = f"blocks that cover the coordinates 0 to {d - 1}"
        raise check.fail(owner, "conditionals", wanted, sorted(covered))
    return blocks
