"""Effects that a graph would give wrongly."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from margin.causal.distances._compared import Bits, Compared, walk
from margin.causal.distances._validity import invalid_outcomes
from margin.core import check
from margin.graphs import DAG, PDAG, Graph, equivalence_class


@dataclass(frozen=True)
class DistanceBounds:
    """Smallest and largest distance of the members of a class.

    Parameters
    ----------
    lower, upper : int
    exact : bool
        Whether some member attains each; otherwise no member is outside.
    """

    lower: int
    upper: int
    exact: bool


def structural_intervention_distance(truth: Graph, found: Graph) -> int:
    r"""Number of pairs (i, j) for which a graph gives the effect of i on j wrongly.

    The found graph takes :math:`p(x_j \mid do(x_i))` to be :math:`p(x_j)` where j is a parent of i,
    and otherwise what adjusting for the parents of i gives. Wrong means: different from the truth
    for some distribution of the true graph. Zero where all arrows of the truth are in the found
    graph; not symmetric.

    Parameters
    ----------
    truth, found : DAG or CausalGraph
        Directed acyclic graphs over the same nodes. For a class as ``found`` see
        :func:`intervention_distance_bounds`.

    Returns
    -------
    int
        At most :math:`p (p - 1)`.

    Notes
    -----
    O(p (p + m)) for p nodes and m edges.

    References
    ----------
    J. Peters and P. Bühlmann, "Structural intervention distance for evaluating causal graphs",
    Neural Computation 27 (2015).

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> truth = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> more = DAG.from_edges([("a", "b"), ("a", "c"), ("b", "c")])
    >>> turned = DAG.from_edges([("b", "a"), ("b", "c")])
    >>> [structural_intervention_distance(truth, found) for found in (truth, more, turned)]
    [0, 0, 3]
    """
    owner = "structural_intervention_distance"
    real, guess = _both(owner, truth, found)
    if any(guess.near):
        requirement = "directed (intervention_distance_bounds takes classes)"
        raise check.fail(owner, "found", requirement, found)
    errors = _Errors(real)
    return sum(errors.of(t, parents) for t, parents in enumerate(guess.parents))


def intervention_distance_bounds(
    truth: Graph, found: Graph, *, max_members: int = 5000
) -> DistanceBounds:
    """Smallest and largest structural intervention distance of the members of a class.

    Parameters
    ----------
    truth : DAG or CausalGraph
    found : PDAG, DAG or CausalGraph
        The essential graph of a class (CPDAG, also interventional).
    max_members : int
        A part joined by undirected edges that can be directed in more ways than this is bounded
        node by node, which may be wider than what a member attains.

    Returns
    -------
    DistanceBounds

    Notes
    -----
    Parts that undirected edges join are independent of each other, so their ways add up and do not
    multiply.

    Examples
    --------
    >>> from margin.graphs import DAG, cpdag
    >>> truth = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> intervention_distance_bounds(truth, cpdag(truth))
    DistanceBounds(lower=0, upper=6, exact=True)
    """
    owner = "intervention_distance_bounds"
    if isinstance(max_members, bool) or not isinstance(max_members, int) or max_members < 1:
        raise check.fail(owner, "max_members", "an integer of at least 1", max_members)
    real, guess = _both(owner, truth, found)
    errors = _Errors(real)
    lower = upper = 0
    exact = True
    left = (1 << len(guess.near)) - 1
    while left:
        part = walk(left & -left, guess.near, 0)
        left &= ~part
        members = [i for i in range(len(guess.near)) if part >> i & 1]
        ways = _ways(guess, members, max_members)
        if ways is None:
            exact = False
            ranges = [_range(errors, guess, i) for i in members]
            lower += sum(least for least, _ in ranges)
            upper += sum(most for _, most in ranges)
            continue
        sums = [sum(map(errors.of, members, way)) for way in ways]
        lower += min(sums)
        upper += max(sums)
    return DistanceBounds(lower, upper, exact)


@dataclass
class _Errors:
    """Wrong outcomes by treatment and set of parents, each counted once."""

    real: Compared
    known: dict[tuple[int, int], int] = field(default_factory=dict)

    def of(self, treatment: int, parents: int) -> int:
        key = treatment, parents
        if key not in self.known:
            rows = self.real.parents, self.real.children
            wrong = invalid_outcomes(*rows, treatment, parents)
            wrong |= parents & self.real.possible_effects(treatment)
            self.known[key] = wrong.bit_count()
        return self.known[key]


def _both(owner: str, truth: Graph, found: Graph) -> tuple[Compared, Compared]:
    nodes = tuple(truth.nodes)
    real = Compared.of(owner, "truth", truth, nodes)
    if any(real.near):
        raise check.fail(owner, "truth", "a directed acyclic graph", truth)
    return real, Compared.of(owner, "found", found, nodes)


def _ways(guess: Compared, members: list[int], most: int) -> list[Bits] | None:
    """Parents of the nodes of a part in all members of the class; None if there are too many."""
    if len(members) == 1:
        return [(guess.parents[members[0]],)]
    edges = [(i, j) for i in members for j in members if i < j and guess.near[i] >> j & 1]
    part = PDAG(members, undirected=edges, directed=())
    dags: list[DAG] = list(islice(equivalence_class(part), most + 1))
    if len(dags) > most:
        return None
    return [tuple(guess.parents[i] | _bits(dag, i, members) for i in members) for dag in dags]


def _bits(dag: DAG, node: int, members: list[int]) -> int:
    """Parents in a part, as bits of the whole graph."""
    parents = set(dag.parents(node))
    return sum(1 << j for j in members if j in parents)


def _range(errors: _Errors, guess: Compared, node: int) -> tuple[int, int]:
    """Fewest and most errors of one node, over the cliques that may be its further parents."""
    counts = []
    stack = [(0, guess.near[node])]
    while stack:
        clique, more = stack.pop()
        counts.append(errors.of(node, guess.parents[node] | clique))
        if len(counts) > 4096:  # a clique of a dozen nodes: anything may be
            return 0, len(guess.near) - 1
        while more:
            low = more & -more
            more ^= low
            stack.append((clique | low, more & guess.near[low.bit_length() - 1]))
    return min(counts), max(counts)
