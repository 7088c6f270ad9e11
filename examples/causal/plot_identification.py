r"""
Back door, front door, and no door: identify
============================================

:func:`~margin.causal.identify` turns a graph and a question into a formula over what can be
observed (causal.17, causal.23, causal.25), or shows why there is none.
"""

import matplotlib.pyplot as plt

from margin.causal import CausalGraph, identify

graphs = {
    "a confounder that is measured": CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")]),
    "a hidden one, but a mediator": CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")]),
    "a hidden one, and nothing else": CausalGraph.from_edges([("x", "y")], [("x", "y")]),
}

# %%
# Dashed arcs with two heads stand for causes that nobody measured. The formula is below each graph;
# the last has none, because a model in which the arc does all the work and one in which the arrow
# does would give the same observations.

fig, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for ax, (title, graph) in zip(axes, graphs.items(), strict=True):
    graph.draw(ax)
    estimand = identify(graph, "x", "y")
    asked = r"P(y \mid do(x))"
    known = f"${asked} = {estimand.formula('latex')}$" if estimand.identifiable else ""
    ax.set_title(title)
    ax.text(
        0.5, -0.08, known or f"${asked}$ has no formula",
        ha="center", va="top", transform=ax.transAxes, fontsize=11,
    )  # fmt: skip
    print(estimand.explain())
