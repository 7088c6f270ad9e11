r"""
Structure learning: which arrows do the data support?
=====================================================

A graph learned from data is an estimate like any other: ask how sure it is. Here a network of seven
variables makes 500 rows; three methods look for it.

- **By score** (graphical.37): add, remove and reverse arcs as long as the BIC rises.
- **By tests** (graphical.34): remove edges between columns that are independent given others. What
  the data cannot direct stays undirected.
- **By averaging** (graphical.38): not one graph, but the posterior probability of every arc.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.graphical import PC, BayesianNetwork, HillClimb, OrderMCMC, TableCPD
from margin.graphs import cpdag, layout

edges = [
    ("smoker", "bronchitis"),
    ("smoker", "cancer"),
    ("travel", "flu"),
    ("bronchitis", "cough"),
    ("flu", "cough"),
    ("cancer", "x-ray"),
]
rates = {
    "smoker": [0.4],
    "travel": [0.3],
    "bronchitis": [0.2, 0.6],
    "cancer": [0.05, 0.3],
    "flu": [0.1, 0.5],
    "cough": [0.1, 0.75, 0.7, 0.95],
    "x-ray": [0.05, 0.9],
}
tables = {
    name: TableCPD(np.column_stack([1 - np.array(p), p]) if len(p) > 1 else [1 - p[0], p[0]])
    for name, p in rates.items()
}
states = {name: ["no", "yes"] for name in rates}
truth = BayesianNetwork(edges, tables, states=states)
frame = truth.sample(500, random_state=0)[list(rates)]
print(frame.head())

# %%
# The search by score ends at one directed graph; graphs of one Markov equivalence class have the
# same BIC, so its arrows mean no more than those of the class.

climbed = HillClimb(score="bic", n_restarts=5, random_state=0).fit(frame)
print(climbed.fit_report_)
print("class of the truth: ", cpdag(truth.graph).directed)
print("class of the answer:", cpdag(climbed.graph_).directed)

# %%
# The tests give the class directly, and with every edge the largest p-value any condition could
# give it: the larger, the weaker the edge.

tested = PC(test="g", alpha=0.01).fit(frame)
for pair, p_value in sorted(tested.edge_p_values_.items(), key=lambda item: item[1]):
    print(f"{pair[0]:>10} - {pair[1]:<10} largest p-value {p_value:.2g}")

# %%
# Averaging over orders of the columns: every order contributes the exact probabilities of its arcs.

averaged = OrderMCMC(score="bdeu", n_samples=2000, random_state=0).fit(frame)
names = list(frame.columns)
joined = averaged.edge_probability_ + averaged.edge_probability_.T
print(f"largest disagreement of the chains: {averaged.spread_:.3f}")

places = layout(truth.graph)
figure, axes = plt.subplots(2, 2, figsize=(11, 8.6), layout="constrained")
titles = ["truth", "hill climbing", "PC at level 0.01"]
graphs = [truth.graph, climbed.graph_, tested.graph_]
real = {frozenset(edge) for edge in edges}
for ax, title, graph in zip(axes.flat, titles, graphs, strict=False):
    colours = {e: "#33415c" if frozenset(e) in real else "#d62828" for e in graph.edges}
    graph.draw(ax, positions=places, edge_colours=colours, node_size=54, font_size=8)
    ax.set_title(title)
    ax.margins(0.2)

image = axes[1, 1].imshow(averaged.edge_probability_, cmap="Blues", vmin=0, vmax=1)
axes[1, 1].set_xticks(range(7), names, rotation=40, ha="right")
axes[1, 1].set_yticks(range(7), names)
for i in range(7):
    for j in range(7):
        p = averaged.edge_probability_[i, j]
        if p >= 0.05:
            axes[1, 1].text(j, i, f"{p:.2f}", ha="center", va="center", fontsize=8,
                            color="white" if p > 0.5 else "black")  # fmt: skip
        if truth.graph.adjacency(names)[i, j]:
            axes[1, 1].add_patch(
                plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, ec="#d62828", lw=1.5)
            )
axes[1, 1].set(title="probability of an arc, row to column", xlabel="to", ylabel="from")
figure.colorbar(image, ax=axes[1, 1], shrink=0.8)
plt.show()

# %%
# Red frames are the true arcs. Both directions of an arc that the data cannot direct share its
# probability; together they are near one where there is an edge. The average also admits a doubt
# that the single graphs hide: whether smokers travel is, from these rows, an open question.

for a, b in [*edges, ("smoker", "travel"), ("travel", "cough")]:
    print(f"{a} - {b}: {joined[names.index(a), names.index(b)]:.2f}")
