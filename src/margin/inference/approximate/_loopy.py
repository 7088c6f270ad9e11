"""Loopy belief propagation on any factor graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from margin.core import Certificate, Status, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference.approximate._log_messages import LogMessages
from margin.inference.approximate._settled import settled


@dataclass(frozen=True)
class Beliefs:
    """Approximate marginals and how they were reached.

    Parameters
    ----------
    marginals : list of ndarray
        Per variable, normalised.
    factor_marginals : list of ndarray
        Per factor, normalised.
    log_evidence : float
        Approximation of the log mass; which one depends on the method.
    status : Status
    n_iter : int
    trace : ndarray
        Largest change of a message, or the bound, after every round.
    certificate : Certificate or None
    """

    marginals: list[Floats]
    factor_marginals: list[Floats]
    log_evidence: float
    status: Status
    n_iter: int
    trace: Floats = field(repr=False)
    certificate: Certificate | None = None


def loopy_bp(
    model: FactorModel | Factored,
    evidence: Mapping[int, int] | None = None,
    *,
    damping: float = 0.0,
    schedule: str = "residual",
    tol: float = 1e-8,
    max_iter: int = 500,
    maximise: bool = False,
    rng: np.random.Generator | int | None = None,
) -> Beliefs:
    r"""Belief propagation on a factor graph with cycles (``inference.15``).

    The messages of :func:`sum_product`, repeated until they settle. A fixed point is a stationary
    point of the Bethe free energy; :attr:`Beliefs.log_evidence` is its value. Exact on trees.
    Convergence is not guaranteed: the status says whether it happened.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    evidence : mapping of int to int, optional
    damping : float
        Share of the old message (in logarithms) that is kept, in [0, 1).
    schedule : {"residual", "flooding"}
        The message that would change most next, or all at once.
    tol : float
        Largest change of a log message, after normalisation, that counts as settled.
    max_iter : int
        Rounds, each as many updates as there are messages.
    maximise : bool
        Max-product: marginals are max-marginals, normalised.
    rng : Generator or int, optional
        Random initial messages, or their seed; uniform ones by default.

    Notes
    -----
    For large pairwise models (images) use :func:`pairwise_bp`, which is compiled.

    Examples
    --------
    >>> pair = [[2.0, 1.0], [1.0, 2.0]]
    >>> ring = FactorModel((2,) * 3, ((0,), (0, 1), (1, 2), (2, 0)), ([3.0, 1.0], pair, pair, pair))
    >>> beliefs = loopy_bp(ring)
    >>> beliefs.status.value, beliefs.marginals[1].round(3)
    ('converged', array([0.613, 0.387]))
    """
    model = factors_of("loopy_bp", model)
    if not 0 <= damping < 1:
        raise check.fail("loopy_bp", "damping", "in [0, 1)", damping)
    if schedule not in ("residual", "flooding"):
        raise check.fail("loopy_bp", "schedule", "one of 'residual', 'flooding'", schedule)
    check.count("loopy_bp", "max_iter", max_iter)
    row = check_evidence("loopy_bp", model.cardinalities, evidence or {})[0]
    given = {v: int(s) for v, s in enumerate(row) if s >= 0}
    state = LogMessages(
        model.reduced(given), maximise, None if rng is None else generator(rng, "loopy_bp: rng")
    )
    rounds = state.flood(damping) if schedule == "flooding" else state.settle(damping, tol)
    solution = settled(((change, state.value) for change in rounds), state.value, tol, max_iter)
    state.value = solution.x
    marginals = [_one_hot(model, v, given[v]) if v in given else state.belief(v)
                 for v in range(model.n_variables)]  # fmt: skip
    tables = [_expand(model, f, state.factor_belief(f), given) for f in range(len(model.scopes))]
    bethe = float("nan") if maximise else state.bethe()
    return Beliefs(
        marginals,
        tables,
        bethe,
        solution.status,
        solution.n_iter,
        solution.trace["change"][1:],
        solution.certificate,
    )


def _one_hot(model: FactorModel, v: int, state: int) -> Floats:
    table = np.zeros(model.cardinalities[v])
    table[state] = 1.0
    return table


def _expand(model: FactorModel, f: int, table: Floats, given: Mapping[int, int]) -> Floats:
    full = np.zeros(tuple(model.cardinalities[v] for v in model.scopes[f]))
    full[tuple(given.get(v, slice(None)) for v in model.scopes[f])] = table
    return full
