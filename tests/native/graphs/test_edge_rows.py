import numpy as np
import pytest

from margin.native.graphs.edge_rows import edge_rows


def twin(index, edges):
    """The same by matrices."""
    n = len(index)
    numbers = [(index[a], index[b]) for a, b in edges]
    A = np.zeros((n, n), dtype=bool)
    for i, j in numbers:
        A[i, j] = True
    ahead, behind = (tuple(sum(1 << int(j) for j in np.flatnonzero(row)) for row in M)
                     for M in (A, A.T))  # fmt: skip
    order, left = [], np.ones(n, dtype=bool)
    while (ready := left & ~A[left].any(axis=0)).any():
        order += np.flatnonzero(ready).tolist()
        left &= ~ready
    rising = all(i < j for i, j in numbers) and numbers == sorted(set(numbers))
    return ahead, behind, tuple(order), len(set(numbers)) == len(numbers), rising


@pytest.mark.parametrize("n", [2, 3, 12, 63, 64, 65, 130, 200])
@pytest.mark.parametrize("acyclic", [True, False])
def test_rows_are_those_of_the_twin(n, acyclic):
    rng = np.random.default_rng([n, acyclic])
    for density in (0.0, 1.0 / n, 0.3):
        names = [f"v{i}" for i in range(n)]
        index = {name: i for i, name in enumerate(names)}
        i, j = np.nonzero(rng.random((n, n)) < density)
        if acyclic:
            rank = rng.permutation(n)
            i, j = i[rank[i] < rank[j]], j[rank[i] < rank[j]]
        pairs = [(names[a], names[b]) for a, b in zip(i, j, strict=True) if a != b]
        assert tuple(edge_rows(index, tuple(pairs))) == twin(index, pairs)
        pairs = [pairs[k] for k in rng.permutation(len(pairs))]
        assert tuple(edge_rows(index, tuple(pairs))) == twin(index, pairs)
        again = pairs + pairs[:1]
        assert tuple(edge_rows(index, tuple(again))) == twin(index, again)


def test_sorted_edges_to_higher_numbers_rise():
    index = {name: i for i, name in enumerate("abc")}
    for edges, rising in (("ab ac bc", True), ("ac ab", False), ("ba", False), ("ab ab", False)):
        assert edge_rows(index, tuple(map(tuple, edges.split()))).rising == rising
    assert tuple(edge_rows({}, ())) == ((), (), (), True, True)


@pytest.mark.parametrize(
    "edge",
    [("a",), ("a", "b", "a"), ("a", "q"), ("a", "a"), ("a", ["b"]), ["a", "b"], "ab", None, 3],
)
def test_what_is_no_pair_of_two_nodes_has_no_rows(edge):
    index = {"a": 0, "b": 1}
    assert edge_rows(index, (("a", "b"), edge)) is None
    assert edge_rows(index, (edge, ("a", "b"))) is None


def test_an_order_stops_before_a_cycle():
    index = {i: i for i in range(5)}
    assert edge_rows(index, ((0, 1), (1, 2), (2, 1), (2, 3))).order == (0, 4)
