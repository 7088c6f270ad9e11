"""From decision values to probabilities."""

from collections.abc import Iterator
from itertools import combinations, count

import numpy as np
from scipy.special import expit, log_expit
from sklearn.isotonic import IsotonicRegression

from margin.core import Iterate, Stop, iterate
from margin.core.types import Array, Floats

# What scikit-learn's default says: nothing was asked for.
UNASKED = "deprecated"
PROBABILITIES = (UNASKED, False, True, "sigmoid", "isotonic")
_TOL = 1e-9


def calibration(probability: bool | str) -> str | None:
    """How scores become probabilities, or ``None`` where none are wanted.

    Examples
    --------
    >>> calibration(True), calibration("deprecated")
    ('sigmoid', None)
    """
    if probability is True:
        return "sigmoid"
    return probability if probability in ("sigmoid", "isotonic") else None


def fit_sigmoid(
    scores: Floats, positive: Array, weight: Floats | None = None, max_iter: int = 100
) -> tuple[float, float]:
    r"""Slope and offset of :math:`P(y = 1 | s) = 1 / (1 + e^{-(a s + c)})`, by Platt's method.

    Labels are exchanged for :math:`(N_+ + 1) / (N_+ + 2)` and :math:`1 / (N_- + 2)`, so that
    separable scores have finite slopes; the log-likelihood is maximised by Newton's method with
    halved steps, from the share of the positive rows.

    Examples
    --------
    >>> slope, offset = fit_sigmoid(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 0, 1, 1]))
    >>> round(slope, 4), abs(round(offset, 4))
    (0.674, 0.0)
    """
    weight = np.ones(len(scores)) if weight is None else weight
    positive = np.asarray(positive, dtype=bool)
    n_positive, n_negative = weight[positive].sum(), weight[~positive].sum()
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    spread = float(np.abs(scores).max(initial=0.0)) or 1.0
    design = np.column_stack([scores / spread, np.ones(len(scores))])
    start = np.array([0.0, np.log((n_positive + 1) / (n_negative + 1))])
    stop = Stop("mean gradient", _TOL, max_iter)
    solution = iterate(_newton(design, target, weight, start), stop)
    if solution.interrupted:  # of a larger fit
        raise KeyboardInterrupt
    return float(solution.x[0] / spread), float(solution.x[1])


def _newton(design: Floats, target: Floats, weight: Floats, x: Floats) -> Iterator[Iterate]:
    """Newton steps on the log-likelihood, halved until it does not fall."""
    total = weight.sum()

    def loss(at: Floats) -> float:
        z = design @ at
        return -float(weight @ (target * log_expit(z) + (1 - target) * log_expit(-z)))

    value = loss(x)
    for n_iter in count():
        p = expit(design @ x)
        gradient = design.T @ (weight * (p - target))
        yield Iterate(x, value, float(np.abs(gradient).max() / total), n_iter)
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design
        hessian.flat[::3] += 1e-12 * max(1.0, float(np.trace(hessian)))
        step, length = np.linalg.solve(hessian, gradient), 1.0
        while loss(x - length * step) > value and length > 1e-10:
            length *= 0.5
        x = x - length * step
        value = loss(x)


def fit_isotonic(
    scores: Floats, positive: Array, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Knots of the best non-decreasing map from scores to probabilities."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    model.fit(scores, np.asarray(positive, dtype=np.float64), sample_weight=weight)
    return model.X_thresholds_, model.y_thresholds_


def calibrate(
    method: str, scores: Floats, positive: Array, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Calibration of one machine, as a pair of arrays."""
    if method == "sigmoid":
        slope, offset = fit_sigmoid(scores, positive, weight)
        return np.array([slope]), np.array([offset])
    return fit_isotonic(scores, positive, weight)


def calibrated(method: str, calibration: tuple[Floats, Floats], scores: Array) -> Floats:
    """Probability of the positive side."""
    a, b = calibration
    values = expit(a[0] * scores + b[0]) if method == "sigmoid" else np.interp(scores, a, b)
    return np.asarray(values)


def couple(pairwise: Floats, n_classes: int) -> Floats:
    r"""Class probabilities from those of pairs.

    Minimises :math:`\sum_i \sum_{j \ne i} (r_{ji} p_i - r_{ij} p_j)^2` over :math:`\sum p = 1`,
    where :math:`r_{ij}` is the probability of class :math:`i` against :math:`j` (Wu, Lin and Weng
    2004, the second method). Consistent pairs give back their probabilities.

    Examples
    --------
    >>> p = np.array([0.2, 0.3, 0.5])
    >>> pairs = np.array([[p[i] / (p[i] + p[j]) for i, j in ((0, 1), (0, 2), (1, 2))]])
    >>> couple(pairs, 3).round(6)
    array([[0.2, 0.3, 0.5]])
    """
    n = len(pairwise)
    pairwise = np.clip(pairwise, 1e-7, 1 - 1e-7)
    r = np.zeros((n, n_classes, n_classes))
    for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
        r[:, i, j], r[:, j, i] = pairwise[:, k], 1 - pairwise[:, k]
    system = np.zeros((n, n_classes + 1, n_classes + 1))
    system[:, :-1, :-1] = -r * r.transpose(0, 2, 1)
    each = np.arange(n_classes)
    system[:, each, each] = (r**2).sum(axis=1)
    system[:, -1, :-1] = system[:, :-1, -1] = 1.0
    right = np.zeros((n, n_classes + 1, 1))
    right[:, -1] = 1.0
    p = np.clip(np.linalg.solve(system, right)[:, :-1, 0], 0.0, None)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
