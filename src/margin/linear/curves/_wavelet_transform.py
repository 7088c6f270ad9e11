"""The discrete wavelet transform of a signal, its inverse, and shrinkage between them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin import penalties
from margin.core import check
from margin.core.types import Floats

_MAD_TO_SD = 1 / 0.6744897501960817


@dataclass(frozen=True, eq=False)
class WaveletTransform:
    r"""Coefficients of a signal in a wavelet basis (linear.20).

    Made by :func:`wavelet_transform`. One level splits a signal into averages and details, each
    of half its length; the next level splits the averages.

    Parameters
    ----------
    coarse : ndarray
        Averages of the last level.
    details : tuple of ndarray
        Details, from the coarsest level to the finest.
    wavelet : str
        Name of the wavelet.
    length : int
        Length of the signal.
    """

    coarse: Floats
    details: tuple[Floats, ...]
    wavelet: str
    length: int

    def inverse(self) -> Floats:
        """The signal with these coefficients."""
        parts = [self.coarse, *self.details]
        signal = pywavelets().waverec(parts, self.wavelet, mode="symmetric")
        return np.asarray(signal[: self.length], dtype=np.float64)

    def shrunk(self, threshold: float, mode: str = "soft") -> WaveletTransform:
        r"""Details moved towards zero by the threshold (soft), or dropped up to it (hard).

        Parameters
        ----------
        threshold : float
            :math:`t`, at least 0.
        mode : {"soft", "hard"}, default="soft"
            :math:`\operatorname{sign}(d)\max(|d| - t, 0)`, the lasso in an orthonormal basis, or
            :math:`d` where :math:`|d| > t`.
        """
        if mode == "soft":
            move = penalties.L1(threshold).prox
            return replace(self, details=tuple(move(d, 1.0) for d in self.details))
        kept = tuple(np.where(np.abs(d) > threshold, d, 0.0) for d in self.details)
        return replace(self, details=kept)

    @property
    def noise(self) -> float:
        """Standard deviation of the noise, from the median of the finest details."""
        finest = self.details[-1] if self.details else np.zeros(1)
        return float(np.median(np.abs(finest)) * _MAD_TO_SD)

    @property
    def n_kept(self) -> int:
        """Details that are not zero."""
        return int(sum(np.count_nonzero(d) for d in self.details))


def wavelet_transform(
    signal: Any, wavelet: str = "sym8", levels: int | None = None
) -> WaveletTransform:
    """Discrete wavelet transform of an evenly sampled signal (linear.20).

    Parameters
    ----------
    signal : array-like of shape (n,)
    wavelet : str, default="sym8"
        Name of a discrete wavelet of PyWavelets, ``"haar"`` or ``"sym8"`` for example.
    levels : int, optional
        How often the averages are split; as often as makes sense when absent.

    Returns
    -------
    WaveletTransform

    Notes
    -----
    Linear time. Signals whose length is not a power of two are continued by their mirror image.
    Needs PyWavelets: ``pip install "margin[wavelet]"``.

    Examples
    --------
    >>> parts = wavelet_transform([4.0, 6.0], "haar")
    >>> parts.coarse.round(7), parts.details[0].round(7)
    (array([7.0710678]), array([-1.4142136]))
    >>> parts.inverse()
    array([4., 6.])
    """
    pywt = pywavelets()
    if wavelet not in pywt.wavelist(kind="discrete"):
        raise check.fail(
            "wavelet_transform", "wavelet", "a discrete wavelet of PyWavelets", wavelet
        )
    try:
        values = np.asarray(signal, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail("wavelet_transform", "signal", "numbers", signal) from error
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        need = "finite numbers in one dimension"
        raise check.fail("wavelet_transform", "signal", need, f"shape {values.shape}")
    most = max(1, pywt.dwt_max_level(len(values), wavelet)) if len(values) > 1 else 0
    depth = most if levels is None else levels
    with warnings.catch_warnings():
        if levels is None:  # one level at least, also where all of it feels the borders
            warnings.filterwarnings("ignore", "Level value of 1 is too high", UserWarning)
        coarse, *details = pywt.wavedec(values, wavelet, level=depth, mode="symmetric")
    return WaveletTransform(coarse, tuple(details), wavelet, len(values))


def pywavelets() -> Any:
    """The library of wavelets, or an error that says how to get it."""
    try:
        import pywt
    except ImportError as error:
        raise ImportError(
            "WaveletShrinkage needs PyWavelets: pip install 'margin[wavelet]'"
        ) from error
    return pywt
