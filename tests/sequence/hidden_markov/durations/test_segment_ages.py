import numpy as np

from margin.sequence.hidden_markov.durations._segment_ages import AgedChain

RNG = np.random.default_rng(0)


def chain(k=3, most=4):
    matrix = RNG.random((k, k)) * (1 - np.eye(k))
    return AgedChain(
        RNG.dirichlet(np.ones(k)),
        matrix / matrix.sum(axis=1, keepdims=True),
        RNG.dirichlet(np.ones(most), k),
    )


def test_steps_keep_the_mass():
    """sequence.23: a segment of any age goes on or ends."""
    aged = chain()
    belief = aged.first
    for _ in range(10):
        belief = aged.moved(belief)
        np.testing.assert_allclose(belief.sum(), 1.0)
    assert aged.expected(aged.first, 3).shape == (3, 3)
    np.testing.assert_allclose(aged.expected(aged.first, 1)[0], aged.start)


def test_durations_come_back():
    """sequence.23: from the start of a segment, the time to its end has the given law."""
    aged = AgedChain(np.array([1.0, 0.0]), np.array([[0.0, 1.0], [1.0, 0.0]]), chain(2).duration)
    belief, left = aged.first, []
    for _ in range(4):
        belief = aged.moved(belief)
        left.append(belief[1, 0])
        belief[1] = 0.0
    np.testing.assert_allclose(left, aged.duration[0])


def test_a_state_alone_lasts():
    alone = AgedChain(np.ones(1), np.zeros((1, 1)), np.array([[0.5, 0.5]]))
    np.testing.assert_allclose(alone.expected(alone.first, 5), 1.0)


def test_impossible_rows_leave_nothing():
    states, ahead = chain().filtered(np.array([[0.0, 0, 0], [-np.inf] * 3]), np.array([0, 2]))
    assert states[0].sum() > 0.99
    assert not states[1].any()
    assert len(ahead) == 1
