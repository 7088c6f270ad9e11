"""Random labelled graphs for the tests of this folder."""

import networkx as nx
import numpy as np


def draw_graphs(rng, n, directed=False, labels="CNO"):
    graphs = []
    for _ in range(n):
        size = int(rng.integers(1, 8))
        kind = nx.DiGraph if directed else nx.Graph
        graph = nx.from_numpy_array(np.triu(rng.random((size, size)) < 0.4, 1), create_using=kind)
        for node in graph:
            graph.nodes[node]["label"] = str(rng.choice(list(labels)))
        graphs.append(graph)
    return graphs
