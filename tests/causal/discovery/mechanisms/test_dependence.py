"""A column against a block."""

import numpy as np
import pytest

from margin.causal.discovery.mechanisms._dependence import (
    Dependence,
    HilbertBlock,
    JointHSIC,
    measure,
)
from margin.search import HSIC, hsic_gamma


@pytest.mark.parametrize("n", [30, 150])
def test_the_same_law_as_the_test_of_pairs(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, 2))
    B = rng.normal(size=(n, 1)) + A[:, :1] ** 2
    ours, theirs = HilbertBlock.of(A).against(HilbertBlock.of(B)), hsic_gamma(A, B)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.mean == pytest.approx(theirs.mean)
    assert ours.variance == pytest.approx(theirs.variance)


def test_level_under_independence():
    rng = np.random.default_rng(1)
    p_values = [
        JointHSIC()(rng.normal(size=80), rng.normal(size=(80, 3))).p_value for _ in range(300)
    ]
    assert 0.02 <= np.mean(np.array(p_values) < 0.05) <= 0.09


def test_another_block_is_another_test():
    rng = np.random.default_rng(2)
    x, test = rng.normal(size=100), JointHSIC()
    assert test(x**2, x[:, None]).p_value < 0.01
    assert test(x**2, rng.normal(size=(100, 1))).p_value > 0.01
    assert test(x**2, x[:, None]).p_value < 0.01


def test_pairs_and_ranks():
    rng = np.random.default_rng(3)
    block = rng.normal(size=(100, 3))
    assert measure("RESIT", HSIC)(block[:, 1] ** 2, block).p_value < 0.01
    outcomes = [Dependence(0.0, 9.0), Dependence(0.4, 1.0), Dependence(0.0, 5.0)]
    assert [o.surprise for o in sorted(outcomes, key=lambda o: o.rank)] == [1.0, 5.0, 9.0]
