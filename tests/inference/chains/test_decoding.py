import numpy as np
import pytest

from margin.inference import chain_decode, chain_k_best, chain_smooth, chain_viterbi

A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
START, TABLE = np.array([0.6, 0.4]), np.log(B[:, [0, 0, 1]].T)


def test_golden_path():
    """sequence.13: the best path of the worked example and its probability."""
    path, value = chain_viterbi(TABLE, [0, 3], START, A)
    assert path.tolist() == [0, 0, 1]
    assert np.exp(value[0]) == pytest.approx(0.081648)


def test_backward_sweep_finds_the_same():
    """sequence.13: min-sum from the end, then forward along the decisions."""
    rng = np.random.default_rng(0)
    start, matrix = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4), 4)
    table = rng.normal(size=(30, 4))
    mu = np.zeros((30, 4))
    for t in range(28, -1, -1):
        mu[t] = (np.log(matrix) + table[t + 1] + mu[t + 1]).max(axis=1)
    path = [int((np.log(start) + table[0] + mu[0]).argmax())]
    for t in range(1, 30):
        path.append(int((np.log(matrix[path[-1]]) + table[t] + mu[t]).argmax()))
    assert chain_viterbi(table, [0, 30], start, matrix)[0].tolist() == path


def test_products_underflow_where_sums_do_not():
    """sequence.13: max-product is zero after some thousand steps."""
    table = np.tile(TABLE, (2000, 1))
    best = START * np.exp(table[0])
    for row in table[1:]:
        best = (best[:, None] * A).max(axis=0) * np.exp(row)
    assert not best.any()
    assert np.isfinite(chain_viterbi(table, [0, 6000], START, A)[1]).all()


def test_the_best_states_need_not_be_a_path():
    """sequence.13: each state the best by itself, and a forbidden transition between them."""
    start = np.array([0.4, 0.3, 0.3])
    matrix = np.array([[0.0, 0.5, 0.5], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    table = np.log([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    states = chain_decode(chain_smooth(table, [0, 2], start, matrix).posterior)
    path, value = chain_viterbi(table, [0, 2], start, matrix)
    joint = start[:, None] * matrix
    assert joint[states[0], states[1]] < joint.max() == pytest.approx(np.exp(value[0]))
    assert joint[path[0], path[1]] == joint.max()


def test_k_best_stops_where_paths_end():
    paths, values = chain_k_best(np.zeros((2, 2)), [1.0, 0.0], np.eye(2), 5)
    assert paths.tolist() == [[0, 0]]
    assert values.tolist() == [0.0]
    empty, value = chain_k_best(np.zeros((0, 2)), [1.0, 0.0], np.eye(2), 5)
    assert empty.shape == (1, 0)
    assert value.tolist() == [0.0]


@pytest.mark.parametrize("k", [0, -1, 2.5, True, None])
def test_k_best_asks_for_a_number_of_paths(k):
    with pytest.raises(ValueError, match="chain_k_best: k must be an integer of at least 1, got"):
        chain_k_best(TABLE, START, A, k)


def test_states_that_are_no_table():
    with pytest.raises(ValueError, match="chain_decode: posterior must be probabilities of shape"):
        chain_decode([[np.nan, 1.0]])
    with pytest.raises(ValueError, match="chain_decode: posterior must be probabilities of shape"):
        chain_decode([0.5, 0.5])
