"""Wrong conclusions about effects that a graph leads to."""

from __future__ import annotations

from collections.abc import Callable

from margin.causal.distances._compared import Compared, walk
from margin.causal.distances._validity import invalid_outcomes
from margin.core import check
from margin.graphs import Graph

Claims = Callable[[Compared, Compared, int], int]


def adjustment_identification_distance(truth: Graph, found: Graph, strategy: str = "parent") -> int:
    r"""Number of pairs (treatment, outcome) whose effect a graph would make us identify wrongly.

    For each pair the found graph is asked: does it say that there is no effect, that the effect is
    not identified, or name a set to adjust for? The answer counts as wrong where it is so under the
    truth: an effect that is there, one that is identified, a set that is not valid. Zero for a
    graph that is equal to the truth, at most :math:`p (p - 1)`; not symmetric.

    Parameters
    ----------
    truth, found : DAG, PDAG or CausalGraph
        Over the same nodes: directed acyclic graphs, or the essential graphs of classes (CPDAG,
        also interventional), in any combination.
    strategy : {"parent", "ancestor", "oset"}
        The set that the found graph names: the parents of the treatment (an outcome among them has
        no effect), its ancestors, or the set of smallest asymptotic variance (outcomes that are no
        descendants have no effect).

    Returns
    -------
    int

    Notes
    -----
    O(p (p + m)) for p nodes and m edges with ``"parent"`` and ``"ancestor"``; with ``"oset"`` once
    for each different set.

    References
    ----------
    L. Henckel, T. Würtzen and S. Weichwald, "Adjustment identification distance: a gadjid for
    causal structure learning", UAI 2024.

    Examples
    --------
    >>> from margin.graphs import DAG, cpdag
    >>> truth = DAG.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
    >>> found = DAG(["x", "y", "z"], [("x", "y")])
    >>> [adjustment_identification_distance(truth, found, s) for s in ("parent", "ancestor")]
    [3, 3]
    >>> adjustment_identification_distance(truth, cpdag(truth))
    6
    """
    owner = "adjustment_identification_distance"
    if strategy not in _STRATEGIES:
        choices = ", ".join(map(repr, _STRATEGIES))
        raise check.fail(owner, "strategy", f"one of {choices}", strategy)
    nodes = tuple(truth.nodes)
    real = Compared.of(owner, "truth", truth, nodes)
    guess = Compared.of(owner, "found", found, nodes)
    everything = (1 << len(nodes)) - 1
    wrong = 0
    for t in range(len(nodes)):
        open_here, open_there = guess.not_identified(t), real.not_identified(t)
        claimed = _STRATEGIES[strategy](real, guess, t) & ~open_here
        mistakes = claimed | (open_here & ~open_there)
        wrong += (mistakes & everything & ~(1 << t)).bit_count()
    return wrong


def wrong_by_set(real: Compared, treatment: int, adjusted: int) -> int:
    """Outcomes for which adjusting for a set is wrong, or the effect is not identified."""
    wrong = invalid_outcomes(real.member_parents, real.member_children, treatment, adjusted)
    return (wrong | real.not_identified(treatment)) & ~adjusted


def _by_parents(real: Compared, guess: Compared, t: int) -> int:
    parents = guess.parents[t]
    return wrong_by_set(real, t, parents) | parents & real.possible_effects(t)


def _by_ancestors(real: Compared, guess: Compared, t: int) -> int:
    ancestors = walk(guess.parents[t], guess.parents, 0)
    effects = guess.possible_effects(t)
    return wrong_by_set(real, t, ancestors) & effects | real.possible_effects(t) & ~effects


def _by_optimal_sets(real: Compared, guess: Compared, t: int) -> int:
    parents, children = guess.member_parents, guess.member_children
    effects, own = guess.possible_effects(t), 1 << t
    below = walk(children[t], children, 0)
    mistakes = real.possible_effects(t) & ~effects
    wrong: dict[int, int] = {}
    for y in range(len(parents)):
        if not effects >> y & 1:
            continue
        middle = walk(1 << y, parents, own) & below
        forbidden = walk(middle, children, 0) | own
        optimal = 0
        for node in range(len(parents)):
            if middle >> node & 1:
                optimal |= parents[node]
        optimal &= ~forbidden
        if optimal not in wrong:
            wrong[optimal] = wrong_by_set(real, t, optimal)
        mistakes |= wrong[optimal] & 1 << y
    return mistakes


_STRATEGIES: dict[str, Claims] = {
    "parent": _by_parents,
    "ancestor": _by_ancestors,
    "oset": _by_optimal_sets,
}
