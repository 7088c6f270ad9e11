"""Wavelet shrinkage."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import penalties
from margin.core import Card, Solution, Status, atomic, check
from margin.linear.curves._curve_data import curve_data, curve_points


class WaveletShrinkage(RegressorMixin, BaseEstimator):
    r"""Denoising of an evenly sampled curve by shrinking its wavelet coefficients (linear.20).

    The detail coefficients :math:`d` of the discrete wavelet transform are replaced by
    :math:`\operatorname{sign}(d)\max(|d| - t, 0)` (soft) or kept only where :math:`|d| > t`
    (hard), and the transform is inverted. Soft shrinkage is the lasso in an orthonormal basis.

    Parameters
    ----------
    wavelet : str, default="sym8"
        Name of a discrete wavelet of PyWavelets, ``"haar"`` or ``"sym8"`` for example.
    mode : {"soft", "hard"}, default="soft"
        Kind of shrinkage.
    threshold : float or "universal", default="universal"
        The threshold :math:`t`, at least 0; ``"universal"`` is :math:`\sigma\sqrt{2\log n}`, the
        noise level :math:`\sigma` from the median of the finest details.
    levels : int, optional
        Levels of the transform; the most that make sense when absent.

    Attributes
    ----------
    knots_, values_ : ndarray of shape (n_knots,)
        Distinct abscissae and the denoised values there.
    threshold_, noise_ : float
        Threshold used and noise level estimated.
    n_kept_ : int
        Detail coefficients that are not zero.
    fit_report_ : FitReport
        Residual sum of squares.
    n_features_in_ : int
        Always 1.
    feature_names_in_ : ndarray of str
        Name of the feature, when ``X`` had one.

    Notes
    -----
    Linear time. Needs PyWavelets: ``pip install "margin[wavelet]"``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import WaveletShrinkage
    >>> model = WaveletShrinkage(wavelet="haar", threshold=1.0, levels=1).fit([0, 1], [4.0, 6.0])
    >>> model.values_.round(6)
    array([4.707107, 5.292893])
    """

    card = Card(tasks=("regression",), cost="linear", input="curve")

    def __init__(self, *, wavelet="sym8", mode="soft", threshold="universal", levels=None):
        self.wavelet = wavelet
        self.mode = mode
        self.threshold = threshold
        self.levels = levels

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Denoise the curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Abscissae, evenly spaced once sorted.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Weights of rows that share an abscissa.

        Returns
        -------
        self
        """
        pywt = _pywavelets()
        self._check_params(pywt)
        self.knots_, signal, _, _ = curve_data(self, X, y, sample_weight)
        gaps = np.diff(self.knots_)
        if gaps.size and np.ptp(gaps) > 1e-6 * gaps.max():
            raise check.fail(
                self, "X", "evenly spaced", f"gaps from {gaps.min():.6g} to {gaps.max():.6g}"
            )
        most = max(1, pywt.dwt_max_level(len(signal), self.wavelet)) if len(signal) > 1 else 0
        depth = most if self.levels is None else self.levels
        coarse, *details = pywt.wavedec(signal, self.wavelet, level=depth, mode="symmetric")
        finest = details[-1] if details else np.zeros(1)
        self.noise_ = float(np.median(np.abs(finest)) / 0.6744897501960817)
        self.threshold_ = (
            self.noise_ * float(np.sqrt(2 * np.log(max(len(signal), 2))))
            if self.threshold == "universal"
            else float(self.threshold)
        )
        shrunk = [self._shrink(d) for d in details]
        self.n_kept_ = int(sum(np.count_nonzero(d) for d in shrunk))
        rebuilt = pywt.waverec([coarse, *shrunk], self.wavelet, mode="symmetric")
        self.values_ = np.asarray(rebuilt[: len(signal)])
        self.fit_report_ = check.report(self, self._solution(signal))
        return self

    def _shrink(self, details):
        if self.mode == "soft":
            return penalties.L1(self.threshold_).prox(details, 1.0)
        return np.where(np.abs(details) > self.threshold_, details, 0.0)

    def _check_params(self, pywt):
        check.params(self, one_of={"mode": ("soft", "hard")})
        if self.threshold != "universal":
            check.params(self, nonnegative="threshold")
        if self.levels is not None:
            check.params(self, count="levels")
        if self.wavelet not in pywt.wavelist(kind="discrete"):
            raise check.fail(self, "wavelet", "a discrete wavelet of PyWavelets", self.wavelet)

    def _solution(self, signal):
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=float(np.sum((signal - self.values_) ** 2)),
            solver=f"{self.mode} threshold {self.threshold_:.4g}, {self.n_kept_} details kept",
        )

    def predict(self, X):
        """Denoised values, by linear interpolation between the abscissae."""
        return np.interp(curve_points(self, X), self.knots_, self.values_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags


def _pywavelets():
    try:
        import pywt
    except ImportError as error:
        raise ImportError(
            "WaveletShrinkage needs PyWavelets: pip install 'margin[wavelet]'"
        ) from error
    return pywt
