"""Kernels read as sums of Matérn processes."""

import numpy as np
import pytest

from margin.gp.solvers._matern_parts import is_matern, matern_parts, slopes
from margin.kernels import RBF, Linear, Matern, White

KERNEL = 3.0 * (2.0 * Matern(3.0, nu=0.5) + Matern((1.0,), nu=2.5)) + White(0.1) + 2.0 * White(0.3)


def test_parts():
    parts = matern_parts(KERNEL)
    assert parts.order.tolist() == [1, 3]
    np.testing.assert_allclose(parts.scales[0], [6.0, 3.0])
    np.testing.assert_allclose(parts.scales[1], [1 / 3, np.sqrt(5.0)])
    assert parts.level == pytest.approx(0.7)
    assert parts.variance == pytest.approx(9.0)


@pytest.mark.parametrize("fixed", [False, True])
def test_slopes_against_differences(fixed):
    kernel = KERNEL.fix(KERNEL.theta_names[0]) if fixed else KERNEL
    found = list(slopes(kernel))
    assert len(found) == len(kernel.theta)
    for j, (scales, level) in enumerate(found):
        step = np.zeros(len(kernel.theta))
        step[j] = 1e-6
        up = matern_parts(kernel.with_theta(kernel.theta + step))
        down = matern_parts(kernel.with_theta(kernel.theta - step))
        np.testing.assert_allclose(scales, (up.scales - down.scales) / 2e-6, atol=1e-7)
        assert level == pytest.approx((up.level - down.level) / 2e-6, abs=1e-7)


@pytest.mark.parametrize(
    "kernel",
    [RBF(1.0), Matern(1.0, nu=1.0), Matern((1.0, 2.0)), Matern(1.0) * Linear(), White(1.0)],
)
def test_other_kernels_are_refused(kernel):
    assert not is_matern(kernel)
    with pytest.raises(ValueError, match="a sum of Matern kernels"):
        matern_parts(kernel)
