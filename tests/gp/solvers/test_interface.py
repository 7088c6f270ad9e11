"""The small interface between a model and its linear algebra."""

import numpy as np
import pytest

from margin.gp.solvers._interface import Observations, Posterior, Solver


def test_observations_count_rows():
    seen = Observations(np.zeros((3, 1)), np.zeros((3, 2)), np.zeros(3), np.zeros((3, 0)))
    assert seen.n == 3


def test_the_interface_is_abstract():
    with pytest.raises(TypeError):
        Solver()
    with pytest.raises(TypeError):
        Posterior()
