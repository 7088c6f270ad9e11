"""A regressor that learns on another scale of the target, within its bounds."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import get_tags

from margin.core import available_if, check
from margin.core.types import Floats
from margin.evaluation.models._seeded import seeded
from margin.evaluation.table._nature import log_start

_LARGEST = 700.0
_SMALLEST = 1e-300


def _on_own_scale(self: Any) -> bool:
    """Distributions pass through only where nothing is transformed or cut."""
    plain = self.scale == "none" and self.lower is None and self.upper is None
    return plain and hasattr(getattr(self, "estimator_", self.estimator), "predict_dist")


class ScaledTarget(MetaEstimatorMixin, RegressorMixin, BaseEstimator):
    r"""Any regressor, with the target on a logarithmic scale or between known bounds.

    On the scale ``"log"`` the regressor learns :math:`\log(y - s)`, with :math:`s = 0` for positive
    targets and below the least one otherwise; what is answered is the median, or with ``mean`` the
    mean by Duan's smearing: the mean of the answers moved by the residuals.

    Parameters
    ----------
    estimator : regressor
        Unfitted.
    scale : {"none", "log"}
        Scale on which it learns.
    mean : bool
        Whether to answer the mean, not the median.
    lower, upper : float or None
        Bounds of the answers.
    random_state : int or None
        Seed of the regressor, where it takes one.

    Attributes
    ----------
    estimator_ : regressor
        Fitted.
    start_ : float
        What is taken from the target before the logarithm.
    smear_ : float
        Factor that turns medians into means.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> x = np.linspace(0, 3, 50)[:, None]
    >>> model = ScaledTarget(LinearRegression(), scale="log").fit(x, np.exp(x.ravel()))
    >>> model.predict([[1.0]]).round(4)
    array([2.7183])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        scale: str = "none",
        mean: bool = True,
        lower: float | None = None,
        upper: float | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.scale = scale
        self.mean = mean
        self.lower = lower
        self.upper = upper
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the regressor inside."""
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.target_tags = inner.input_tags, inner.target_tags
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the regressor on its scale."""
        if self.scale not in ("none", "log"):
            raise check.fail("ScaledTarget", "scale", "'none' or 'log'", self.scale)
        y = np.asarray(y, dtype=np.float64)
        self.start_, self.smear_ = log_start(y), 1.0
        if self.scale == "none":
            self.estimator_ = seeded(clone(self.estimator), self.random_state).fit(X, y)
            return self
        t = np.log(y - self.start_)
        self.estimator_ = seeded(clone(self.estimator), self.random_state).fit(X, t)
        if self.mean:
            residual = t - np.asarray(self.estimator_.predict(X), dtype=np.float64)
            self.smear_ = float(np.exp(np.minimum(residual, _LARGEST)).mean())
        return self

    def predict(self, X: Any) -> Floats:
        """Return predictions on the scale of the target."""
        guess = np.asarray(self.estimator_.predict(X), dtype=np.float64)
        if self.scale == "log":
            guess = np.exp(np.minimum(guess, _LARGEST)) * self.smear_ + self.start_
        if self.lower is not None or self.upper is not None:
            guess = np.clip(guess, self.lower, self.upper)
        return np.asarray(guess)

    def to_scale(self, y: Any) -> Floats:
        """Return targets on the scale on which the regressor learns."""
        values = np.asarray(y, dtype=np.float64)
        if self.scale == "none":
            return values
        return np.asarray(np.log(np.maximum(values - self.start_, _SMALLEST)))

    def from_scale(self, t: Any) -> Floats:
        """Return values of that scale as targets, within the bounds."""
        values = np.asarray(t, dtype=np.float64)
        if self.scale == "log":
            values = np.exp(np.minimum(values, _LARGEST)) + self.start_
        if self.lower is not None or self.upper is not None:
            values = np.clip(values, self.lower, self.upper)
        return np.asarray(values)

    @available_if(_on_own_scale)
    def predict_dist(self, X: Any) -> Any:
        """Return the distributions of the regressor inside."""
        return self.estimator_.predict_dist(X)

    @property
    def fit_report_(self) -> Any:
        """The report of the regressor inside, where it has one."""
        return getattr(self.estimator_, "fit_report_", None)

    @property
    def n_features_in_(self) -> int:
        """Columns that the regressor was fitted to."""
        return int(self.estimator_.n_features_in_)
