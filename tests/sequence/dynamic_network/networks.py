"""Networks with random tables, and every answer by enumeration of all slices."""

from itertools import product

import numpy as np

from margin.sequence.dynamic_network._slices import slices
from margin.sequence.dynamic_network._tables import Tables

# Names, states, edges within a slice, edges across: the last two cannot be a chain of one matrix.
STRUCTURES = {
    "hidden chain": ("hv", (2, 3), ["hv"], ["hh"]),
    "factorial": ("abv", (2, 2, 3), ["av", "bv"], ["aa", "bb"]),
    "coupled": ("abuv", (2, 2, 2, 2), ["au", "bv", "ab"], ["aa", "bb", "ab", "ba"]),
    "no time": ("ab", (2, 2), ["ab"], []),
    "reaches beyond": ("zwv", (2, 3, 2), ["wv"], ["zz", "zw"]),
    "through a neighbour": ("zyv", (2, 2, 2), ["yz", "zv"], ["zz", "vy"]),
}


def network(kind, seed=0):
    """Structure and random tables."""
    names, cards, edges, across = STRUCTURES[kind]
    rng = np.random.default_rng(seed)
    s = slices("Network", tuple(names), cards, map(tuple, edges), map(tuple, across))

    def drawn(shape):
        return rng.dirichlet(np.ones(shape[-1]), shape[:-1])

    later = tuple(drawn(shape) for shape in s.shapes(s.scopes))
    first = tuple(
        drawn(shape) if s.lagged[v] else later[v]
        for v, shape in enumerate(s.shapes(s.first_scopes))
    )
    return s, Tables(first, later)


def joint(s, tables, length):
    """Every assignment of all slices, (n, length, variables), and its probability."""
    states = list(product(*(range(c) for c in s.cards)))
    codes = np.array(list(product(states, repeat=length))).reshape(-1, length, s.n)
    p = np.ones(len(codes))
    for t in range(length):
        for v in range(s.n):
            above = [codes[:, t, u] for u in s.parents[v]]
            table = tables.first[v]
            if t:
                table = tables.later[v]
                above = [codes[:, t - 1, u] for u in s.lagged[v]] + above
            p *= table[(*above, codes[:, t, v])]
    return codes, p


def fits(codes, seen):
    """Which assignments agree with what is seen, -1 where nothing is."""
    return ((codes == seen) | (seen < 0)).all(axis=(1, 2))
