"""Uncertain evidence: Jeffrey's rule, for one variable or for several at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Stop, check, iterate
from margin.core.types import Bools, Floats, Ints, Places
from margin.inference._errors import UnattainableError
from margin.inference._model import check_evidence, check_likelihoods
from margin.inference.exact._junction_tree import JunctionTree

Marginals = Callable[[dict[int, Floats], Places], Mapping[int, Floats]]

_WATCH = 100
"""Sweeps over which the distance from the targets must fall by a hundredth."""


def fit_soft(
    marginals: Marginals, soft: Mapping[int, Floats], *, tol: float = 1e-12, max_iter: int = 10_000
) -> dict[int, Floats]:
    r"""Likelihoods under which the soft variables have given marginals (``inference.17``).

    .. math:: \lambda_j(x_j) \leftarrow \lambda_j(x_j)\, \frac{q_j(x_j)}{p_\lambda(x_j)}

    one variable after the other (iterative proportional fitting). The limit
    :math:`p(x) \prod_j \lambda_j(x_j)` is, of all distributions with the marginals :math:`q_j`, the
    nearest to :math:`p` by :math:`\mathrm{KL}(\cdot \,\|\, p)`. One variable needs one step.

    Parameters
    ----------
    marginals : callable (likelihoods, rows) -> mapping of variable to (rows, states)
        Posterior of the soft variables in some rows, given these likelihoods as well.
    soft : mapping of int to array of shape (rows, states)
        Targets :math:`q_j`.
    tol : float
        Largest distance of a marginal from its target.
    max_iter : int
        Most sweeps over the variables.

    Returns
    -------
    dict of int to array of shape (rows, states)
        Scaled to a largest entry of one.

    Raises
    ------
    UnattainableError
        Where no distribution that the model allows has these marginals.

    Examples
    --------
    >>> import numpy as np
    >>> joint = np.array([[0.4, 0.1], [0.1, 0.4]])
    >>> def marginals(given, rows):
    ...     table = joint * given[0].T * given[1]
    ...     return {0: table.sum(1)[None] / table.sum(), 1: table.sum(0)[None] / table.sum()}
    >>> likelihood = fit_soft(marginals, {0: np.array([[0.3, 0.7]]), 1: np.array([[0.6, 0.4]])})
    >>> fitted = joint * likelihood[0].T * likelihood[1]
    >>> (fitted / fitted.sum()).round(4)
    array([[0.2793, 0.0207],
           [0.3207, 0.3793]])
    """
    if len(soft) == 1:
        return _one_step(marginals, soft)
    rules = Stop("distance from a target", tol, max_iter, unit="sweep", keep="last")
    solution = iterate(_sweeps(marginals, soft, tol), rules, solver="proportional fitting")
    if solution.interrupted:  # of a query
        raise KeyboardInterrupt
    fitted: _Fitted = solution.x
    if not solution.status.ok:
        raise fitted.farthest(soft, tol)
    return fitted.likelihood


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Likelihoods of all rows, and marginals and distances of those that were still open."""

    likelihood: dict[int, Floats]
    now: Mapping[int, Floats]
    gaps: Floats
    rows: Places
    stuck: Bools | None = None

    def farthest(self, soft: Mapping[int, Floats], tol: float) -> UnattainableError:
        """The row, of those that do not come nearer, that is farthest from its targets."""
        stuck = self.gaps > tol if self.stuck is None else self.stuck
        at = int(np.argmax(np.where(stuck, self.gaps, -1.0)))
        row = int(self.rows[at])
        worst = max(soft, key=lambda v: np.abs(self.now[v][at] - soft[v][row]).max())
        return UnattainableError(row, worst, self.now[worst][at], soft[worst][row])


def _sweeps(marginals: Marginals, soft: Mapping[int, Floats], tol: float) -> Iterator[Iterate]:
    """The likelihoods after every sweep over the variables; rows that are done take no more part.

    The distances are those before the last step of a sweep.
    """
    n_rows = len(next(iter(soft.values())))
    likelihood = {v: np.ones((n_rows, q.shape[1])) for v, q in soft.items()}
    rows, past = np.arange(n_rows), np.full(n_rows, np.inf)
    for sweep in count(1):
        goal = {v: q[rows] for v, q in soft.items()}
        given = {v: values[rows] for v, values in likelihood.items()}
        for v in soft:
            now = marginals(given, rows)
            _refuse_zeros(now, goal, rows)
            gaps = np.max([np.abs(now[u] - q).max(axis=1) for u, q in goal.items()], axis=0)
            if (gaps <= tol).all():
                break
            given = given | {v: _step(given[v], goal[v], now[v])}
            likelihood[v][rows] = given[v]
        here = _Fitted(likelihood, now, gaps, rows)
        worst = float(gaps.max())
        state = Iterate(here, worst, worst, sweep)
        if sweep % _WATCH == 0:
            stuck = gaps > np.maximum(0.99 * past[rows], tol)
            if stuck.any():
                why = "a row does not come nearer to its targets"
                state = state._replace(x=replace(here, stuck=stuck), stuck=why)
            past[rows] = gaps
        yield state
        rows = rows[gaps > tol]


