"""Is one model better than another, judged on the same resampled folds?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

# Student's law with fewer degrees of freedom promises what so few folds cannot tell.
FEWEST_FOLDS = 5


class PairedTest(NamedTuple):
    """Mean difference, its standard error, t statistic, p-value and confidence interval."""

    difference: float
    se: float
    statistic: float
    p_value: float
    interval: tuple[float, float]


def corrected_se(scores: ArrayLike, *, n_train: int, n_test: int) -> float:
    r"""Standard error of a mean over ``K`` overlapping folds, NaN for a single fold.

    .. math:: \sqrt{\left(\tfrac1K + \tfrac{n_{test}}{n_{train}}\right) s^2}

    with :math:`s^2` the sample variance of the fold scores. The second term stands for the
    correlation that the shared training rows cause; without it the error would vanish with more
    repetitions of the same folds.

    Examples
    --------
    >>> round(corrected_se([0.8, 0.9, 1.0, 0.9], n_train=80, n_test=20), 4)
    0.0577
    """
    scores = np.asarray(scores, dtype=float)
    if n_train < 1 or n_test < 1:
        raise ValueError(
            f"corrected_se: n_train and n_test must be at least 1, got {n_train} and {n_test}"
        )
    if len(scores) < 2:
        return float("nan")
    return float(np.sqrt((1 / len(scores) + n_test / n_train) * scores.var(ddof=1)))


def corrected_paired_test(
    a: ArrayLike, b: ArrayLike, *, n_train: int, n_test: int, level: float = 0.95
) -> PairedTest:
    r"""Corrected resampled t-test of Nadeau and Bengio for scores on the same folds.

    With :math:`d_i = a_i - b_i` over the ``K`` folds,

    .. math:: t = \frac{\bar d}{\sqrt{\left(\tfrac1K + \tfrac{n_{test}}{n_{train}}\right) s_d^2}}

    is held against Student's distribution with ``K - 1`` degrees of freedom, both sides.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        Scores of the two models, fold by fold.
    n_train, n_test : int
        Rows a fold trains and tests on.
    level : float
        Coverage of the confidence interval of the difference.

    Returns
    -------
    PairedTest
        Differences that are all equal give p = 1 (all zero) or p = 0; a single fold decides
        nothing: its p-value and standard error are NaN.

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> test = corrected_paired_test(
    ...     [0.9, 0.8, 0.9, 1.0], [0.8, 0.8, 0.7, 0.9], n_train=80, n_test=20)
    >>> round(test.difference, 3), round(test.statistic, 3), round(test.p_value, 3)
    (0.1, 1.732, 0.182)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or a.ndim != 1 or not len(a):
        raise ValueError(
            "corrected_paired_test: a and b must hold one score per fold, "
            f"got shapes {a.shape} and {b.shape}"
        )
    d = a - b
    mean = float(d.mean())
    se = corrected_se(d, n_train=n_train, n_test=n_test)
    if np.isnan(se):
        return PairedTest(mean, se, float("nan"), float("nan"), (-np.inf, np.inf))
    # Scores that agree to rounding differ by nothing that deserves a test.
    if se <= 1e-12 * max(1.0, float(np.abs(a).max())):
        same = abs(mean) <= 1e-12
        statistic = 0.0 if same else float(np.copysign(np.inf, mean))
        return PairedTest(mean, 0.0, statistic, 1.0 if same else 0.0, (mean, mean))
    t = mean / se
    df = len(d) - 1
    half = float(stats.t.ppf(0.5 + level / 2, df)) * se
    p_value = float(2 * stats.t.sf(abs(t), df))
    return PairedTest(mean, se, float(t), p_value, (mean - half, mean + half))


def fold_test(a: ArrayLike, b: ArrayLike, *, n_train: int, n_test: int) -> PairedTest:
    """:func:`corrected_paired_test` without a p-value (NaN) from fewer than five folds.

    Examples
    --------
    >>> fold_test([0.9, 0.8], [0.7, 0.7], n_train=80, n_test=20).p_value
    nan
    """
    test = corrected_paired_test(a, b, n_train=n_train, n_test=n_test)
    enough = np.size(a) >= FEWEST_FOLDS
    return test if enough else test._replace(p_value=float("nan"))
