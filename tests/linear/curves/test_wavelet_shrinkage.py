import sys

import numpy as np
import pytest
import pywt

from margin.linear import WaveletShrinkage


def test_haar_step_of_the_curriculum():
    """linear.20: the Haar transform of (4, 6) has the average 7.0710678."""
    coarse, detail = pywt.dwt([4.0, 6.0], "haar")
    assert coarse[0] == pytest.approx(7.0710678)
    model = WaveletShrinkage(wavelet="haar", threshold=10.0, levels=1).fit([0, 1], [4.0, 6.0])
    np.testing.assert_allclose(model.values_, [5.0, 5.0])
    assert abs(detail[0]) == pytest.approx(np.sqrt(2))


@pytest.mark.parametrize("wavelet", ["haar", "sym8"])
@pytest.mark.parametrize("n", [64, 100])
def test_no_threshold_gives_the_signal_back(wavelet, n):
    """linear.20: transform and inverse."""
    y = np.random.default_rng(0).standard_normal(n)
    model = WaveletShrinkage(wavelet=wavelet, threshold=0.0).fit(np.arange(n), y)
    np.testing.assert_allclose(model.values_, y, atol=1e-10)


def test_soft_shrinkage_is_the_lasso_in_an_orthonormal_basis():
    """linear.20: for Haar on 2^k points, each detail moves towards zero by the threshold."""
    y = np.random.default_rng(1).standard_normal(64)
    model = WaveletShrinkage(wavelet="haar", threshold=0.7).fit(np.arange(64), y)
    before = np.concatenate(pywt.wavedec(y, "haar")[1:])
    after = np.concatenate(pywt.wavedec(model.values_, "haar")[1:])
    expected = np.sign(before) * np.maximum(np.abs(before) - 0.7, 0)
    np.testing.assert_allclose(after, expected, atol=1e-10)


@pytest.mark.parametrize("mode", ["soft", "hard"])
def test_denoises_a_jump(mode):
    rng = np.random.default_rng(2)
    x = np.linspace(0, 1, 512)
    truth = np.where(x > 0.4, 2.0, -1.0)
    y = truth + 0.3 * rng.standard_normal(512)
    model = WaveletShrinkage(wavelet="haar", mode=mode).fit(x, y)
    assert model.noise_ == pytest.approx(0.3, rel=0.15)
    assert np.mean((model.predict(x) - truth) ** 2) < 0.5 * 0.3**2


def test_refusals():
    with pytest.raises(ValueError, match="X must be evenly spaced"):
        WaveletShrinkage().fit([0.0, 1.0, 5.0], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="wavelet must be a discrete wavelet of PyWavelets"):
        WaveletShrinkage(wavelet="mexh").fit([0.0, 1.0], [0.0, 1.0])
    with pytest.raises(ValueError, match="mode must be one of 'soft', 'hard', got 'firm'"):
        WaveletShrinkage(mode="firm").fit([0.0, 1.0], [0.0, 1.0])


def test_missing_pywavelets_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pywt", None)
    with pytest.raises(ImportError, match=r"pip install 'margin\[wavelet\]'"):
        WaveletShrinkage().fit([0.0, 1.0], [0.0, 1.0])
