"""Models of one graph that agree on all that is seen and differ in an effect."""

from itertools import product

import numpy as np


class Family:
    """All models of a graph with binary variables and fair hidden causes, in one or more places.

    A place is a population; in place p the mechanisms of ``differs`` are its own, the others are
    shared. A model is a vector of probabilities, one for each variable and state of its causes.
    """

    def __init__(self, graph, hidden_states=2, differs=()):
        full = graph.with_hidden()
        self.graph, self.seen = graph, graph.nodes
        hidden = [node for node in full.nodes if node not in graph]
        axes = [*self.seen, *hidden]
        shape = [2] * len(self.seen) + [hidden_states] * len(hidden)
        grid = dict(zip(axes, np.indices(shape).reshape(len(axes), -1), strict=True))
        self.states = {node: grid[node] for node in self.seen}
        self.row = np.ravel_multi_index(
            [grid[node] for node in self.seen], [2] * len(self.seen)
        )  # fmt: skip
        self.chance = 1.0 / hidden_states ** len(hidden)
        self.cause, self.sizes = {}, {}
        for node in self.seen:
            above = full.parents(node)
            lengths = [shape[axes.index(p)] for p in above]
            self.sizes[node] = int(np.prod(lengths))
            flat = np.zeros_like(self.row)
            for parent, length in zip(above, lengths, strict=True):
                flat = flat * length + grid[parent]
            self.cause[node] = flat
        self.places, start = [{}, {}], 0
        for place in (0, 1):
            for node in self.seen:
                if place and node not in differs:
                    self.places[1][node] = self.places[0][node]
                    continue
                self.places[place][node] = slice(start, start + self.sizes[node])
                start += self.sizes[node]
        self.length = start

    def law(self, model, do=None, place=0):
        """Law of the seen under an intervention, and its derivatives."""
        do, joint, parts = do or {}, np.full(len(self.row), self.chance), {}
        for node in self.seen:
            state = self.states[node]
            if node in do:
                joint = joint * (state == do[node])
                continue
            p = model[self.places[place][node]][self.cause[node]]
            parts[node] = np.where(state == 1, p, 1 - p)
            joint = joint * parts[node]
        n = 2 ** len(self.seen)
        slopes = np.zeros((n, self.length))
        for node, part in parts.items():
            weight = joint / part * (2 * self.states[node] - 1)
            where = self.row * self.sizes[node] + self.cause[node]
            found = np.bincount(where, weight, n * self.sizes[node])
            slopes[:, self.places[place][node]] = found.reshape(n, -1)
        return np.bincount(self.row, joint, n), slopes

    def laws(self, model, sources):
        """Laws of several sources, pairs of place and what was assigned, one below the other."""
        found = [
            self.law(model, dict(zip(nodes, setting, strict=True)), place)
            for place, nodes in sources
            for setting in product(range(2), repeat=len(nodes))
        ]
        return np.concatenate([f[0] for f in found]), np.vstack([f[1] for f in found])

    def table(self, model, nodes=(), place=0):
        """Joint table of an experiment that assigns nodes by fair coins."""
        values, _ = self.laws(model, [(place, tuple(nodes))])
        shape = (2,) * len(self.seen)
        return values.reshape(-1, *shape).mean(axis=0)

    def effect(self, model, x, y, given=()):
        """P(y | do(x), given) in place 0, axes x, given, y; and its derivatives."""
        values, slopes = [], []
        keep = [self.seen.index(n) for n in (*given, *y)]
        away = tuple(i for i in range(len(self.seen)) if i not in keep)
        order = [sorted(keep).index(k) for k in keep]
        ends = tuple(range(len(given), len(keep)))
        for setting in product(range(2), repeat=len(x)):
            law, slope = self.law(model, dict(zip(x, setting, strict=True)))
            law = law.reshape((2,) * len(self.seen)).sum(axis=away).transpose(order)
            slope = slope.reshape(*(2,) * len(self.seen), -1).sum(axis=away)
            slope = slope.transpose([*order, len(order)])
            total = law.sum(axis=ends, keepdims=True)
            turn = slope.sum(axis=ends, keepdims=True)
            values.append(law / total)
            slopes.append(slope / total[..., None] - (law / total**2)[..., None] * turn)
        shape = (2,) * (len(x) + len(keep))
        return np.array(values).reshape(shape), np.array(slopes).reshape(*shape, -1)


def two_models(family, sources, x, y, given, rng, step=0.1):
    """Two models that agree in all sources and differ in the effect; None if none is near by.

    From a random model along a direction that changes no source and most of the effect, and back
    onto the sources by Newton steps.
    """
    first = rng.uniform(0.2, 0.8, family.length)
    target, slopes = family.laws(first, sources)
    _, size, turned = np.linalg.svd(slopes)
    rank = int((size > 1e-9 * size[0]).sum())
    still = turned[rank:].T
    gain = family.effect(first, x, y, given)[1].reshape(-1, family.length) @ still
    if not gain.size or np.abs(gain).max() < 1e-7:
        return None
    along = still @ np.linalg.svd(gain)[2][0]
    second = first + step * along / np.abs(along).max()
    for _ in range(20):
        law, slopes = family.laws(second, sources)
        if np.abs(law - target).max() < 1e-14:
            break
        second = second - np.linalg.lstsq(slopes, law - target, rcond=1e-9)[0]
    return first, second


def proof(graph, hedge, sources, asked, rng, differs=()):
    """Laws and effects of two models as two pairs, or None where none were found.

    Hidden causes that the hedge does not need are tried without first, then with more states.
    """
    inside = set(hedge.larger)
    pairs = [pair for pair in graph.bidirected if set(pair) <= inside]
    core = type(graph)(graph.nodes, graph.directed, pairs)
    for tried, states in ((core, 2), (core, 3), (graph, 2), (core, 4), (graph, 3)):
        family = Family(tried, states, differs)
        models = two_models(family, sources, *asked, rng)
        if models is not None:
            laws = [family.laws(model, sources)[0] for model in models]
            return models, laws, [family.effect(model, *asked)[0] for model in models]
    return None


def assert_proved(found, name=""):
    """That two models are models, look alike, and differ."""
    assert found is not None, name
    models, laws, effects = found
    assert all((model > 0).all() and (model < 1).all() for model in models), name
    assert np.abs(laws[0] - laws[1]).max() < 1e-12, name
    assert np.abs(effects[0] - effects[1]).max() > 1e-7, name
