"""d-separation path by path, with what blocks each path."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._separation import bayes_ball
from margin.graphs.combinatorics._connectivity import walk_paths
from margin.graphs.kinds._checks import disjoint_sets
from margin.graphs.kinds._dag import DAG


@dataclass(frozen=True)
class PathNode:
    """One inner node of a path, and whether it lets the path through.

    Parameters
    ----------
    node : hashable
        The node.
    kind : {"chain", "fork", "collider"}
        How the arrows of the path meet in it.
    blocks : bool
        Whether the path ends here.
    reason : str
        Why, in words.
    """

    node: Node
    kind: str
    blocks: bool
    reason: str


@dataclass(frozen=True)
class PathVerdict:
    """One path between the two sets, open or blocked.

    Parameters
    ----------
    nodes : tuple
        The path.
    text : str
        The path with its arrows.
    inner : tuple of PathNode
        What happens at each inner node.
    """

    nodes: tuple[Node, ...]
    text: str
    inner: tuple[PathNode, ...]

    @property
    def open(self) -> bool:
        """Whether nothing blocks the path."""
        return not any(node.blocks for node in self.inner)

    def __str__(self) -> str:
        if not self.open:
            why = "; ".join(f"{n.node}: {n.reason}" for n in self.inner if n.blocks)
            return f"blocked  {self.text}   at {why}"
        colliders = [n for n in self.inner if n.kind == "collider"]
        why = "; ".join(f"{n.node}: {n.reason}" for n in colliders)
        return f"open     {self.text}" + (f"   {why}" if why else "")


@dataclass(frozen=True)
class SeparationExplanation:
    """Every path between two sets of nodes; true when all of them are blocked.

    Parameters
    ----------
    X, Y, given : tuple
        The question.
    separated : bool
        The answer.
    paths : tuple of PathVerdict
        The paths looked at, shortest first.
    complete : bool
        False if there were more paths than were listed; the answer holds nevertheless.
    """

    X: tuple[Node, ...]
    Y: tuple[Node, ...]
    given: tuple[Node, ...]
    separated: bool
    paths: tuple[PathVerdict, ...]
    complete: bool

    def __bool__(self) -> bool:
        return self.separated

    @property
    def open_paths(self) -> tuple[PathVerdict, ...]:
        """Paths that nothing blocks."""
        return tuple(path for path in self.paths if path.open)

    def __str__(self) -> str:
        names = [", ".join(map(str, part)) for part in (self.X, self.Y, self.given)]
        verdict = "d-separated" if self.separated else "d-connected"
        lines = [f"{names[0]} and {names[1]} are {verdict} given {names[2] or 'nothing'}"]
        lines += [f"  {path}" for path in self.paths]
        if not self.paths:
            lines.append("  no path joins them")
        if not self.complete:
            lines.append(f"  … and more paths than the {len(self.paths)} listed")
        return "\n".join(lines)


def explain_separation(
    dag: DAG, X: Any, Y: Any, given: Any = (), *, max_paths: int = 1000
) -> SeparationExplanation:
    """List the paths between two sets of nodes, and say where each is blocked (graphs.10).

    Parameters
    ----------
    dag : DAG
        Graph to look at.
    X, Y, given : node or collection of nodes
        Disjoint sets.
    max_paths : int
        Most paths to list; their number can be exponential. The answer itself does not depend on
        the list being complete.

    Returns
    -------
    SeparationExplanation
        True when the sets are d-separated; prints as text.

    Examples
    --------
    >>> dag = DAG.from_edges([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")])
    >>> print(explain_separation(dag, "a", "b", given="c"))
    a and b are d-connected given c
      open     a -> e <- f -> b   e: collider, opened by its observed descendant c
    >>> print(explain_separation(dag, "a", "b", given="f"))
    a and b are d-separated given f
      blocked  a -> e <- f -> b   at e: collider, not observed, nor a descendant; f: fork, observed
    """
    x, y, z = disjoint_sets("explain_separation", dag, X, Y, given)
    verdicts = list(islice(path_verdicts(dag, x, y, z), max_paths + 1))
    listed = sorted(verdicts[:max_paths], key=lambda path: len(path.nodes))
    complete = len(verdicts) <= max_paths
    if complete:
        separated = not any(path.open for path in verdicts)
    else:
        separated = not bayes_ball(dag._parents, dag._children, x, z) & y
    return SeparationExplanation(
        dag.named(x), dag.named(y), dag.named(z), separated, tuple(listed), complete
    )


def path_verdicts(dag: DAG, x: int, y: int, given: int) -> Iterator[PathVerdict]:
    """Every path from ``x`` to ``y`` that meets the two sets only at its ends."""
    skeleton = [p | c for p, c in zip(dag._parents, dag._children, strict=True)]
    for start in _sets.members(x):
        for end in _sets.members(y):
            # Paths through another member of the sets hold a shorter one that is open if they are.
            hidden = (x | y) & ~(1 << start | 1 << end)
            rows = [bits & ~hidden for bits in skeleton]
            for path in walk_paths(rows, start, end):
                yield _verdict(dag, path, given)


def _verdict(dag: DAG, path: list[int], given: int) -> PathVerdict:
    forward = [bool(dag._children[a] >> b & 1) for a, b in pairwise(path)]
    inner = tuple(
        _inner(dag, path[i], forward[i - 1], forward[i], given) for i in range(1, len(path) - 1)
    )
    names = tuple(dag.nodes[i] for i in path)
    text = str(names[0])
    for name, ahead in zip(names[1:], forward, strict=True):
        text += f" {'->' if ahead else '<-'} {name}"
    return PathVerdict(names, text, inner)


def _inner(dag: DAG, node: int, enters: bool, leaves: bool, given: int) -> PathNode:
    """``enters``: the arrow before points at the node; ``leaves``: the arrow after points away."""
    name = dag.nodes[node]
    observed = bool(given >> node & 1)
    if enters and not leaves:
        below = _sets.closure(1 << node, dag._children) & ~(1 << node) & given
        if observed:
            return PathNode(name, "collider", False, "collider, opened because it is observed")
        if below:
            which = dag.nodes[next(_sets.members(below))]
            reason = f"collider, opened by its observed descendant {which}"
            return PathNode(name, "collider", False, reason)
        return PathNode(name, "collider", True, "collider, not observed, nor a descendant")
    kind = "fork" if not enters and leaves else "chain"
    return PathNode(name, kind, observed, f"{kind}, {'observed' if observed else 'not observed'}")
