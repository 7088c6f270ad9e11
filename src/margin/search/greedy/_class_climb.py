"""Search for the equivalence class of best score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Iterate, Solution, Status, Stop, iterate
from margin.core.types import Bytes
from margin.graphs import PDAG, extend_pdag
from margin.native.structure import classes
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._scores import NetworkScore

_CIRCLE = (
    "steps that gain lead back to the same class, for with gaps a gain depends on the member that "
    "is looked at; fill the gaps or drop their rows"
)


@dataclass(frozen=True)
class ClassClimb:
    """How to climb over equivalence classes.

    Parameters
    ----------
    turning : bool
        Whether arcs are also turned, and all kinds of steps are tried again until none gains.
        Otherwise arcs are inserted, then removed, once.
    max_degree : int, optional
        Most edges at a node.
    max_iter : int
        Most steps made.
    max_work : int
        Most steps scored.
    tol : float
        Smallest gain worth a step.
    """

    turning: bool = True
    max_degree: int | None = None
    max_iter: int = 100_000
    max_work: int = 50_000_000
    tol: float = 1e-9


def climb_classes(
    score: NetworkScore,
    how: ClassClimb,
    knowledge: Knowledge,
    *,
    separated: Bytes | None = None,
    n_threads: int = 1,
) -> Solution:
    r"""Equivalence class that no single arc improves, by greedy equivalence search.

    From the class of the required arcs: arcs are inserted as long as the score rises, then removed,
    then turned, each time the step that gains most. A step belongs to a class, not to a graph: an
    arc :math:`x \to y` of a member in which the set C of neighbours points at y gains

    .. math:: s(y, \mathrm{pa}(y) \cup C \cup x) - s(y, \mathrm{pa}(y) \cup C),

    whichever member is looked at. Steps to classes without a member that agrees with the knowledge
    are not made.

    Parameters
    ----------
    score : NetworkScore
        The same for Markov equivalent graphs: BIC, AIC or BDeu.
    how : ClassClimb
    knowledge : Knowledge
    separated : ndarray of uint8, optional
        1 for pairs whose arrow interventions reveal; see :class:`Interventions`.
    n_threads : int
        Does not change the answer.

    Returns
    -------
    Solution
        ``x`` is the matrix of the class with what knowledge adds, 1 at (parent, child) and both
        ways where the direction is open; the objective and the trace are scores, larger is better.
        Extras: ``"member"``, a graph of the class, and ``"n_families"``.

    References
    ----------
    D. M. Chickering, "Optimal structure identification with greedy search", JMLR 3 (2002).
    A. Hauser and P. Bühlmann, "Characterization and greedy learning of interventional Markov
    equivalence classes of directed acyclic graphs", JMLR 13 (2012).

    Examples
    --------
    >>> from margin.search import Categories
    >>> table = Categories.of("Example", [[0, 0], [0, 0], [1, 1], [1, 1]] * 5)
    >>> score = NetworkScore.of("Example", table)
    >>> climb_classes(score, ClassClimb(), Knowledge.none(2)).x.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    p = score.n_nodes
    begin = score.total(knowledge.required)
    # Rounding must not pass for a gain, or turns would go in circles.
    tol = max(how.tol, 1e-12 * abs(begin))
    search = classes.class_search(
        score.scorer,
        np.ascontiguousarray(knowledge.required),
        knowledge.forbidden,
        knowledge.required,
        np.zeros((p, p), dtype=np.uint8) if separated is None else separated,
        max_degree=p if how.max_degree is None else how.max_degree,
        max_steps=how.max_work,
        tol=tol,
        n_threads=n_threads,
    )
    rules = Stop("gain of the best step", tol, how.max_iter, unit="step", keep="last", advice=())
    solver = f"greedy equivalence search, {score.kind}"
    solution = iterate(_states(search, begin, how.turning, p), rules, solver=solver)
    matrix = np.asarray(solution.x, dtype=np.uint8)
    member = _member(matrix)
    cut = {}
    if search.exhausted and not solution.interrupted:
        told = f"stopped after max_work={how.max_work} steps were scored"
        advice = "raise max_work or set max_degree"
        cut = {"status": Status.MAX_ITER, "message": f"{told}; {advice}", "certificate": None}
    return replace(
        solution,
        x=matrix.astype(np.float64),
        objective=score.total(member),
        trace={"objective": -solution.trace["objective"]},
        extras={"member": member, "n_families": score.n_evaluated},
        **cut,  # type: ignore[arg-type]
    )


def _states(search: Any, begin: float, turning: bool, p: int) -> Iterator[Iterate]:
    """The class after every step, and once more when no step is left."""
    total, n_iter = begin, 0
    matrix = classes.class_matrix(search, p, True)
    visited = {matrix.tobytes()}
    yield Iterate(matrix, -total)
    phases = ("insert", "remove", "turn") if turning else ("insert", "remove")
    gaining = True
    while gaining:
        gaining = False
        for phase in phases:
            while (step := classes.improve(search, phase)) is not None:
                gaining, total, n_iter = turning, total + step[0], n_iter + 1
                matrix = classes.class_matrix(search, p, True)
                if matrix.tobytes() in visited:
                    yield Iterate(matrix, -total, None, n_iter, stuck=_CIRCLE)
                    return
                visited.add(matrix.tobytes())
                yield Iterate(matrix, -total, None, n_iter)
    yield Iterate(matrix, -total, 0.0, n_iter)


def _member(matrix: Bytes) -> Bytes:
    """A directed acyclic graph of a class."""
    dag = extend_pdag(PDAG.from_adjacency(matrix))
    assert dag is not None  # every class that is visited has members
    return np.ascontiguousarray(_adjacency(dag.edges, len(matrix)))


def _adjacency(edges: Any, p: int) -> Bytes:
    out = np.zeros((p, p), dtype=np.uint8)
    for parent, child in edges:
        out[parent, child] = 1
    return out
