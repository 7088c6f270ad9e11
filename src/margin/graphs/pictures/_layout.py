"""Where to put the nodes of a picture."""

from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from margin.core.types import Floats, Places
from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import topological_order
from margin.graphs.pictures._drawable import Drawable, drawable, has_arrows

Positions = dict[Node, tuple[float, float]]
LAYOUTS = ("layered", "circular", "spring")


def layout(graph: Any, kind: str | None = None) -> Positions:
    """Coordinates of every node.

    Parameters
    ----------
    graph : Graph
        What to place.
    kind : {"layered", "circular", "spring"}, optional
        Layers from top to bottom along the arrows; a circle; or springs along the edges. By default
        layers where there are arrows, springs where there are none.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> layout(DAG.from_edges([("a", "b")]))
    {'a': (0.0, 0.0), 'b': (0.0, -1.0)}
    """
    graph = drawable("layout", graph)
    if kind is None:
        kind = "layered" if has_arrows(graph) else "spring"
    if kind not in LAYOUTS:
        choices = ", ".join(map(repr, LAYOUTS))
        raise ValueError(f"layout: kind must be one of {choices}, got {kind!r}")
    n = len(graph.nodes)
    if kind == "circular":
        angle = np.pi / 2 - 2 * np.pi * np.arange(n) / max(n, 1)
        places = np.column_stack([np.cos(angle), np.sin(angle)])
    elif kind == "spring":
        places = _spring(graph)
    else:
        places = _layered(graph)
    return {node: (float(x), float(y)) for node, (x, y) in zip(graph.nodes, places, strict=True)}


def _spring(graph: Drawable) -> Floats:
    """Stress majorisation: distances on the page like distances in the graph."""
    n = len(graph.nodes)
    D = np.full((n, n), np.inf)
    np.fill_diagonal(D, 0.0)
    for a, b, _ in graph.links():
        D[graph.index(a), graph.index(b)] = D[graph.index(b), graph.index(a)] = 1.0
    for k in range(n):
        np.minimum(D, D[:, k, None] + D[None, k], out=D)
    far = D[np.isfinite(D)].max(initial=0.0) + 1.5
    D[~np.isfinite(D)] = far  # separate parts stand beside each other
    if n < 2:
        return np.zeros((n, 2))
    places = _projected(D)
    weight = 1.0 / np.where(D > 0, D, np.inf) ** 2
    laplacian = np.diag(weight.sum(1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(100):
        gap = places[:, None] - places[None]
        length = np.sqrt((gap**2).sum(-1))
        pull = np.divide(weight * D, length, out=np.zeros_like(D), where=length > 1e-12)
        places = inverse @ (pull.sum(1)[:, None] * places - pull @ places)
    return np.asarray(places - places.mean(0))


def _projected(D: Floats) -> Floats:
    """Classical scaling, which unfolds the graph; a small circle parts nodes that coincide."""
    n = len(D)
    centred = D**2 - (D**2).mean(0)
    value, vector = np.linalg.eigh(-0.5 * (centred - centred.mean(1, keepdims=True)))
    places = vector[:, -2:] * np.sqrt(np.maximum(value[-2:], 0.0))
    angle = 2 * np.pi * np.arange(n) / n
    return np.asarray(places + 0.1 * np.column_stack([np.cos(angle), np.sin(angle)]))


def _layered(graph: Drawable) -> Floats:
    """Longest-path layers, each sorted by the mean place of what it is joined to."""
    n = len(graph.nodes)
    parents = [0] * n
    for wanted in ("directed", "circle-arrow"):
        for a, b, kind in graph.links():
            tail, head = graph.index(a), graph.index(b)
            # Graphs that are learnt may have cycles; the arrow that closes one points upwards.
            if kind == wanted and not _sets.closure(1 << tail, parents) >> head & 1:
                parents[head] |= 1 << tail
    order = topological_order(parents)
    place = {node: at for at, node in enumerate(order)}
    for a, b, kind in graph.links():
        # Others are drawn downwards too, along the order of the arrows.
        if kind in ("undirected", "circle-circle", "circle-tail"):
            top, bottom = sorted((graph.index(a), graph.index(b)), key=place.__getitem__)
            parents[bottom] |= 1 << top
    layer = np.zeros(n, dtype=np.intp)
    for node in order:
        above = [layer[i] + 1 for i in range(n) if parents[node] >> i & 1]
        layer[node] = max(above, default=0)
    A = np.zeros((n, n))
    for a, b, _ in graph.links():
        A[graph.index(a), graph.index(b)] = A[graph.index(b), graph.index(a)] = 1.0
    x = np.zeros(n)
    rows = [np.flatnonzero(layer == level) for level in range(int(layer.max(initial=-1)) + 1)]
    for row in rows:
        x[row] = np.arange(len(row)) - (len(row) - 1) / 2
    for sweep in range(24):
        for level, row in reversed(list(enumerate(rows))) if sweep % 2 else enumerate(rows):
            beside = layer < level if sweep % 2 == 0 else layer > level
            wish = _means(A[row][:, beside], x[beside], x[row])
            sorted_row = row[np.argsort(wish, kind="stable")]
            rows[level] = sorted_row
            x[sorted_row] = np.arange(len(row)) - (len(row) - 1) / 2
    for _ in range(12):
        for row in rows:
            x[row] = _spread(_means(A[row], x, x[row]))
    return np.column_stack(
        [_staggered(x - (x.max(initial=0.0) + x.min(initial=0.0)) / 2, layer, A), 0.0 - layer]
    )


def _spread(wish: Floats) -> Floats:
    """Nearest places, in this order, that are at least one apart."""
    steps = np.arange(len(wish), dtype=np.float64)
    return np.asarray(isotonic_regression(wish - steps).x + steps)


def _means(weights: Floats, values: Floats, otherwise: Floats) -> Floats:
    total = weights.sum(1)
    return np.where(total > 0, weights @ values / np.maximum(total, 1.0), otherwise)


def _staggered(x: Floats, layer: Places, A: Floats) -> Floats:
    """Move a node aside where an edge that skips its layer would run through it."""
    moved = x.copy()
    for i, j in np.argwhere(np.triu(A, 1)):
        top, bottom = (i, j) if layer[i] < layer[j] else (j, i)
        for between in np.flatnonzero((layer > layer[top]) & (layer < layer[bottom])):
            part = (layer[between] - layer[top]) / (layer[bottom] - layer[top])
            crossing = moved[top] + part * (moved[bottom] - moved[top])
            if abs(crossing - moved[between]) < 0.3:
                moved[between] = crossing + (0.45 if moved[between] >= crossing else -0.45)
    return moved
