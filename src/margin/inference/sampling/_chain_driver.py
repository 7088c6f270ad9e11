"""The one loop under every sampler that walks: chains side by side, warm-up, Ctrl-C, evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from margin.core import Certificate, Iterate, Solution, Status, Stop, check, iterate, threads
from margin.core.progress import Callback
from margin.core.random import generator
from margin.core.types import Array, Floats
from margin.inference.sampling._chains import Chains
from margin.inference.sampling._diagnostics import r_hat

AGREEMENT = 1.01
_POSSIBLE = "where log_density is finite, and its gradient if there is one"
_TRIES = 100

LogDensity = Callable[[Floats], float]


class Transition(NamedTuple):
    """Where a chain stands after a step: state, log density, and what the method tells of it."""

    x: Floats
    log_density: float
    statistics: tuple[float, ...] = ()


class Walker(Protocol):
    """A method of moving that leaves the law as it is."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics of its transitions."""
        ...

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every step from ``x`` on, without end; the first ones may adapt."""
        ...


@dataclass(frozen=True)
class Walk:
    """How long, and how many.

    Parameters
    ----------
    owner : str
        Who asks, for errors.
    n_draws, n_warmup, n_chains, thin : int
        Draws kept of each chain, steps before them, chains, and steps per draw.
    names : sequence of str, optional
        Names of the quantities.
    random_state : int, Generator or RandomState, optional
    callback : callable, optional
        ``callback(step, -best log density)`` after every step of all chains.
    """

    owner: str
    n_draws: int
    n_warmup: int
    n_chains: int
    thin: int = 1
    names: Sequence[str] | None = None
    random_state: object = None
    callback: Callback | None = None

    def __post_init__(self) -> None:
        for name in ("n_draws", "n_chains", "thin"):
            check.count(self.owner, name, getattr(self, name))
        check.count(self.owner, "n_warmup", self.n_warmup, least=0)


def run_chains(
    walker: Walker, start: Array, log_density: LogDensity, walk: Walk, *, jitter: float = 0.0
) -> Chains:
    """Draws of several chains, every chain with its own stream of random numbers.

    Parameters
    ----------
    walker : Walker
        The method.
    start : array of shape (d,) or (n_chains, d)
        Where to begin.
    log_density : callable
        Tells whether a start is possible.
    walk : Walk
        How long, and how many.
    jitter : float
        Deviation of the starts about a single one.

    Returns
    -------
    Chains
        With as many draws as there were on Ctrl-C.
    """
    rng = generator(walk.random_state, f"{walk.owner}: random_state")
    streams = rng.spawn(walk.n_chains)
    points = _starts(start, log_density, walk, jitter, streams)
    names = _names(walk, points.shape[1])
    walks = [
        walker.walk(x, walk.n_warmup, stream) for x, stream in zip(points, streams, strict=True)
    ]
    kept: list[list[Transition]] = []

    def states() -> Iterator[Iterate]:
        best = -np.inf
        yield Iterate(0, 0.0)
        for step in range(1, walk.n_warmup + walk.n_draws * walk.thin + 1):
            row = [next(chain) for chain in walks]
            past = step - walk.n_warmup
            if past > 0 and past % walk.thin == 0:
                kept.append(row)
            best = max(best, *(state.log_density for state in row))
            yield Iterate(step, -best, n_iter=step)

    total = walk.n_warmup + walk.n_draws * walk.thin
    stop = Stop("largest R-hat", None, total, unit="step", keep="last")
    with threads.single_blas():  # vectors are too short to be shared
        solution = iterate(states(), stop, solver=walk.owner, callback=walk.callback)
    if not kept:
        raise KeyboardInterrupt if solution.interrupted else RuntimeError(solution.message)
    return _gathered(kept, walker.columns, names, solution)


def _starts(
    start: Array,
    log_density: LogDensity,
    walk: Walk,
    jitter: float,
    streams: Sequence[np.random.Generator],
) -> Floats:
    given = np.asarray(start, dtype=np.float64)
    if given.ndim not in (1, 2) or given.size == 0 or not np.isfinite(given).all():
        shape = f"of shape (d,) or ({walk.n_chains}, d) and finite"
        raise check.fail(walk.owner, "start", shape, start)
    if given.ndim == 2:
        if len(given) != walk.n_chains:
            raise check.fail(walk.owner, "start", f"{walk.n_chains} rows, one a chain", len(given))
        for row in given:
            if not np.isfinite(log_density(row.copy())):
                raise check.fail(walk.owner, "start", _POSSIBLE, row)
        return given.copy()
    return np.stack([_near(given, log_density, walk.owner, jitter, stream) for stream in streams])


def _near(
    x: Floats, log_density: LogDensity, owner: str, jitter: float, rng: np.random.Generator
) -> Floats:
    """A possible point about ``x``, nearer with every try."""
    for attempt in range(_TRIES):
        point = x + jitter * 0.8**attempt * rng.standard_normal(len(x))
        if np.isfinite(log_density(point)):
            return np.asarray(point)
    if np.isfinite(log_density(x.copy())):
        return x.copy()
    raise check.fail(owner, "start", _POSSIBLE, x)


def _names(walk: Walk, d: int) -> tuple[str, ...]:
    if walk.names is None:
        return tuple(f"x{j}" for j in range(d))
    names = tuple(map(str, walk.names))
    if len(names) != d or len(set(names)) != d:
        raise check.fail(walk.owner, "names", f"{d} different names", walk.names)
    return names


def _gathered(
    kept: list[list[Transition]],
    columns: tuple[str, ...],
    names: tuple[str, ...],
    solution: Solution,
) -> Chains:
    draws = np.stack([[state.x for state in row] for row in kept], axis=1)
    log_density = np.array([[state.log_density for state in row] for row in kept]).T
    table = np.array([[state.statistics for state in row] for row in kept], dtype=np.float64)
    statistics = {name: table[:, :, j].T for j, name in enumerate(columns)}
    ratios = r_hat(draws)
    worst = float(np.max(ratios, initial=0.0, where=~np.isnan(ratios)))
    certificate = Certificate("largest R-hat", worst, AGREEMENT)
    status, message = solution.status, solution.message
    if not solution.interrupted and not (certificate.holds and np.isfinite(ratios).all()):
        status = Status.MAX_ITER
        message = (
            f"chains have not met: largest R-hat {worst:.3f} above {AGREEMENT}"
            if not certificate.holds
            else "some quantity never moved, or the draws are too few to judge the chains"
        )
    told = replace(solution, certificate=certificate, status=status, message=message)
    return Chains(draws, log_density, names, statistics, told)
