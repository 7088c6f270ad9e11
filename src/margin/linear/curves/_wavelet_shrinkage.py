"""Wavelet shrinkage."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Floats
from margin.linear.curves._curve_data import as_column, distinct_points, single_column
from margin.linear.curves._wavelet_transform import (
    WaveletTransform,
    pywavelets,
    wavelet_transform,
)


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

    See Also
    --------
    wavelet_transform : The transform by itself, with its inverse.

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

    def __init__(
        self,
        *,
        wavelet: str = "sym8",
        mode: str = "soft",
        threshold: Any = "universal",
        levels: int | None = None,
    ) -> None:
        self.wavelet = wavelet
        self.mode = mode
        self.threshold = threshold
        self.levels = levels

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        self._check_params()
        X, y, weight = check.data(self, as_column(X), y, sample_weight)
        data = distinct_points(single_column(type(self).__name__, X), y, weight)
        gaps = np.diff(data.points)
        if gaps.size and np.ptp(gaps) > 1e-6 * gaps.max():
            raise check.fail(
                self, "X", "evenly spaced", f"gaps from {gaps.min():.6g} to {gaps.max():.6g}"
            )
        transform = wavelet_transform(data.mean, self.wavelet, self.levels)
        threshold = self._threshold(transform)
        shrunk = transform.shrunk(threshold, self.mode)

        self.knots_, self.values_ = data.points, shrunk.inverse()
        self.noise_, self.threshold_, self.n_kept_ = transform.noise, threshold, shrunk.n_kept
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=float(np.sum((data.mean - self.values_) ** 2)),
            solver=f"{self.mode} threshold {threshold:.4g}, {shrunk.n_kept} details kept",
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_params(self) -> None:
        check.params(self, one_of={"mode": ("soft", "hard")})
        if self.threshold != "universal":
            check.params(self, nonnegative="threshold")
        if self.levels is not None:
            check.params(self, count="levels")
        if self.wavelet not in pywavelets().wavelist(kind="discrete"):
            raise check.fail(self, "wavelet", "a discrete wavelet of PyWavelets", self.wavelet)

    def _threshold(self, transform: WaveletTransform) -> float:
        if self.threshold != "universal":
            return float(self.threshold)
        return transform.noise * float(np.sqrt(2 * np.log(max(transform.length, 2))))

    def predict(self, X: Any) -> Floats:
        """Denoised values, by linear interpolation between the abscissae."""
        x = single_column(type(self).__name__, check.table(self, as_column(X)))
        return np.asarray(np.interp(x, self.knots_, self.values_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags
