"""Log probabilities of sequences under chains of any order."""

import numpy as np

from margin.sequence.markov._contexts import coded
from margin.sequence.markov._probabilities import log_probabilities


def test_gaps_are_summed_over():
    tables = (np.array([[0.6, 0.4]]), np.array([[0.7, 0.3], [0.2, 0.8]]))
    data = coded("chain", [[0, np.nan, 1], [np.nan]], None, 2)
    found = log_probabilities(data, tables)
    truth = 0.6 * (0.7 * 0.3 + 0.3 * 0.8)
    np.testing.assert_allclose(np.exp(found), [truth, 1.0])


def test_a_gap_of_a_long_memory_is_a_sum_of_two_sequences():
    rng = np.random.default_rng(0)
    tables = tuple(rng.dirichlet(np.ones(2), 2**m) for m in range(4))
    whole = coded("chain", [[0, 1, 1, 0, 1, 0, 0], [0, 1, 1, 1, 1, 0, 0]], None, 2)
    gap = coded("chain", [[0, 1, 1, np.nan, 1, 0, 0]], None, 2)
    np.testing.assert_allclose(
        np.exp(log_probabilities(gap, tables)), np.exp(log_probabilities(whole, tables)).sum()
    )
