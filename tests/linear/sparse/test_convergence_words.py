"""Words of searches that ended early."""

import numpy as np
import pytest

from margin.core import Solution, Status
from margin.linear.sparse._convergence_words import in_known_words


@pytest.mark.parametrize("status", [Status.CONVERGED, Status.STALLED])
def test_only_used_up_iterations_ask_for_more(status):
    solution = Solution(np.zeros(2), status, 3, 1.0, message="as it was")
    assert in_known_words(solution) is solution


def test_both_sentences_stand_in_the_message():
    cut = Solution(np.zeros(2), Status.MAX_ITER, 3, 1.0, message="stopped after max_iter=3 sweeps")
    told = in_known_words(cut)
    assert told.message.startswith("Objective did not converge. You might want to increase")
    assert told.message.endswith("It stopped after max_iter=3 sweeps")
    assert told.n_iter == 3
