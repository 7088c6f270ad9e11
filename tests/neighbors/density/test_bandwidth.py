"""Bandwidths by rule and by leaving rows out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.neighbors.density._bandwidth import by_leaving_out, by_rule
from margin.neighbors.density._kernel_sums import KernelSums, Tolerance
from margin.neighbors.search._metric import Metric


def test_rules():
    assert_allclose(by_rule("scott", 100, 2), 100 ** (-1 / 6))
    assert_allclose(by_rule("silverman", 100, 1), (100 * 3 / 4) ** (-1 / 5))


@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov"])
def test_the_best_width_is_better_than_all_on_a_finer_grid(kernel):
    X = np.random.default_rng(0).normal(size=(300, 1))
    sums = KernelSums(X, np.ones(300), Metric("euclidean"), True, 16, 1)
    width, tried, values = by_leaving_out(sums, kernel)
    assert len(tried) == len(values) == 25

    def value(h):
        return sums.left_out(kernel, h, Tolerance()).mean()

    finer = [value(h) for h in np.geomspace(tried[0], tried[-1], 101)]
    assert value(width) >= max(finer) - 2e-3


def test_units_do_not_matter():
    X = np.random.default_rng(0).normal(size=(200, 2))
    widths = [
        by_leaving_out(
            KernelSums(s * X, np.ones(200), Metric("euclidean"), True, 16, 1), "gaussian"
        )[0]
        for s in (1.0, 1e-3)
    ]
    assert_allclose(widths[1], 1e-3 * widths[0], rtol=1e-2)


def test_equal_points_have_some_width():
    sums = KernelSums(np.ones((5, 1)), np.ones(5), Metric("euclidean"), True, 16, 1)
    assert by_leaving_out(sums, "gaussian")[0] > 0
