"""What mixtures share that are fitted step by step: the report of a batch."""

import numpy as np

from margin.core import Solution, Status
from margin.inference import OnlineState


def online_solution(state: OnlineState, bound: float, repairs: tuple[str, ...]) -> Solution:
    """The report of one batch: its bound, before the parameters moved.

    Examples
    --------
    >>> online_solution(OnlineState(None, None, 3), -2.0, ()).n_iter
    3
    """
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=state.n_steps,
        objective=-bound,
        solver="online expectation maximisation",
        repairs=repairs,
    )
