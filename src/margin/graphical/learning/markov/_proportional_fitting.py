"""Maximum likelihood of unconstrained potentials: fitting of marginals, and closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from margin.core import Certificate, Iterate, Solution, Status, Stop, iterate
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._clique_sweep import CalibratedTree
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphs import UndirectedGraph, is_triangulated, junction_tree, maximal_cliques

_FRESH = 50  # sweeps on the same beliefs


def fit_proportionally(
    family: LogLinear,
    targets: Sequence[Floats],
    *,
    start: Sequence[Floats] | None = None,
    tol: float = 1e-8,
    max_iter: int = 1000,
    n_threads: int | None = None,
) -> Solution:
    r"""Potentials whose clique marginals are given ones (graphical.24).

    One clique at a time, :math:`\phi_c \leftarrow \phi_c\, \epsilon_c / p_c`: its marginal becomes
    right, the partition function stays, and the likelihood
    :math:`N \sum_c \langle \log \phi_c \rangle_{\epsilon_c} - N \log Z` never falls. An iteration,
    not a closed form, except that a decomposable graph needs one sweep along its junction tree.

    Parameters
    ----------
    family : LogLinear
        Cliques; potentials are unconstrained tables.
    targets : sequence of ndarray
        Marginals of the cliques, each summing to one and agreeing where cliques overlap.
    start : sequence of ndarray, optional
        Starting potentials; ones by default. Zero cells stay zero.

    Returns
    -------
    Solution
        ``extras["tables"]`` are the potentials, the objective is the mean negative log likelihood.

    Examples
    --------
    >>> family = LogLinear((2, 2), ((0,), (1,)), (None, None))
    >>> fit = fit_proportionally(family, [np.array([0.2, 0.8]), np.array([0.5, 0.5])])
    >>> fit.n_iter, fit.extras["tables"][0].round(3)
    (1, array([0.4, 1.6]))
    """
    tables = [np.ones(s) for s in family.shapes] if start is None else list(start)
    stop = Stop(
        "largest error of a marginal",
        tol,
        max_iter,
        unit="sweep",
        keep="last",
        advice=("raise tol",),
    )
    solution = iterate(
        _sweeps(family, targets, tables, n_threads), stop, solver="iterative proportional fitting"
    )
    fitted: list[Floats] = list(solution.x)
    x = np.concatenate([t.ravel() for t in fitted]) if fitted else np.empty(0)
    return replace(solution, x=x, extras={"tables": fitted})


def _sweeps(
    family: LogLinear, targets: Sequence[Floats], tables: list[Floats], n_threads: int | None
) -> Iterator[Iterate]:
    """The potentials after every sweep over the cliques."""
    nothing = np.full((1, len(family.cards)), -1, dtype=np.int64)
    tree: CalibratedTree | None = None
    for n_iter in count():
        log_z, marginals = family.tree.expected_counts(tables, nothing, n_threads=n_threads)
        gap = max(float(abs(m - t).max()) for m, t in zip(marginals, targets, strict=True))
        objective = float(log_z[0]) - _mean_log(tables, targets)
        yield Iterate(tuple(tables), objective, gap, n_iter)
        # Made anew now and then: what rounding adds up to in the beliefs is forgotten.
        tree = CalibratedTree(family, tables) if n_iter % _FRESH == 0 or tree is None else tree
        tables = tree.sweep(tables, targets)


def fit_decomposable(family: LogLinear, targets: Sequence[Floats]) -> Solution | None:
    r"""Closed form :math:`p(x) = \prod_c \epsilon_c / \prod_s \epsilon_s` (graphical.25).

    For cliques that are the maximal cliques of a triangulated graph; ``None`` for others. The
    separators of a junction tree divide the potential of the clique below them.

    Examples
    --------
    >>> family = LogLinear((2, 2, 2), ((0, 1), (1, 2)), (None, None))
    >>> halves = [np.full((2, 2), 0.25)] * 2
    >>> fit_decomposable(family, halves).extras["tables"][1].tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    graph = UndirectedGraph.from_cliques(family.scopes, nodes=range(len(family.cards)))
    scopes = [frozenset(s) for s in family.scopes]
    if set(scopes) != {frozenset(c) for c in maximal_cliques(graph)} or len(set(scopes)) < len(
        scopes
    ):
        return None
    if not is_triangulated(graph):
        return None
    tree = junction_tree(family.scopes)
    place: dict[frozenset[Any], int] = {clique: at for at, clique in enumerate(scopes)}
    cliques = [place[frozenset(c)] for c in tree.cliques]
    tables = [t.astype(np.float64) for t in targets]
    near: dict[int, list[int]] = {c: [] for c in cliques}
    for a, b in tree.edges:
        near[cliques[a]].append(cliques[b])
        near[cliques[b]].append(cliques[a])
    seen: set[int] = set()
    for root in cliques:
        front = [] if root in seen else [root]
        seen.add(root)
        while front:
            above = front.pop()
            for below in near[above]:
                if below not in seen:
                    seen.add(below)
                    front.append(below)
                    tables[below] = _divided(family.scopes[below], tables[below], scopes[above])
    objective = -_mean_log(tables, targets)
    return Solution(
        x=np.concatenate([t.ravel() for t in tables]),
        status=Status.CONVERGED,
        n_iter=1,
        objective=objective,
        trace={"objective": np.array([objective])},
        certificate=Certificate("closed form", 0.0, 0.0),
        solver="closed form of a decomposable graph",
        extras={"tables": tables},
    )


def _divided(scope: tuple[int, ...], table: Floats, above: frozenset[int]) -> Floats:
    """The clique's table given the variables it shares with the clique above."""
    own = tuple(axis for axis, variable in enumerate(scope) if variable not in above)
    shared = table.sum(axis=own, keepdims=True)
    share: Floats = np.divide(table, shared, out=np.zeros_like(table), where=shared > 0)
    return share


def _mean_log(tables: Sequence[Floats], targets: Sequence[Floats]) -> float:
    total = 0.0
    for table, target in zip(tables, targets, strict=True):
        some = target > 0
        with np.errstate(divide="ignore"):
            total += float((target[some] * np.log(table[some])).sum())
    return total


def clique_marginals(family: LogLinear, codes: Indices, row_weight: Floats) -> list[Floats]:
    """Shares of the complete rows in the cells of every clique."""
    total = float(row_weight.sum())
    return [c / total for c in family.counts(codes, row_weight)]
