import numpy as np
import pytest

from margin.inference import chain_filter, chain_filter_last, chain_smooth, chain_smooth_pieces

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("size", [None, 1, 7, 100])
def test_pieces_are_the_whole(zeros, size):
    """sequence.08: with checkpoints, the same posterior, counts and likelihood."""
    A, start = RNG.dirichlet(np.ones(4), 4), RNG.dirichlet(np.ones(4))
    if zeros:
        A = np.triu(A) / np.triu(A).sum(axis=1, keepdims=True)
        start = np.array([1.0, 0.0, 0.0, 0.0])
    table = RNG.normal(size=(53, 4)) * 3
    truth = chain_smooth(table, [0, 53], start, A)
    found = np.zeros((53, 4))
    held = []

    def consume(piece):
        found[piece.first : piece.last] = piece.posterior
        held.append(piece.last - piece.first)
        return piece.posterior.sum(axis=0)

    swept = chain_smooth_pieces(lambda a, b: table[a:b], 53, start, A, consume, size=size)
    np.testing.assert_allclose(found, truth.posterior, atol=1e-12)
    np.testing.assert_allclose(swept.counts, truth.counts, atol=1e-10)
    np.testing.assert_allclose(swept.total, truth.posterior.sum(axis=0))
    assert swept.log_likelihood == pytest.approx(truth.log_likelihood[0])
    assert max(held) == min(size or 7, 53)


def test_impossible():
    table = np.zeros((9, 2))
    table[5] = -np.inf
    swept = chain_smooth_pieces(lambda a, b: table[a:b], 9, np.ones(2) / 2, np.eye(2), lambda p: 0)
    assert swept.log_likelihood == -np.inf
    assert swept.total is None


@pytest.mark.parametrize("size", [None, 1, 7, 100])
def test_the_last_state_needs_no_table(size):
    """sequence.07: filtered piece by piece, the same state and likelihood at the end."""
    A, start = RNG.dirichlet(np.ones(3), 3), RNG.dirichlet(np.ones(3))
    table = RNG.normal(size=(40, 3))
    state, value = chain_filter_last(lambda a, b: table[a:b], 40, start, A, size=size)
    filtered, values = chain_filter(table, [0, 40], start, A)
    np.testing.assert_allclose(state, filtered[-1])
    assert value == pytest.approx(values[0])
    table[20] = -np.inf
    assert chain_filter_last(lambda a, b: table[a:b], 40, start, A, size=size)[1] == -np.inf
    begun = chain_filter_last(lambda a, b: table[a:b], 0, start, A)
    np.testing.assert_array_equal(begun[0], start)
    assert begun[1] == 0.0
