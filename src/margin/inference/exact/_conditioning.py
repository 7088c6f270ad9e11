"""Loop-cut conditioning: cut the cycles by trying every state of a few variables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from margin.core.types import Floats
from margin.inference._errors import MemoryLimitError, ZeroProbabilityError
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference.exact._tree_messages import sum_product

_MOST = 100_000.0


@dataclass(frozen=True)
class Conditioned:
    """Exact marginals by conditioning.

    Parameters
    ----------
    marginals : list of ndarray
    log_evidence : float
    cutset : tuple of int
        The variables whose states were enumerated.
    n_runs : int
        Tree propagations made.
    """

    marginals: list[Floats]
    log_evidence: float
    cutset: tuple[int, ...]
    n_runs: int


def loop_cutset(model: FactorModel | Factored, observed: Sequence[int] = ()) -> tuple[int, ...]:
    """Variables without which the factor graph has no cycle, found greedily.

    Leaves are stripped; of what is left, the variable in most factors (fewest states first) is cut.

    Examples
    --------
    >>> import numpy as np
    >>> ring = FactorModel((2,) * 3, ((0, 1), (1, 2), (2, 0)), (np.ones((2, 2)),) * 3)
    >>> len(loop_cutset(ring)), len(loop_cutset(ring, observed=[0]))
    (1, 0)
    """
    model = factors_of("loop_cutset", model)
    scopes = [set(scope) - set(observed) for scope in model.scopes]
    cut: list[int] = []
    while True:
        degree = _core(scopes)
        if not degree:
            return tuple(cut)
        v = min(degree, key=lambda u: (-degree[u], model.cardinalities[u], u))
        cut.append(v)
        for scope in scopes:
            scope.discard(v)


def _core(scopes: list[set[int]]) -> dict[int, int]:
    """Factors of every variable left after leaves are stripped; empty for a forest."""
    live = {f: set(scope) for f, scope in enumerate(scopes)}
    while True:
        live = {f: scope for f, scope in live.items() if len(scope) > 1}
        degree: dict[int, int] = {}
        for scope in live.values():
            for v in scope:
                degree[v] = degree.get(v, 0) + 1
        leaves = {v for v, d in degree.items() if d == 1}
        if not leaves:
            return degree
        for scope in live.values():
            scope -= leaves


def loop_cut_conditioning(
    model: FactorModel | Factored,
    evidence: Mapping[int, int] | None = None,
    *,
    cutset: Sequence[int] | None = None,
) -> Conditioned:
    r"""Exact marginals by propagation on a tree for every state of a cutset (``inference.08``).

    .. math:: p(x \mid e) = \sum_c p(x \mid c, e)\, p(c \mid e)

    Memory stays that of a tree; time grows with the product of the cutset's cardinalities.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    evidence : mapping of int to int, optional
    cutset : sequence of int, optional
        Must cut all cycles; found greedily by default.

    Examples
    --------
    >>> import numpy as np
    >>> pair = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> ring = FactorModel((2,) * 3, ((0, 1), (1, 2), (2, 0)), (pair,) * 3)
    >>> float(np.exp(loop_cut_conditioning(ring).log_evidence).round(9))
    28.0
    """
    model = factors_of("loop_cut_conditioning", model)
    row = check_evidence("loop_cut_conditioning", model.cardinalities, evidence or {})[0]
    given = {v: int(s) for v, s in enumerate(row) if s >= 0}
    cut = loop_cutset(model, list(given)) if cutset is None else tuple(cutset)
    cut = tuple(v for v in cut if v not in given)
    runs = prod(float(model.cardinalities[v]) for v in cut)
    if runs > _MOST:
        raise MemoryLimitError(
            f"loop_cut_conditioning: cutset must have at most {_MOST:.0f} joint states, got "
            f"{runs:.3g}; use JunctionTree or approximate inference",
            cut,
        )
    logs: list[float] = []
    parts: list[list[Floats]] = []
    for states in product(*(range(model.cardinalities[v]) for v in cut)):
        fixed = given | dict(zip(cut, states, strict=True))
        beliefs = sum_product(model.reduced(fixed))
        logs.append(float(beliefs.log_evidence))
        parts.append([_placed(model, v, fixed, m) for v, m in enumerate(beliefs.marginals)])
    log_evidence = float(np.logaddexp.reduce(logs))
    if log_evidence == -np.inf:
        raise ZeroProbabilityError(
            "loop_cut_conditioning: evidence must be possible, got probability zero"
        )
    weight = np.exp(np.array(logs) - log_evidence)
    marginals = [
        np.einsum("r,rk->k", weight, np.stack([part[v] for part in parts]))
        for v in range(model.n_variables)
    ]
    return Conditioned(marginals, log_evidence, cut, len(parts))


def _placed(model: FactorModel, v: int, fixed: Mapping[int, int], marginal: Floats) -> Floats:
    if v not in fixed:
        return marginal
    full = np.zeros(model.cardinalities[v])
    full[fixed[v]] = 1.0
    return full
