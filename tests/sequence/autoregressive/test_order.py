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


def series(T):
    rng = np.random.default_rng(0)
    v = np.zeros(T)
    for t in range(3, T):
        v[t] = 0.5 * v[t - 1] - 0.4 * v[t - 3] + rng.normal()
    return v


def test_finds_the_order_in_spite_of_gaps():
    v = series(1500)
    v[np.random.default_rng(1).random(1500) < 0.1] = np.nan
    assert choose_order(Sequences([v[:, None]]), 5, "bic", True, 1.0)[0] == 3


def test_a_gap_at_the_end_changes_no_difference():
    """Nothing is known there, so that criteria differ as those of the whole series."""
    v = series(120)
    plain = choose_order(Sequences([v[:, None]]), 4, "aic", True, 1.0)[1]
    longer = choose_order(Sequences([np.append(v, np.nan)[:, None]]), 4, "aic", True, 1.0)[1]
    for order in (2, 3, 4):
        gap = longer[order] - longer[1]
        assert gap == pytest.approx(plain[order] - plain[1], abs=1e-3)