def _one_step(marginals: Marginals, soft: Mapping[int, Floats]) -> dict[int, Floats]:
    ((v, target),) = soft.items()
    start, rows = np.ones(target.shape), np.arange(len(target))
    now = marginals({v: start}, rows)
    _refuse_zeros(now, soft, rows)
    return {v: _step(start, target, now[v])}


def _step(likelihood: Floats, target: Floats, now: Floats) -> Floats:
    ratio = np.divide(target, now, out=np.zeros_like(now), where=now > 0)
    fresh: Floats = likelihood * ratio
    fresh /= fresh.max(axis=1, keepdims=True)
    return fresh


def _refuse_zeros(now: Mapping[int, Floats], goal: Mapping[int, Floats], rows: Places) -> None:
    for v, q in goal.items():
        bad = ((now[v] == 0.0) & (q > 0.0)).any(axis=1)
        if bad.any():
            at = int(np.argmax(bad))
            raise UnattainableError(int(rows[at]), v, now[v][at], q[at])


def soft_likelihoods(
    tree: JunctionTree,
    tables: Sequence[ArrayLike],
    soft: Mapping[int, ArrayLike],
    evidence: Any = None,
    likelihoods: Mapping[int, ArrayLike] | None = None,
    n_threads: int | None = None,
) -> tuple[Ints, dict[int, Floats]]:
    """Hard evidence, and the virtual evidence with that which the soft evidence amounts to.

    The parameters are those of :func:`jeffrey`.
    """
    targets = {int(v): np.asarray(q, dtype=np.float64) for v, q in soft.items()}
    for v, q in targets.items():
        fits = 0 <= v < len(tree.cardinalities) and q.shape[-1:] == (tree.cardinalities[v],)
        if not fits or q.ndim > 2 or (q < 0).any() or not np.allclose(q.sum(-1), 1, atol=1e-6):
            raise check.fail("jeffrey", f"soft[{v}]", "a distribution over its states", q)
    hard = check_evidence("JunctionTree", tree.cardinalities, evidence)
    if len(hard) == 1:
        weak = (*targets.values(), *map(np.asarray, (likelihoods or {}).values()))
        hard = np.repeat(hard, max((len(np.atleast_2d(a)) for a in weak), default=1), axis=0)
    virtual = check_likelihoods("JunctionTree", tree.cardinalities, len(hard), likelihoods or {})
    if not targets or not len(hard):
        return hard, virtual
    for v, q in targets.items():
        targets[v] = np.broadcast_to(q / q.sum(-1, keepdims=True), (len(hard), q.shape[-1]))

    def marginals(given: dict[int, Floats], rows: Places) -> dict[int, Floats]:
        both = _product({v: table[rows] for v, table in virtual.items()}, given)
        posteriors = tree.marginals(tables, hard[rows], both, n_threads)[1]
        return {v: posteriors[v] for v in targets}

    return hard, _product(virtual, fit_soft(marginals, targets))


def _product(one: Mapping[int, Floats], other: Mapping[int, Floats]) -> dict[int, Floats]:
    return {**one, **{v: one[v] * a if v in one else a for v, a in other.items()}}


def jeffrey(
    tree: JunctionTree,
    tables: Sequence[ArrayLike],
    targets: Sequence[int],
    soft: Mapping[int, ArrayLike],
    evidence: Any = None,
    likelihoods: Mapping[int, ArrayLike] | None = None,
) -> Floats:
    r"""Posterior when some variables end up with given distributions (``inference.17``).

    .. math:: p(x \mid \tilde y) = \sum_y p(x \mid y)\, q(y)

    The answer for each hard value is averaged over the distribution :math:`q` that the observer
    now holds about it. Several variables get their distributions together, see :func:`fit_soft`;
    how they depend on each other stays as in the model. Virtual evidence is something else: it
    multiplies a likelihood in and leaves the result to Bayes' rule (``inference.18``). Where both
    are given the virtual evidence enters the model first.

    Parameters
    ----------
    tree : JunctionTree
    tables : sequence of arrays
    targets : sequence of int
    soft : mapping of int to array of shape (states,) or (rows, states)
        Distributions that sum to one.
    evidence, likelihoods
        Hard and virtual evidence, as in :meth:`JunctionTree.marginals`.

    Returns
    -------
    ndarray of shape (rows, states of each target …)

    Examples
    --------
    >>> import numpy as np
    >>> tree = JunctionTree.compile((3, 2), ((0,), (0, 1)))
    >>> tables = [np.full(3, 1 / 3), np.array([[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]])]
    >>> jeffrey(tree, tables, [1], {0: [0.3, 0.15, 0.55]}).round(4)
    array([[0.37, 0.63]])
    """
    hard, given = soft_likelihoods(tree, tables, soft, evidence, likelihoods)
    return tree.joint(tables, targets, hard, given)
