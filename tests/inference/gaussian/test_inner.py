"""The answer of an inner search."""

import numpy as np
import pytest

from margin.core import Certificate, FitError, Solution, Status
from margin.inference.gaussian._inner import settled


def solution(status, value, **options):
    proof = Certificate("residual", value, 1e-10)
    return Solution(np.ones(2), status, 3, 0.0, certificate=proof, **options)


@pytest.mark.parametrize("value", [0.0, 1e-6])
def test_an_answer_that_serves(value):
    np.testing.assert_array_equal(settled(solution(Status.MAX_ITER, value), "no"), 1.0)


def test_an_answer_that_does_not():
    with pytest.raises(FitError, match=r"^no 0\.1$"):
        settled(solution(Status.STALLED, 0.1), "no")
    with pytest.raises(FitError, match=r"^broken$"):
        settled(solution(Status.FAILED, 0.0, message="broken"), "no")
    with pytest.raises(KeyboardInterrupt):
        settled(solution(Status.MAX_ITER, 0.0, interrupted=True), "no")
