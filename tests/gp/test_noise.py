"""Noise and function told apart."""

import numpy as np
import pytest

from margin.gp._noise import holds_white, noise_variance, split
from margin.kernels import RBF, Linear, White

X = np.array([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize(
    ("kernel", "wanted"),
    [
        (RBF(1.0), [0, 0, 0]),
        (RBF(1.0) + White(0.5), [0.5] * 3),
        (RBF(1.0) + 2.0 * White(0.5) + White(0.25), [1.25] * 3),
        (3.0 * (RBF(1.0) + White(0.5)), [1.5] * 3),
        ((RBF(1.0) + White(0.5)).fix("k2.noise_level"), [0.5] * 3),
        (Linear() * White(0.5) + RBF(1.0), [0.5, 2.0, 4.5]),
    ],
)
def test_noise_variance(kernel, wanted):
    np.testing.assert_allclose(noise_variance(kernel, X), wanted)
    assert holds_white(kernel) == any(wanted)


def test_split_keeps_track_of_the_hyper_parameters():
    kernel = (2.0 * White(0.5) + 3.0 * RBF((1.0, 2.0))).fix("k2.length_scale[0]")
    parts = split(kernel)
    assert parts.latent == 3.0 * RBF((1.0, 2.0))
    assert parts.level == 1.0
    # Full order: factor and level of the noise, factor and two scales of the function.
    np.testing.assert_array_equal(
        parts.gradient(np.array([10.0, 20.0, 30.0]), 7.0), [7.0, 7.0, 10.0, 30.0]
    )


@pytest.mark.parametrize("kernel", [White(1.0), 3.0 * (RBF(1.0) + White(0.5))])
def test_what_cannot_be_split_is_refused(kernel):
    with pytest.raises(ValueError, match="kernel must be a sum of kernels without White"):
        split(kernel)
