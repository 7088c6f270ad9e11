"""A treatment that mediators see at one level and the rest at another."""

from typing import Any

import numpy as np

from margin.core import check
from margin.graphical import BayesianNetwork

Name = Any


def two_levels(
    network: BayesianNetwork,
    treatment: Name,
    outcome: Name,
    mediators: list[Name],
    direct: Any,
    through: Any,
) -> BayesianNetwork:
    """The network of the nested counterfactual of a natural effect (causal.08).

    Children of the treatment that are mediators, or lead to one, take it to be ``through``, the
    others ``direct``.

    Examples
    --------
    >>> from margin.datasets import load_berkeley
    >>> mixed = two_levels(load_berkeley().network, "sex", "admitted", ["department"], "female",
    ...                    "male")
    >>> round(float(mixed.query("admitted")["admitted"]["yes"]), 4)
    0.5335
    """
    owner = "network_effects"
    model = network._discrete(owner)
    graph = model.graph
    upstream = {*mediators, *graph.ancestors(mediators)}
    if outcome in upstream:
        raise check.fail(owner, "mediators", "no effects of the outcome", mediators)
    past = graph.subgraph([node for node in graph.nodes if node not in set(mediators)])
    for child in graph.children(treatment):
        if child in past and child in upstream and child in {outcome, *past.ancestors(outcome)}:
            need = (
                "such that nothing between treatment and mediators reaches the outcome past them: "
                "natural effects are not identifiable (add it to the mediators, or leave them out "
                "by natural=False)"
            )
            raise check.fail(owner, "mediators", need, child)
    code = {level: network.states[treatment].index(level) for level in (direct, through)}
    cpds, arrows = {}, []
    for node, above in model.parents.items():
        table = np.asarray(model.table(node))
        if treatment in above:
            level = through if node in upstream else direct
            table = np.take(table, code[level], axis=above.index(treatment))
            above = tuple(name for name in above if name != treatment)
        arrows += [(name, node) for name in above]
        cpds[node] = table
    return BayesianNetwork.from_edges(arrows, cpds, dict(network.states))
