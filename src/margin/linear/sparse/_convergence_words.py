"""Why a descent ended early, in words that users of scikit-learn look for."""

from dataclasses import replace

from margin.core import Solution, Status

_WORDS = "Objective did not converge. You might want to increase the number of iterations."


def in_known_words(solution: Solution) -> Solution:
    """Put scikit-learn's sentence before the message of a search that used up its iterations.

    Examples
    --------
    >>> import numpy as np
    >>> cut = Solution(np.zeros(1), Status.MAX_ITER, 1, 0.0, message="stopped after max_iter=1")
    >>> in_known_words(cut).message[:26], in_known_words(cut).message[-24:]
    ('Objective did not converge', 'stopped after max_iter=1')
    """
    if solution.status is not Status.MAX_ITER:
        return solution
    return replace(solution, message=f"{_WORDS} It {solution.message}")
