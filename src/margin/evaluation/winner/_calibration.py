"""Probabilities that mean what they say, learned from predictions on rows not fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from margin.core.types import Array, Bools, Floats
from margin.evaluation.table._shown import shown

Method = Literal["none", "sigmoid", "isotonic"]

_SMALLEST = 1e-6
_FEWEST = 20
_FEWEST_ISOTONIC = 100
# What is kept of the uncalibrated probability, so that no two rows that differ are made equal:
# their order, and with it every threshold, survives.
_KEPT = 1e-6
# A calibration must lower the log loss by this share to be worth having.
_WORTHWHILE = 0.01
_FOLDS = 5


@dataclass(frozen=True)
class Calibration:
    """A map from the probabilities of a model to calibrated ones.

    Parameters
    ----------
    method : {"none", "sigmoid", "isotonic"}
        Shape of the map: none, a straight line of log-odds (Platt's), or any that rises.
    knots : tuple of (tuple of float, tuple of float)
        Of each class (of two: of the second) the ends of the pieces, or slope and intercept.
    loss_before, loss_after : float
        Log loss on held-out rows, the map learned on others.
    """

    method: Method = "none"
    knots: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = ()
    loss_before: float = float("nan")
    loss_after: float = float("nan")

    def __call__(self, probability: Any) -> Floats:
        """Calibrated probabilities, one column per class."""
        p = np.asarray(probability, dtype=np.float64)
        if self.method == "none":
            return p
        if p.shape[1] == 2:
            second = _apply(self.method, self.knots[0], p[:, 1])
            return np.column_stack([1.0 - second, second])
        each = [_apply(self.method, knot, p[:, k]) for k, knot in enumerate(self.knots)]
        q = np.maximum(np.column_stack(each), _SMALLEST)
        return np.asarray(q / q.sum(axis=1, keepdims=True))

    @property
    def text(self) -> str:
        """What was done, in a sentence."""
        if self.method == "none":
            return "the probabilities are left as they are: no calibration made them better"
        change = f"log loss {shown(self.loss_before)} to {shown(self.loss_after)} on held-out rows"
        return f"the probabilities are calibrated ({self.method}): {change}"


def calibrated(y: Array, probability: Floats, classes: Array, *, seed: int = 0) -> Calibration:
    """Calibration with the lowest log loss on held-out rows, none if it hardly helps.

    Parameters
    ----------
    y : ndarray
        Labels.
    probability : ndarray of shape (n_rows, n_classes)
        Probabilities for rows that the model was not fitted to.
    classes : ndarray
        Labels of the columns.
    seed : int
        Seed of the folds by which the maps are judged.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(4000)
    >>> y = (rng.random(4000) < p).astype(int)
    >>> sure = p**3 / (p**3 + (1 - p) ** 3)
    >>> map = calibrated(y, np.column_stack([1 - sure, sure]), np.array([0, 1]))
    >>> map.method, round(float(map([[0.1, 0.9]])[0, 1]), 1)
    ('sigmoid', 0.7)
    """
    codes = np.searchsorted(classes, y)
    fewest = int(np.bincount(codes, minlength=len(classes)).min())
    if fewest < _FEWEST:
        return Calibration()
    methods: tuple[Method, ...] = ("sigmoid", "isotonic")
    methods = methods if fewest >= _FEWEST_ISOTONIC else methods[:1]
    before = _log_loss(codes, probability)
    folds = list(StratifiedKFold(_FOLDS, shuffle=True, random_state=seed).split(codes, codes))
    best: Method = "none"
    least = before * (1 - _WORTHWHILE)
    for method in methods:
        mapped = np.empty_like(probability)
        for train, test in folds:
            part = Calibration(method, _knots(method, codes[train], probability[train]))
            mapped[test] = part(probability[test])
        loss = _log_loss(codes, mapped)
        if loss < least:
            best, least = method, loss
    if best == "none":
        return Calibration(loss_before=before, loss_after=before)
    return Calibration(best, _knots(best, codes, probability), before, least)


def _knots(method: str, codes: Any, p: Floats) -> Any:
    columns = [1] if p.shape[1] == 2 else range(p.shape[1])
    fit = _line if method == "sigmoid" else _steps
    return tuple(fit(codes == k, p[:, k]) for k in columns)


def _line(hit: Bools, p: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    # Platt's targets: no class is certain, as if a row of each had been seen the other way
    n_hit, n_miss = float(hit.sum()), float((~hit).sum())
    share = np.where(hit, (n_hit + 1) / (n_hit + 2), 1 / (n_miss + 2))
    twice = np.tile(_logit(p), 2)[:, None]
    both = np.repeat([True, False], len(p))
    model = LogisticRegression(C=1e6, max_iter=1000)
    model.fit(twice, both, sample_weight=np.concatenate([share, 1.0 - share]))
    # a falling line would turn the model's order round
    return (max(float(model.coef_[0, 0]), 0.0),), (float(model.intercept_[0]),)


def _steps(hit: Bools, p: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    model = IsotonicRegression(out_of_bounds="clip").fit(p, hit)
    return tuple(model.X_thresholds_.tolist()), tuple(model.y_thresholds_.tolist())


def _apply(method: str, knot: Any, p: Floats) -> Floats:
    """The map, which rises strictly."""
    if method == "sigmoid":
        q = 1.0 / (1.0 + np.exp(-(knot[0][0] * _logit(p) + knot[1][0])))
    else:
        # an end that never saw the other class is not certain
        q = np.clip(np.interp(p, knot[0], knot[1]), _SMALLEST, 1.0 - _SMALLEST)
    return np.asarray((1.0 - _KEPT) * q + _KEPT * p)


def _logit(p: Floats) -> Floats:
    p = np.clip(p, _SMALLEST, 1.0 - _SMALLEST)
    return np.asarray(np.log(p / (1.0 - p)))


def _log_loss(codes: Any, p: Floats) -> float:
    own = np.clip(p[np.arange(len(codes)), codes], _SMALLEST, 1.0)
    return float(-np.log(own).mean())
