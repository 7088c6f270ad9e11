"""Choosing the number of lags."""

import numpy as np
import pytest

from margin.core import Sequences
from margin.sequence.autoregressive._order import CRITERIA, choose_order


@pytest.mark.parametrize("criterion", CRITERIA)
def test_finds_the_order(criterion):
    rng = np.random.default_rng(0)
    v = np.zeros(3000)
    for t in range(3, 3000):
        v[t] = 0.5 * v[t - 1] - 0.4 * v[t - 3] + rng.normal()
    order, values = choose_order(Sequences([v]), 6, criterion, True, 1.0)
    assert order == 3 if criterion != "aic" else order >= 3
    assert len(values) == 6
