r"""
d-separation: which paths are open?
===================================

Two variables of a Bayesian network are independent, given what has been observed, when every path
between them is blocked (graphs.10). Three things can happen where two arrows of a path meet:

- in a **chain** :math:`a \to b \to c` and a **fork** :math:`a \leftarrow b \to c` information flows
  until the middle is observed;
- in a **collider** :math:`a \to b \leftarrow c` nothing flows until the middle, or anything
  downstream of it, is observed. Then the causes explain each other away.

Below, one network and three sets of observations. The question is always the same: does the
burglary tell us anything about the radio report?
"""

import matplotlib.pyplot as plt

from margin.graphs import (
    DAG,
    d_separated,
    explain_separation,
    independences,
    layout,
    markov_blanket,
    moral_graph,
)

dag = DAG.from_edges(
    [
        ("burglary", "alarm"),
        ("quake", "alarm"),
        ("quake", "radio"),
        ("alarm", "call"),
    ]
)
questions = [(), ("call",), ("call", "quake")]

for given in questions:
    print(explain_separation(dag, "burglary", "radio", given))
    print()

# %%
# In the pictures an observed node is dark, the two nodes of the question are yellow, an open path
# is red and a blocked one grey. The call, a descendant of the collider, opens the path; the
# earthquake, a fork, closes it again.

places = layout(dag)
figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
for ax, given in zip(axes, questions, strict=True):
    answer = explain_separation(dag, "burglary", "radio", given)
    colours = dict.fromkeys(given, "#8fa3bf") | {"burglary": "#ffd166", "radio": "#ffd166"}
    edges = {}
    for path in answer.paths:
        for a, b in zip(path.nodes, path.nodes[1:], strict=False):
            edges[a, b] = "#d62828" if path.open else "#c3cad6"
    dag.draw(ax, positions=places, colours=colours, edge_colours=edges, node_size=46, font_size=8)
    verdict = "independent" if answer else "dependent"
    ax.set_title(f"given {' and '.join(given) or 'nothing'}: {verdict}")
    ax.margins(0.28)
plt.show()

# %%
# Bouncing a ball (graphs.12) and the moral graph of the ancestors (graphs.11) give the same answer
# without listing paths, of which there may be exponentially many.

for given in questions:
    answers = {
        method: d_separated(dag, "burglary", "radio", given, method=method)
        for method in ("bayes-ball", "moral", "paths")
    }
    print(given, answers)

# %%
# All that the graph says, as a list (graphs.15), and what shields the alarm from the rest of the
# world (graphs.07). Moralising joins the two causes of the alarm and so forgets that they are
# independent (graphs.09).

for statement in independences(dag, pairs=True):
    print(statement)
print("Markov blanket of the alarm:", markov_blanket(dag, "alarm"))

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
blanket = dict.fromkeys(markov_blanket(dag, "alarm"), "#bde0c3") | {"alarm": "#2a9d5c"}
dag.draw(left, positions=places, colours=blanket, node_size=46, font_size=8)
left.set_title("Markov blanket of the alarm")
moral = moral_graph(dag)
married = {edge: "#d62828" for edge in moral.edges if set(edge) == {"burglary", "quake"}}
moral.draw(right, positions=places, edge_colours=married, node_size=46, font_size=8)
right.set_title("moral graph: parents married")
for ax in (left, right):
    ax.margins(0.28)
plt.show()
