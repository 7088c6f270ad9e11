"""Gibbs sampling of discrete models, many chains side by side."""

from collections.abc import Mapping

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats, Ints
from margin.inference._errors import ZeroProbabilityError
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference.sampling._samples import Samples

_TRIES = 50


def gibbs(
    model: FactorModel | Factored,
    n_samples: int,
    evidence: Mapping[int, int] | None = None,
    *,
    n_chains: int = 16,
    burn_in: int = 100,
    thin: int = 1,
    rng: np.random.Generator | int,
) -> Samples:
    r"""Samples from :math:`p(x \mid e)` by redrawing one variable at a time (``inference.24``).

    .. math:: x_v \sim p(x_v \mid x_{-v}) \propto \prod_{k \ni v} \phi_k(x_v, x_{-v})

    Each draw is a Metropolis–Hastings step that is always accepted. Where factors are zero the
    chain may be unable to reach every state (it is then not ergodic): prefer exact inference there.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    n_samples : int
        Samples kept, over all chains together.
    evidence : mapping of int to int, optional
    n_chains : int
        Independent chains, advanced together.
    burn_in : int
        Sweeps thrown away first.
    thin : int
        Sweeps between two samples kept.
    rng : Generator or int
        Source of randomness, or its seed.

    Returns
    -------
    Samples
        Rows in the order drawn, the chains side by side.

    Examples
    --------
    >>> import numpy as np
    >>> pair = FactorModel((2, 2), ((0, 1),), ([[4.0, 1.0], [1.0, 4.0]],))
    >>> shares = gibbs(pair, 20_000, rng=np.random.default_rng(0)).marginal(0, 1)
    >>> bool(abs(shares[0, 0] - 0.4) < 0.02)
    True
    """
    model = factors_of("gibbs", model)
    for name, value in (("n_samples", n_samples), ("n_chains", n_chains), ("thin", thin)):
        check.count("gibbs", name, value)
    check.count("gibbs", "burn_in", burn_in, least=0)
    row = check_evidence("gibbs", model.cardinalities, evidence or {})[0]
    sampler = _Sampler(model, row, generator(rng, "gibbs: rng"))
    states = sampler.start(n_chains)
    for _ in range(burn_in):
        sampler.sweep(states)
    kept = []
    for _ in range(-(-n_samples // n_chains)):
        for _ in range(thin):
            sampler.sweep(states)
        kept.append(states.copy())
    rows = np.concatenate(kept)[:n_samples]
    return Samples(rows, model.cardinalities, np.zeros(len(rows)))


class _Sampler:
    def __init__(self, model: FactorModel, row: Ints, rng: np.random.Generator) -> None:
        self.model, self.row, self.rng = model, row, rng
        self.hidden = [v for v in range(model.n_variables) if row[v] < 0]
        with np.errstate(divide="ignore"):
            logs = [np.log(table) for table in model.tables]
        # Per variable: each of its factors with the variable's axis last, and the other variables.
        self.local: dict[int, list[tuple[Floats, list[int]]]] = {v: [] for v in self.hidden}
        for scope, table in zip(model.scopes, logs, strict=True):
            for axis, v in enumerate(scope):
                if v in self.local:
                    others = [u for u in scope if u != v]
                    self.local[v].append((np.moveaxis(table, axis, -1), others))

    def conditional(self, v: int, states: Ints) -> Floats:
        """Log conditional of one variable in every chain, not normalised."""
        total = np.zeros((len(states), self.model.cardinalities[v]))
        for table, others in self.local[v]:
            total += table[tuple(states[:, u] for u in others)]
        return total

    def sweep(self, states: Ints, floor: float = -np.inf) -> None:
        """Redraw every hidden variable in turn; impossible values count as ``floor``."""
        for v in self.hidden:
            logits = np.maximum(self.conditional(v, states), floor)
            noise = -np.log(self.rng.exponential(size=logits.shape))
            states[:, v] = (logits + noise).argmax(axis=1)

    def start(self, n_chains: int) -> Ints:
        """Possible assignments, reached by sweeps in which impossible values are only unlikely."""
        states = np.empty((n_chains, self.model.n_variables), dtype=np.int32)
        for v, card in enumerate(self.model.cardinalities):
            states[:, v] = self.row[v]
            if self.row[v] < 0:
                states[:, v] = self.rng.integers(card, size=n_chains)
        for attempt in range(_TRIES):
            possible = np.isfinite(self.model.log_prob(states))
            if possible.all():
                return states
            if possible.any() and attempt > 5:
                states[~possible] = self.rng.choice(states[possible], (~possible).sum())
            else:
                moved = states[~possible]
                self.sweep(moved, floor=-5.0 - attempt)
                states[~possible] = moved
        raise ZeroProbabilityError(
            "gibbs: evidence must be possible, got no assignment of positive probability in "
            f"{_TRIES} sweeps; ask JunctionTree whether there is one"
        )
