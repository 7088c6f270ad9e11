import numpy as np
import pytest

from margin.native.structure.possible_d_sep import possible_d_sep


def twin(joined, heads):
    """The same by sets of edges."""
    p = len(joined)
    within = np.zeros_like(joined)
    for x in range(p):
        waiting = [(x, b) for b in np.flatnonzero(joined[x])]
        entered = set(waiting)
        while waiting:
            a, b = waiting.pop()
            for c in np.flatnonzero(joined[b]):
                collider = heads[b, a] and heads[b, c]
                if c != a and (collider or joined[a, c]) and (b, c) not in entered:
                    entered.add((b, c))
                    waiting.append((b, c))
        within[x, [b for _, b in entered if b != x]] = 1
    return within


@pytest.mark.parametrize("p", [0, 1, 2, 7, 30, 63, 64, 65, 100])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_parity(p, share):
    rng = np.random.default_rng([p, int(10 * share)])
    joined = np.triu(rng.random((p, p)) < 3.0 / max(p, 1), 1).astype(np.uint8)
    joined |= joined.T
    heads = joined * (rng.random((p, p)) < share).astype(np.uint8)
    np.testing.assert_array_equal(possible_d_sep(joined, heads), twin(joined, heads))


def test_wrong_shapes_are_refused():
    square, wide = np.zeros((2, 2), dtype=np.uint8), np.zeros((2, 3), dtype=np.uint8)
    with pytest.raises(ValueError, match="possible_d_sep: matrices of different shape"):
        possible_d_sep(square, wide)
