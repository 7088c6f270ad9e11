"""The wavelet transform and its inverse (linear.20)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import WaveletTransform, wavelet_transform


@pytest.mark.parametrize("wavelet", ["haar", "sym8", "db4"])
@pytest.mark.parametrize("n", [1, 2, 7, 64, 101])
def test_inverse_gives_the_signal_back(wavelet, n):
    """linear.20: at any length and any depth."""
    signal = np.random.default_rng(n).normal(size=n)
    for levels in (None, 1):
        if levels and n < 64:
            continue
        parts = wavelet_transform(signal, wavelet, levels)
        assert isinstance(parts, WaveletTransform)
        assert_allclose(parts.inverse(), signal, atol=1e-10)


def test_haar_written_out():
    """linear.20: sums and differences over the root of two, level by level."""
    signal = np.array([4.0, 6.0, 10.0, 12.0])
    parts = wavelet_transform(signal, "haar", 2)
    assert_allclose(parts.coarse, [16.0])
    assert_allclose(parts.details[0], [-6.0])
    assert_allclose(parts.details[1], [-np.sqrt(2), -np.sqrt(2)])
    assert_allclose(wavelet_transform([4.0, 6.0], "haar").coarse, 7.0710678, atol=1e-7)


def test_haar_is_orthonormal():
    """linear.20: Parseval; inner products survive."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 64))
    flat = [np.concatenate([p.coarse, *p.details]) for p in map(_haar, (a, b))]
    assert_allclose(flat[0] @ flat[1], a @ b)
    assert_allclose(flat[0] @ flat[0], a @ a)


def _haar(signal):
    return wavelet_transform(signal, "haar", 6)


def test_shrinkage_moves_or_drops_details_only():
    """linear.20: soft and hard."""
    parts = wavelet_transform([0.0, 1.0, 5.0, 9.0, 2.0, 2.0, 0.0, 8.0], "haar")
    soft, hard = parts.shrunk(1.0), parts.shrunk(1.0, "hard")
    assert_allclose(soft.coarse, parts.coarse)
    for d, s, h in zip(parts.details, soft.details, hard.details, strict=True):
        assert_allclose(s, np.sign(d) * np.maximum(np.abs(d) - 1.0, 0.0))
        assert_allclose(h, np.where(np.abs(d) > 1.0, d, 0.0))
    assert soft.n_kept == hard.n_kept < parts.n_kept


def test_noise_is_the_median_of_the_finest_details():
    """linear.20: consistent for Gaussian noise on a smooth curve."""
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 1.0, 4096)
    parts = wavelet_transform(np.sin(6 * x) + 0.3 * rng.normal(size=4096))
    assert parts.noise == pytest.approx(0.3, rel=0.05)
    assert wavelet_transform([1.0]).noise == 0.0


@pytest.mark.parametrize(
    ("signal", "wavelet", "text"),
    [
        ([[1.0]], "haar", "signal must be finite numbers in one dimension"),
        ([np.nan], "haar", "signal must be finite"),
        (["a"], "haar", "signal must be numbers"),
        ([1.0], "gauss", "wavelet must be a discrete wavelet of PyWavelets, got 'gauss'"),
    ],
)
def test_refusals(signal, wavelet, text):
    with pytest.raises(ValueError, match=f"wavelet_transform: {text}"):
        wavelet_transform(signal, wavelet)
