r"""
Junction tree: from a network to its cliques
============================================

Exact inference in a Bayesian network passes messages on a tree. If the network is no tree, its
nodes are grouped until it is one:

1. **moralise**: join all parents of a node, then drop the arrows (graphs.09);
2. **triangulate**: add edges until every cycle longer than three has a chord;
3. take the **maximal cliques** (graphs.05) and hang them into the tree whose neighbours share
   most, a spanning tree of largest weight (graphs.06).

The largest clique decides what inference costs: its table has a cell for every combination of
states.
"""

import matplotlib.pyplot as plt

from margin.graphs import (
    DAG,
    UndirectedGraph,
    junction_tree,
    layout,
    moral_graph,
    triangulate,
    triangulate_in_order,
)

clinic = DAG.from_edges(
    [
        ("travel", "tub."),
        ("smoker", "cancer"),
        ("smoker", "bronch."),
        ("tub.", "either"),
        ("cancer", "either"),
        ("either", "X-ray"),
        ("either", "short br."),
        ("bronch.", "short br."),
    ]
)
moral = moral_graph(clinic)
result = triangulate(moral)
tree = junction_tree(result.cliques)
print("order of elimination:", " ".join(result.order))
print("edges added:", result.fill)
print("tree-width at most:", result.width)
for clique in tree.cliques:
    print(clique)

# %%
# Parents that were married are joined in red, edges that triangulation adds in green.

arrows = {frozenset(edge) for edge in clinic.edges}
married = {edge: "#d62828" for edge in moral.edges if frozenset(edge) not in arrows}
filled = UndirectedGraph(moral.nodes, moral.edges + result.fill)
places = layout(clinic)
style = {"positions": places, "node_size": 44, "font_size": 8}

figure, axes = plt.subplots(2, 2, figsize=(11, 9), layout="constrained")
clinic.draw(axes[0, 0], **style)
axes[0, 0].set_title("network")
moral.draw(axes[0, 1], edge_colours=married, **style)
axes[0, 1].set_title("moral graph")
filled.draw(axes[1, 0], edge_colours=married | dict.fromkeys(result.fill, "#2a9d5c"), **style)
axes[1, 0].set_title("triangulated")
tree.draw(axes[1, 1], font_size=8, separator="\n")
axes[1, 1].set_title("junction tree")
plt.show()

# %%
# The order of elimination matters. On a grid the heuristics find what the exact search confirms to
# be best; an order that takes the inner cells first joins the rim around them.

side = 4
cells = [(i, j) for i in range(side) for j in range(side)]
grid = UndirectedGraph(
    cells,
    [(a, b) for a in cells for b in cells if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1],
)
for heuristic in ("min-degree", "min-fill", "exact"):
    found = triangulate(grid, heuristic=heuristic)
    print(f"{heuristic:11}  largest clique {found.width + 1}, {len(found.fill)} edges added")
inner_first = tuple(sorted(cells, key=lambda cell: (cell[0] - 1.5) ** 2 + (cell[1] - 1.5) ** 2))
found = triangulate_in_order(grid, inner_first)
print(f"{'inner first':11}  largest clique {found.width + 1}, {len(found.fill)} edges added")
