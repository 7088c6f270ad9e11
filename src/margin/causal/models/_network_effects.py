"""Effects in Bayesian networks: total, direct, natural; interventions that keep arrows."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.models._interventions import Conditional, Hard, Stochastic
from margin.causal.models._two_levels import two_levels
from margin.core import check
from margin.core.types import Floats
from margin.graphical import BayesianNetwork

Name = Any
Names = tuple[Any, ...]


def intervened(network: BayesianNetwork, do: Mapping[Name, Any]) -> BayesianNetwork:
    r"""A discrete network after an intervention (causal.05, causal.06).

    .. math:: p(x \mid do(S \sim \tilde p)) = \prod_{j \in S} \tilde p(x_j \mid \cdot)
        \prod_{j \notin S} p(x_j \mid x_{\mathrm{pa}(j)})

    Parameters
    ----------
    network : BayesianNetwork
    do : mapping of node to state, probabilities, table or Conditional
        A state: hard, arrows cut. Probabilities as a vector or a mapping of states: stochastic,
        arrows cut. A table with an axis per parent and the node last: parametric, arrows kept.
        :class:`Conditional`: a plan that says a state, or probabilities, for the states of other
        nodes; arrows come from these instead.

    Examples
    --------
    >>> from margin.datasets import load_kidney_stones
    >>> network = load_kidney_stones().network
    >>> set_to_a = intervened(network, {"treatment": "A"})
    >>> round(float(set_to_a.query("recovered")["recovered"]["yes"]), 6)
    0.832546
    >>> coin = intervened(network, {"treatment": {"A": 0.5, "B": 0.5}})
    >>> round(float(coin.query("recovered", {"treatment": "B"})["recovered"]["yes"]), 6)
    0.778875
    """
    model = network._discrete("intervened")
    arrows: list[tuple[Any, Any]] = []
    cpds: dict[Any, Any] = {}
    for node, above in model.parents.items():
        table = np.asarray(model.table(node))
        if node in do:
            table, above = _new_law(network, node, do[node], table.shape, tuple(above))
        arrows += [(p, node) for p in above]
        cpds[node] = table
    for node in do:
        if node not in cpds:
            raise check.fail("intervened", "do", f"of the nodes {tuple(cpds)}", node)
    return BayesianNetwork.from_edges(arrows, cpds, dict(network.states))


def _states(network: BayesianNetwork, owner: str, parameter: str, node: Name) -> tuple[Any, ...]:
    if node not in network.states:
        raise check.fail(owner, parameter, f"of the nodes {tuple(network.states)}", node)
    return tuple(network.states[node])


def _new_law(
    network: BayesianNetwork, node: Name, given: Any, shape: tuple[int, ...], above: Names
) -> tuple[Floats, Names]:
    """Table of a node after an intervention, and its parents."""
    states = tuple(network.states[node])
    if isinstance(given, Hard):
        given = given.value
    if isinstance(given, Stochastic):
        given = given.law
    if isinstance(given, Conditional):
        return _planned(network, node, given), given.given
    if isinstance(given, Mapping) or np.ndim(given) < 2:
        return _vector(node, states, given), ()
    law = np.asarray(given, dtype=np.float64)
    if law.shape != shape:
        raise _bad(node, f"of shape {(len(states),)} or {shape}", law.shape)
    return _probabilities(node, law), above


def _planned(network: BayesianNetwork, node: Name, plan: Conditional) -> Floats:
    """What a plan says for every combination of the states that it looks at."""
    held = [_states(network, "intervened", "given", name) for name in plan.given]
    states = tuple(network.states[node])
    table = np.empty((*map(len, held), len(states)))
    for place in np.ndindex(*table.shape[:-1]):
        seen = [values[at] for values, at in zip(held, place, strict=True)]
        table[place] = _vector(node, states, plan.rule(*seen))
    return table


def _vector(node: Name, states: Names, given: Any) -> Floats:
    """Probabilities of the states: of one that is set, of a mapping, or of a vector."""
    if isinstance(given, Mapping):
        unknown = set(given) - set(states)
        if unknown:
            raise _bad(node, f"about the states {list(states)}", sorted(map(str, unknown)))
        given = [given.get(state, 0.0) for state in states]
    if np.ndim(given) == 0:
        if given not in states:
            raise _bad(node, f"one of {list(states)}", given)
        return np.asarray(np.eye(len(states))[states.index(given)])
    law = np.asarray(given, dtype=np.float64)
    if law.shape != (len(states),):
        raise _bad(node, f"of shape {(len(states),)}", law.shape)
    return _probabilities(node, law)


def _probabilities(node: Name, law: Floats) -> Floats:
    if not (law >= 0).all() or not np.allclose(law.sum(axis=-1), 1.0):
        raise _bad(node, "probabilities of sum 1", law.tolist())
    return law


def _bad(node: Name, requirement: str, value: Any) -> ValueError:
    return check.fail("intervened", f"do[{node!r}]", requirement, value)


def has_causal_effect(model: Any, treatment: Name, outcome: Name, *, tol: float = 1e-9) -> bool:
    """Whether setting one variable moves another (causal.07).

    In a graph: whether a directed path leads there, so that some law on it has an effect. In a
    network: whether the law of the outcome differs between two settings.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("z", "x"), ("z", "y")])
    >>> has_causal_effect(graph, "x", "y"), has_causal_effect(graph, "z", "y")
    (False, True)
    """
    if not hasattr(model, "query"):
        graph = causal_graph("has_causal_effect", model)
        graph.members([treatment, outcome])
        return treatment != outcome and outcome in set(graph.descendants([treatment]))
    for parameter, name in (("treatment", treatment), ("outcome", outcome)):
        _states(model, "has_causal_effect", parameter, name)
    laws = [
        np.asarray(model.query(outcome, do={treatment: state}).values)
        for state in model.states[treatment]
    ]
    return bool(np.abs(np.array(laws) - laws[0]).max() > tol)


def network_effects(
    network: BayesianNetwork,
    treatment: Name,
    outcome: Name,
    *,
    levels: tuple[Any, Any],
    success: Any,
    mediators: Any = (),
    natural: bool = True,
) -> dict[str, Any]:
    r"""Total, controlled direct and natural effects in a discrete network (causal.08).

    The total effect is :math:`P(y \mid do(x_1)) - P(y \mid do(x_0))`; the controlled direct
    effects hold the mediators at each of their states; the natural direct effect lets them be as
    they would be under :math:`x_0`, and the natural indirect effect moves them alone:

    .. math:: \mathrm{NDE} = P\bigl(y_{x_1, M_{x_0}}\bigr) - P\bigl(y_{x_0}\bigr), \qquad
        \mathrm{NIE} = P\bigl(y_{x_0, M_{x_1}}\bigr) - P\bigl(y_{x_0}\bigr)

    Every child of the treatment listens to one of the two levels: to that of the mediators if it is
    one or leads to one, else to the other. Common causes of mediators and outcome are summed over.
    A child that leads to both, and is no mediator itself, would have to listen to both levels at
    once: natural effects then depend on more than the network knows, and are refused.

    Parameters
    ----------
    network : BayesianNetwork
    treatment, outcome : nodes
    levels : pair
        States :math:`(x_0, x_1)` to compare.
    success : state
        Of the outcome.
    mediators : node or list of nodes
    natural : bool, default=True
        Whether to compute natural effects.

    Returns
    -------
    dict
        ``total``, and with mediators ``controlled`` (by state), ``natural_direct``,
        ``natural_indirect``.

    References
    ----------
    C. Avin, I. Shpitser and J. Pearl, "Identifiability of path-specific effects", IJCAI 2005.

    Examples
    --------
    >>> from margin.datasets import load_berkeley
    >>> found = network_effects(load_berkeley().network, "sex", "admitted",
    ...                         levels=("male", "female"), success="yes", mediators="department")
    >>> round(found["total"], 4), round(found["natural_direct"], 4)
    (-0.1567, 0.0733)
    """
    owner = "network_effects"
    held = list(mediators) if isinstance(mediators, list | tuple) else [mediators]
    states = _states(network, owner, "outcome", outcome)
    if success not in states:
        raise check.fail(owner, "success", f"one of {states}", success)
    for level in levels:
        if level not in _states(network, owner, "treatment", treatment):
            raise check.fail(owner, "levels", f"of {network.states[treatment]}", level)
    if len({treatment, outcome, *held}) < 2 + len(held):
        raise check.fail(owner, "mediators", "apart from treatment and outcome", mediators)
    at = states.index(success)

    def chance(model: BayesianNetwork, do: Mapping[Name, Any]) -> float:
        return float(np.asarray(model.query(outcome, do=do).values)[at])

    x0, x1 = levels
    before = chance(network, {treatment: x0})
    effects: dict[str, Any] = {"total": chance(network, {treatment: x1}) - before}
    if not held:
        return effects
    effects["controlled"] = {}
    for setting in product(*(_states(network, owner, "mediators", m) for m in held)):
        do = dict(zip(held, setting, strict=True))
        low, high = (chance(network, {treatment: x, **do}) for x in levels)
        effects["controlled"][setting[0] if len(held) == 1 else setting] = high - low
    if natural:
        for name, direct, through in (("direct", x1, x0), ("indirect", x0, x1)):
            mixed = two_levels(network, treatment, outcome, held, direct, through)
            effects[f"natural_{name}"] = chance(mixed, {}) - before
    return effects


def is_true_causal_graph(graph: CausalGraph, model: Any, *, tol: float = 1e-9) -> bool:
    """Whether a graph predicts every intervention on a small discrete model (causal.09).

    For every set of nodes and every way of setting them, the law that the graph derives from the
    observations is held against that of the model, by enumeration. More arrows than needed do no
    harm; a missing or turned one is found.

    Parameters
    ----------
    graph : CausalGraph
        Without hidden causes.
    model : BayesianNetwork

    Examples
    --------
    >>> from margin.datasets import load_kidney_stones
    >>> stones = load_kidney_stones()
    >>> is_true_causal_graph(CausalGraph.from_edges(stones.edges), stones.network)
    True
    >>> turned = [(b, a) if a == "size" and b == "treatment" else (a, b) for a, b in stones.edges]
    >>> is_true_causal_graph(CausalGraph.from_edges(turned), stones.network)
    False
    """
    graph = causal_graph("is_true_causal_graph", graph)
    names = list(model.states)
    if graph.bidirected or set(graph.nodes) != set(names):
        need = f"over {names} without hidden causes"
        raise check.fail("is_true_causal_graph", "graph", need, graph.nodes)
    joint = model.query(names)
    table = np.asarray(joint.values).transpose([joint.variables.index(n) for n in names])
    if table.size > 4096:
        raise check.fail("is_true_causal_graph", "model", "of at most 4096 states", table.size)
    factors = [_factor(table, names, n, graph.parents(n)) for n in names]
    sizes = table.shape
    for setting in product(*(range(-1, size) for size in sizes)):
        do = {n: model.states[n][s] for n, s in zip(names, setting, strict=True) if s >= 0}
        if not do:
            continue
        predicted = np.ones(sizes)
        for j, s in enumerate(setting):
            predicted = predicted * (factors[j] if s < 0 else _point(j, s, sizes))
        free = [n for n in names if n not in do]
        if not free:
            continue
        away = tuple(j for j, s in enumerate(setting) if s >= 0)
        told = model.query(free, do=do)
        truth = np.asarray(told.values).transpose([told.variables.index(n) for n in free])
        if np.abs(predicted.sum(axis=away) - truth).max() > tol:
            return False
    return True


def _factor(table: Floats, names: list[Name], node: Name, above: tuple[Name, ...]) -> Floats:
    at = names.index(node)
    away = tuple(j for j, n in enumerate(names) if n != node and n not in above)
    part = table.sum(axis=away, keepdims=True)
    total = part.sum(axis=at, keepdims=True)
    even = 1.0 / table.shape[at]
    return np.asarray(np.where(total > 0, part / np.where(total > 0, total, 1.0), even))


def _point(axis: int, state: int, sizes: tuple[int, ...]) -> Floats:
    shape = [1] * len(sizes)
    shape[axis] = sizes[axis]
    return np.asarray(np.eye(sizes[axis])[state].reshape(shape))
