"""Discrete Bayesian networks: graph, tables, a model to ask, and answers known to be right."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.core import extra
from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw
from margin.graphical import BayesianNetwork


def network(
    name: str,
    states: Mapping[str, Sequence[str]],
    edges: Iterable[tuple[str, str]],
    cpts: Mapping[str, ArrayLike],
    answers: Mapping[str, float | Fraction] | None = None,
    **fields: Any,
) -> Bunch:
    r"""Bayesian network :math:`p(x) = \prod_j p(x_j \mid x_{\mathrm{pa}(j)})` as a ``Bunch``.

    Parameters
    ----------
    name : str
        What the network is called; names it in messages.
    states : mapping of str to sequence of str
        Nodes with the words for their states, in the order of the tables' axes.
    edges : iterable of (parent, child)
        The arrows. A node's parents keep the order in which their arrows are listed.
    cpts : mapping of str to array-like
        Table of each node; axes are the parents in order, then the node, whose axis sums to 1.
    answers : mapping of str to number, optional
        Golden numbers. A key is a query such as ``"a=yes | b=no, do(c=yes)"``.
    **fields
        Further fields, such as ``DESCR``.

    Returns
    -------
    Bunch
        ``nodes`` (a topological order), ``states``, ``edges``, ``parents``, ``cpts``, ``answers``,
        ``queries``, which spells every key of ``answers`` as ``targets``, ``evidence``, ``do``, and
        ``network``, the same as a :class:`~margin.graphical.BayesianNetwork` ready to be asked.

    Examples
    --------
    >>> net = network("coin", {"coin": ["heads", "tails"]}, [], {"coin": [0.5, 0.5]},
    ...               {"coin=heads": 0.5})
    >>> net.queries["coin=heads"]
    {'targets': {'coin': 'heads'}, 'evidence': {}, 'do': {}}
    >>> net.network.query("coin").values
    array([0.5, 0.5])
    """
    edges = [(parent, child) for parent, child in edges]
    parents: dict[str, list[str]] = {node: [] for node in states}
    for parent, child in edges:
        if parent not in states or child not in states:
            raise ValueError(f"{name}: edges must join nodes, got {(parent, child)!r}")
        parents[child].append(parent)
    try:
        nodes = list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        raise ValueError(f"{name}: edges must form no cycle, got {error.args[1]!r}") from None
    tables = {node: _table(name, node, parents[node], states, cpts[node]) for node in nodes}
    words = {node: list(states[node]) for node in nodes}
    answers = dict(answers or {})
    return Bunch(
        name=name,
        nodes=nodes,
        states=words,
        edges=edges,
        parents=parents,
        cpts=tables,
        answers=answers,
        queries={text: parse_query(text) for text in answers},
        network=BayesianNetwork(edges, tables, states=words),
        **fields,
    )


def _table(
    name: str,
    node: str,
    parents: Sequence[str],
    states: Mapping[str, Sequence[str]],
    values: ArrayLike,
) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    shape = tuple(len(states[other]) for other in (*parents, node))
    if table.shape != shape:
        raise ValueError(f"{name}: table of {node!r} must have shape {shape}, got {table.shape}")
    require.distribution(name, **{node: table})
    return table


def parse_query(text: str) -> dict[str, dict[str, str]]:
    """Targets, evidence and interventions of ``"a=yes, b=no | c=no, do(d=yes)"``.

    Examples
    --------
    >>> parse_query("cancer=yes | do(smoking=no)")
    {'targets': {'cancer': 'yes'}, 'evidence': {}, 'do': {'smoking': 'no'}}
    """
    target, _, condition = text.partition("|")
    forced = ",".join(re.findall(r"do\((.*?)\)", condition))
    seen = re.sub(r"do\(.*?\)", "", condition)
    return {
        "targets": _assignments(target),
        "evidence": _assignments(seen),
        "do": _assignments(forced),
    }


def _assignments(text: str) -> dict[str, str]:
    pairs = (part.split("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, value in pairs}


def make_network_samples(
    network: Bunch,
    n_samples: int = 1000,
    *,
    do: Mapping[str, str] | None = None,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Independent draws from a network, observed or under an intervention.

    Each node is drawn from :math:`p(x_j \mid x_{\mathrm{pa}(j)})` after its parents; a node in
    ``do`` is set instead, which cuts the arrows into it.

    Parameters
    ----------
    network : Bunch
        A network of this package, for example :func:`load_burglary`.
    n_samples : int
        Number of rows.
    do : mapping of str to str, optional
        Nodes forced to a state.
    as_frame : bool
        Return a pandas data frame of state names instead of codes.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` of shape (n_samples, n_nodes), codes into ``states`` (or ``frame``, words).

    Examples
    --------
    >>> from margin.datasets import load_burglary
    >>> draws = make_network_samples(load_burglary(), 5, do={"alarm": "yes"}, random_state=0)
    >>> draws.feature_names, draws.data[:, 2].tolist()
    (['burglary', 'earthquake', 'alarm'], [1, 1, 1, 1, 1])
    """
    require.count("make_network_samples", n_samples=n_samples)
    rng = generator(random_state)
    forced = {node: _code(network, node, state) for node, state in (do or {}).items()}
    codes: dict[str, Places] = {}
    for node in network.nodes:
        if node in forced:
            codes[node] = np.full(n_samples, forced[node])
            continue
        rows = network.cpts[node][tuple(codes[parent] for parent in network.parents[node])]
        codes[node] = draw(np.broadcast_to(rows, (n_samples, rows.shape[-1])), rng)
    data = np.column_stack([codes[node] for node in network.nodes])
    frame = None
    if as_frame:
        pd = extra("pandas", "as_frame=True")
        words = {node: np.asarray(network.states[node])[codes[node]] for node in network.nodes}
        frame = pd.DataFrame(words)
    return Bunch(
        data=data,
        frame=frame,
        feature_names=list(network.nodes),
        states=network.states,
        network=network,
        do=dict(do or {}),
    )


def _code(network: Bunch, node: str, state: str) -> int:
    if node not in network.states or state not in network.states[node]:
        raise ValueError(
            f"make_network_samples: do must name a node and one of its states, "
            f"got {node!r}={state!r}"
        )
    return int(network.states[node].index(state))
