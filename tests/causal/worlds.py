"""Random causal worlds, solved by enumeration."""

from itertools import product

import numpy as np

from margin.causal import CausalGraph


def random_graph(n, rng, arrows=0.35, hidden=0.25):
    """A causal graph over letters, in a random order of causes."""
    names = [chr(97 + i) for i in rng.permutation(n)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    directed = [pair for pair in pairs if rng.random() < arrows]
    bidirected = [pair for pair in pairs if rng.random() < hidden]
    return CausalGraph(sorted(names), directed, bidirected)


class World:
    """Binary variables, every one with a random law given its causes, hidden ones included."""

    def __init__(self, graph, rng):
        self.graph, full = graph, graph.with_hidden()
        self.hidden = [node for node in full.nodes if node not in graph]
        self.order = full.topological_order()
        self.parents = {node: full.parents(node) for node in full.nodes}
        self.laws = {
            node: rng.uniform(0.1, 0.9, size=(2,) * len(self.parents[node])) for node in full.nodes
        }

    def joint(self, do=None):
        """Table of the seen variables in the order of the graph, some of them set."""
        do = do or {}
        seen = self.graph.nodes
        names = [*seen, *self.hidden]
        place = {name: i for i, name in enumerate(names)}
        table = np.ones((2,) * len(names))
        for node in names:
            shape = [1] * len(names)
            if node in do:
                values = np.array([0.0, 0.0])
                values[do[node]] = 1.0
                shape[place[node]] = 2
                table = table * values.reshape(shape)
                continue
            axes = [place[parent] for parent in self.parents[node]]
            one = self.laws[node]
            law = np.stack([1 - one, one], axis=-1)
            where = [*axes, place[node]]
            order = np.argsort(where)
            for axis in where:
                shape[axis] = 2
            table = table * law.transpose(order).reshape(shape)
        return table.sum(axis=tuple(range(len(seen), len(names))))

    def effect(self, treatment, outcome, given=()):
        """Array over treatments, conditions and outcomes by setting the treatments."""
        values = []
        for setting in product(range(2), repeat=len(treatment)):
            table = self.joint(dict(zip(treatment, setting, strict=True)))
            keep = [self.graph.nodes.index(n) for n in (*given, *outcome)]
            away = tuple(i for i in range(table.ndim) if i not in keep)
            part = table.sum(axis=away).transpose([sorted(keep).index(k) for k in keep])
            total = part.sum(axis=tuple(range(len(given), part.ndim)), keepdims=True)
            values.append(part / total)
        shape = (2,) * (len(treatment) + len(given) + len(outcome))
        return np.array(values).reshape(shape)


def study(n, rng, effect=2.0, p=3, strength=1.0):
    """A confounded study of known effect, as a mapping of columns."""
    X = rng.standard_normal((n, p))
    t = (rng.random(n) < 1 / (1 + np.exp(-strength * X[:, 0]))).astype(int)
    y = X[:, 0] + 0.5 * X[:, 1] + effect * t + rng.standard_normal(n)
    return {**{f"x{j}": X[:, j] for j in range(p)}, "t": t, "y": y}


COVARIATES = ["x0", "x1", "x2"]


def question(graph, rng, conditional=False, most=2):
    """Treatments, outcomes and conditions that are not asked against the arrows."""
    while True:
        names = [str(name) for name in rng.permutation(list(graph.nodes))]
        n_x, n_y = rng.integers(1, most + 1, 2)
        x, y = names[:n_x], names[n_x : n_x + n_y]
        w = names[n_x + n_y : n_x + n_y + rng.integers(1, 3)] if conditional else []
        asked = {*y, *w}
        if set(graph.descendants(x)) & asked or not set(graph.ancestors(x)) & asked:
            return tuple(x), tuple(y), tuple(w)
