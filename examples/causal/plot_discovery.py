r"""
GES and GIES: a graph from data, against the truth
==================================================

Observations determine a graph up to Markov equivalence; every experiment opens some of the edges
that are left (causal.13). :class:`~margin.causal.GES` finds the class from observations,
:class:`~margin.causal.GIES` the smaller one from observations and experiments. How far they are off
is counted in edges, and in effects that would be concluded wrongly.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from margin.causal import (
    GES,
    GIES,
    LinearSEM,
    Stochastic,
    intervention_distance_bounds,
    structural_hamming_distance,
)
from margin.graphs import DAG, layout

effects = {
    ("soil", "crop"): 0.9, ("rain", "crop"): 0.7, ("rain", "river"): 1.0, ("river", "fish"): 0.8,
    ("crop", "price"): -0.9, ("price", "trade"): 0.8, ("fish", "trade"): 0.6,
}  # fmt: skip
model = LinearSEM.from_coefficients(effects)
truth = DAG.from_edges(effects)
rng = np.random.default_rng(0)


def rows(n, target=None):
    """Observations, or an experiment that draws a target at random."""
    law = Stochastic(lambda size, source: 2 * source.standard_normal(size))
    acts = None if target is None else {target: law}
    return pd.DataFrame(model.sample(n, do=acts, random_state=rng))[list(truth.nodes)]


# %%
# Two experiments, on the river and on the crop, tell the arrows at these two. Undirected edges are
# open. The bounds are over all graphs of the class.

seen = rows(1000)
tables = [seen, rows(300, "river"), rows(300, "crop")]
targets = [()] * 1000 + [("river",)] * 300 + [("crop",)] * 300
learnt = {
    "truth": truth,
    "1 000 observations: GES": GES().fit(seen).graph_,
    "and two experiments: GIES": GIES().fit(pd.concat(tables), targets=targets).graph_,
}
fig, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
places = layout(truth)
for ax, (title, graph) in zip(axes, learnt.items(), strict=True):
    graph.draw(ax, positions=places)
    edges = structural_hamming_distance(truth, graph)
    wrong = intervention_distance_bounds(truth, graph)
    shown = f"{wrong.lower}" if wrong.lower == wrong.upper else f"{wrong.lower} to {wrong.upper}"
    ax.set_title(f"{title}\n{edges} edges off, {shown} of 42 effects wrong", fontsize=11)

# %%
# With more rows the edges come first, then what they say about effects. What observations leave
# open stays open, however many there are.

sizes = [30, 60, 125, 250, 500, 1000, 2000]
measured = []
for n in sizes:
    repeated = []
    for _ in range(20):
        graph = GES().fit(rows(n)).graph_
        bounds = intervention_distance_bounds(truth, graph)
        off = structural_hamming_distance(truth, graph)
        repeated.append((off, bounds.lower, bounds.upper))
    measured.append(np.mean(repeated, axis=0))
off, lower, upper = np.transpose(measured)

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.plot(sizes, off, "o-", color="#2d3748", label="edges off")
ax.fill_between(sizes, lower, upper, color="#c05621", alpha=0.3, label="effects wrong, bounds")
ax.set(xscale="log", xlabel="rows", ylabel="mean of 20 samples", ylim=(0, None))
ax.set_xticks(sizes, [f"{n:,}".replace(",", " ") for n in sizes])
ax.minorticks_off()
ax.legend(frameon=False)
