"""Matrices of kernels of strings and graphs, against counting n-grams and GraKeL."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

DEPTH = 5


@dataclass(frozen=True)
class Strings:
    """Strings, and the length of the substrings to count."""

    words: list[str]
    k: int


def strings(n: int, length: int, k: int, letters: str) -> Strings:
    """Random letters with a motif of ten planted in half of the strings."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, len(letters), (n, length))
    motif = rng.integers(0, len(letters), 10)
    for row in codes[::2]:
        at = int(rng.integers(0, length - 10))
        row[at : at + 10] = motif
    alphabet = np.array(list(letters))
    return Strings(["".join(alphabet[row]) for row in codes], k)


def _spectrum(data: Strings) -> np.ndarray:
    from margin.kernels import Spectrum

    return Spectrum(data.k)(data.words)


def _vectoriser(data: Strings) -> np.ndarray:
    from sklearn.feature_extraction.text import CountVectorizer

    made = CountVectorizer(
        analyzer="char", ngram_range=(data.k, data.k), lowercase=False, dtype=np.float64
    )
    counts = made.fit_transform(data.words)
    return np.asarray((counts @ counts.T).toarray())


def _wrong_strings(data: Strings, K: Any) -> float:
    from collections import Counter

    some = [Counter(w[i : i + data.k] for i in range(len(w) - data.k + 1)) for w in data.words[:40]]
    wanted = [[sum(a[u] * b[u] for u in a) for b in some] for a in some]
    return float(np.abs(K[:40, :40] - wanted).max())


@dataclass(frozen=True)
class Molecules:
    """Labelled graphs in the forms that each library likes."""

    graphs: list[Any]
    pairs: list[Any]


def molecules(n: int) -> Molecules:
    """Sparse graphs of 15 to 45 nodes with seven labels of uneven frequency."""
    import networkx as nx

    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(n):
        size = int(rng.integers(15, 46))
        graph = nx.gnm_random_graph(size, int(1.1 * size) + 3, seed=int(rng.integers(1 << 30)))
        labels = rng.choice(7, size, p=[0.6, 0.15, 0.1, 0.05, 0.05, 0.03, 0.02])
        nx.set_node_attributes(graph, dict(enumerate(labels.tolist())), "label")
        graphs.append(graph)
    # GraKeL wants both directions of an edge; isolated nodes live in the labels alone.
    pairs = [
        [
            {(u, v): 1.0 for a, b in graph.edges for u, v in ((a, b), (b, a))},
            dict(graph.nodes(data="label")),
        ]
        for graph in graphs
    ]
    return Molecules(graphs, pairs)


def _refined(data: Molecules) -> np.ndarray:
    from margin.kernels import WeisfeilerLehman

    return WeisfeilerLehman(DEPTH)(data.graphs)


def _refined_grakel(data: Molecules) -> np.ndarray:
    from grakel import VertexHistogram, WeisfeilerLehman

    made = WeisfeilerLehman(n_iter=DEPTH, base_graph_kernel=VertexHistogram)
    return np.asarray(made.fit_transform(data.pairs))


def _paths(data: Molecules) -> np.ndarray:
    from margin.kernels import ShortestPath

    return ShortestPath()(data.graphs)


def _paths_grakel(data: Molecules) -> np.ndarray:
    from grakel import ShortestPath

    return np.asarray(ShortestPath().fit_transform(data.pairs))


def _size(n: int, length: int, k: int, letters: str, required: bool = False) -> Size:
    label = f"{n} strings of {length}, {len(letters)} letters, k = {k}"
    parameters = {"n": n, "length": length, "k": k, "letters": letters}
    return Size(label, parameters, n * length, required)


def _difference(ours: Any) -> Any:
    return lambda data, K: float(np.abs(K - ours(data)).max())


def _graphs(*counts: int, required: int) -> tuple[Size, ...]:
    return tuple(Size(f"{n} graphs", {"n": n}, n, n == required) for n in counts)


DNA, PROTEIN = "ACGT", "ACDEFGHIKLMNPQRSTVWY"
GRAKEL_NOTE = "handed dictionaries made beforehand; ours reads the networkx graphs"
CASES = (
    Case(
        name="spectrum-kernel",
        description="Scalar products of the counts of all substrings of k letters.",
        make_data=strings,
        sizes=(
            _size(500, 300, 3, PROTEIN),
            _size(2_000, 300, 3, PROTEIN, required=True),
            _size(2_000, 500, 4, DNA, required=True),
            _size(2_000, 500, 6, DNA),
            _size(2_000, 500, 10, DNA),
        ),
        contestants=(
            Contestant("margin", _spectrum, ("margin.kernels:Spectrum",), ours=True),
            Contestant(
                "scikit-learn CountVectorizer",
                _vectoriser,
                ("sklearn.feature_extraction.text:CountVectorizer",),
            ),
        ),
        target=Target(_wrong_strings, "largest error of an entry", 0.0),
        required_ratio=10.0,
        warm_up={"n": 50, "length": 30, "k": 2, "letters": DNA},
        max_rounds=20,
    ),
    Case(
        name="weisfeiler-lehman-kernel",
        description=f"Counts of labels in {DEPTH} rounds of refinement of labelled graphs.",
        make_data=molecules,
        sizes=_graphs(250, 1000, required=1000),
        contestants=(
            Contestant("margin", _refined, ("margin.kernels:WeisfeilerLehman",), ours=True),
            Contestant("GraKeL", _refined_grakel, ("grakel:WeisfeilerLehman",), note=GRAKEL_NOTE),
        ),
        target=Target(_difference(_refined), "largest difference from ours", 1e-9),
        required_ratio=10.0,
        warm_up={"n": 10},
        max_rounds=20,
    ),
    Case(
        name="shortest-path-kernel",
        description="Counts of the labels and distances of all pairs of nodes of a graph.",
        make_data=molecules,
        sizes=_graphs(250, 1000, required=1000),
        contestants=(
            Contestant("margin", _paths, ("margin.kernels:ShortestPath",), ours=True),
            Contestant("GraKeL", _paths_grakel, ("grakel:ShortestPath",), note=GRAKEL_NOTE),
        ),
        target=Target(_difference(_paths), "largest difference from ours", 1e-9),
        required_ratio=10.0,
        warm_up={"n": 10},
        max_rounds=5,
    ),
)
