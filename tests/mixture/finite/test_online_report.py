"""The report of a batch."""

from margin.core import Status
from margin.inference import OnlineState
from margin.mixture.finite._online_report import online_solution


def test_a_batch_is_a_step():
    told = online_solution(OnlineState(None, None, 4), -1.5, ("mended",))
    assert (told.n_iter, told.objective, told.repairs) == (4, 1.5, ("mended",))
    assert told.status is Status.CONVERGED
