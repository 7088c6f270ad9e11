"""Separation in undirected graphs and d-separation in directed ones."""

from typing import Any

from margin.graphs.bits import _sets
from margin.graphs.bits._separation import bayes_ball, cut_off, moral_rows
from margin.graphs.kinds._checks import disjoint_sets
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._explanation import path_verdicts

METHODS = ("bayes-ball", "moral", "paths")


def separated(graph: UndirectedGraph, X: Any, Y: Any, given: Any = ()) -> bool:
    """Whether every path between the sets ``X`` and ``Y`` meets ``given`` (graphs.08).

    Parameters
    ----------
    graph : UndirectedGraph
        Graph to look at.
    X, Y, given : node or collection of nodes
        Disjoint sets.

    Examples
    --------
    >>> square = UndirectedGraph.from_edges(["ab", "bc", "cd", "da"])
    >>> separated(square, "a", "c", given="b"), separated(square, "a", "c", given=["b", "d"])
    (False, True)
    """
    x, y, z = disjoint_sets("separated", graph, X, Y, given)
    return not cut_off(graph._neighbours, x, z) & y


def d_separated(dag: DAG, X: Any, Y: Any, given: Any = (), *, method: str = "bayes-ball") -> bool:
    """Whether ``given`` blocks every path between ``X`` and ``Y`` (graphs.10).

    A path is blocked at a node in ``given`` where arrows do not meet head to head, and at a
    head-to-head node when neither it nor any of its descendants is in ``given``. d-separation
    means independence in every distribution that factorises over the graph.

    Parameters
    ----------
    dag : DAG
        Graph to look at.
    X, Y, given : node or collection of nodes
        Disjoint sets.
    method : {"bayes-ball", "moral", "paths"}
        Bouncing a ball (linear time; graphs.12), separation in the moral ancestral graph
        (graphs.11), or looking at every path (exponential; for teaching). They always agree.

    Returns
    -------
    bool
        True when they are d-separated.

    See Also
    --------
    explain_separation : every path, and what blocks it.

    Examples
    --------
    >>> dag = DAG.from_edges([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")])
    >>> d_separated(dag, "a", "b"), d_separated(dag, "a", "b", given="c")
    (True, False)
    >>> d_separated(dag, "a", "b", given="f", method="moral")
    True
    """
    x, y, z = disjoint_sets("d_separated", dag, X, Y, given)
    if method == "bayes-ball":
        return not bayes_ball(dag._parents, dag._children, x, z) & y
    if method == "moral":
        kept = _sets.closure(x | y | z, dag._parents)
        return not cut_off(moral_rows(dag._parents, kept), x, z) & y
    if method == "paths":
        return not any(path.open for path in path_verdicts(dag, x, y, z))
    choices = ", ".join(map(repr, METHODS))
    raise ValueError(f"d_separated: method must be one of {choices}, got {method!r}")
