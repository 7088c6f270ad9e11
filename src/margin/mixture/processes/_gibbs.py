"""Collapsed Gibbs sampling of Dirichlet-process mixtures, several chains side by side."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from margin.core import Certificate, Status
from margin.core.progress import Callback
from margin.core.types import Floats, Ints
from margin.distributions import Gamma
from margin.inference import Chains
from margin.inference.sampling._chain_driver import Transition, Walk, run_chains
from margin.mixture.processes._bases import Base
from margin.mixture.processes._chinese_restaurant import ChineseRestaurantProcess

AGREEMENT = 1.1


@dataclass(frozen=True)
class Sweeps:
    """A walker over partitions: every step is one sweep, and a draw of the concentration.

    The partitions it passes, and what it drew in the place of holes, are appended to ``seen``, a
    list for each chain, in the order in which the chains begin.
    """

    base: Base
    X: Floats
    alpha: float | Gamma
    seen: list[list[tuple[Ints, Floats]]] = field(repr=False)
    columns: tuple[str, ...] = ()

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States from rows without clusters on: the first sweep seats them one by one."""
        mine: list[tuple[Ints, Floats]] = []
        self.seen.append(mine)
        seed = int(rng.integers(2**63))
        label = np.full(len(self.X), -1, dtype=np.int32)
        X, holes = self.base.completed(self.X)
        drawn = isinstance(self.alpha, Gamma)
        alpha = float(self.alpha.mean) if isinstance(self.alpha, Gamma) else float(self.alpha)
        step = 0
        while True:
            label, evidence = self.base.sweeps(X, label, np.log(alpha), 1, seed, step, holes)
            step += 1
            k = int(label.max()) + 1
            if isinstance(self.alpha, Gamma):
                alpha = next_alpha(alpha, self.alpha, k, len(label), rng)
            if step > n_warmup:
                mine.append((label, X[holes] if holes is not None else np.empty(0)))
            joint = evidence + ChineseRestaurantProcess(alpha).log_prob(label)
            quantities = [float(k), joint, *([alpha] if drawn else [])]
            yield Transition(np.array(quantities), joint)


def next_alpha(alpha: float, prior: Gamma, k: int, n: int, rng: np.random.Generator) -> float:
    r"""A draw of the concentration given ``k`` clusters of ``n`` rows.

    With :math:`\eta \sim \mathrm{Beta}(\alpha + 1, n)` the law of :math:`\alpha` is a mixture of
    two gammas, with shapes :math:`a + k` and :math:`a + k - 1` and rate :math:`b - \log\eta`
    (Escobar and West, 1995).
    """
    shape, rate = float(prior.concentration), float(prior.rate)
    rate -= float(np.log(max(rng.beta(alpha + 1.0, n), 1e-300)))
    odds = (shape + k - 1.0) / (n * rate)
    more = rng.random() < odds / (1.0 + odds)
    return max(float(rng.gamma(shape + k - (0.0 if more else 1.0)) / rate), 1e-10)


@dataclass(frozen=True, eq=False)
class PartitionChains:
    """Partitions of all chains, ``labels`` of shape (n_chains, n_draws, n), and their chains.

    ``filled``, of shape (n_chains, n_draws, number of holes), was drawn where rows have holes that
    sampling must fill.
    """

    labels: Ints
    filled: Floats
    chains: Chains


def sample_partitions(
    base: Base,
    X: Floats,
    alpha: float | Gamma,
    *,
    n_draws: int,
    n_warmup: int,
    n_chains: int,
    thin: int,
    rng: np.random.Generator,
    owner: str,
    callback: Callback | None = None,
) -> PartitionChains:
    """Draws of the posterior over partitions (mixture.17)."""
    names = ("n_components", "log_joint", *(["alpha"] if isinstance(alpha, Gamma) else []))
    walker = Sweeps(base, X, alpha, [])
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, rng, callback)
    chains = run_chains(walker, np.zeros(len(names)), lambda x: 0.0, walk)
    n_kept = chains.draws.shape[1]
    kept = [mine[thin - 1 :: thin][:n_kept] for mine in walker.seen]
    labels = np.array([[label for label, _ in mine] for mine in kept])
    filled = np.array([[values for _, values in mine] for mine in kept])
    return PartitionChains(labels, filled, _judged(chains))


def _judged(chains: Chains) -> Chains:
    """Chains whose solution says whether they have met; what never moves, as the number of
    well separated clusters, is no reason to doubt it where all chains agree.
    """
    solution = chains.solution
    if solution.interrupted:
        return chains
    ratios = chains.r_hat()
    spread = np.ptp(chains.draws.reshape(-1, chains.draws.shape[-1]), axis=0)
    stuck = ~np.isfinite(ratios) & (spread > 0)
    worst = float(np.max(ratios, initial=1.0, where=np.isfinite(ratios)))
    met = worst <= AGREEMENT and not (stuck.any() and chains.draws.shape[1] >= 4)
    message = (
        ""
        if met
        else (
            f"chains have not met: largest R-hat {worst:.3f} above {AGREEMENT}; "
            "raise n_warmup or n_draws"
        )
    )
    told = replace(
        solution,
        status=Status.CONVERGED if met else Status.MAX_ITER,
        message=message,
        certificate=Certificate("largest R-hat", worst, AGREEMENT),
    )
    return replace(chains, solution=told)
