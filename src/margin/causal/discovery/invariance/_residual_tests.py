"""Whether residuals look the same in all environments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import fdtr, fdtrc, stdtr
from scipy.stats import mannwhitneyu

from margin.core.types import Floats, Indices


def same_normal(residuals: Floats, groups: Indices) -> float:
    """p-value of equal mean and variance: Welch's t and F of every group against the others.

    The smaller of the two counts twice, the smallest of several groups once for each (Bonferroni).

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.array([0, 0, 0, 1, 1, 1])
    >>> same_normal(np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0]), groups)
    1.0
    >>> same_normal(np.array([1.0, 2.0, 3.0, 31.0, 32.0, 33.0]), groups) < 1e-3
    True
    """
    return _each_against_the_others(residuals, groups, _normal_pair)


def same_ranks(residuals: Floats, groups: Indices) -> float:
    """p-value of equal place and spread without normality: Mann-Whitney and Brown-Forsythe.

    Combined as in :func:`same_normal`.

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.repeat([0, 1], 20)
    >>> same_ranks(np.tile(np.arange(20.0), 2), groups)
    1.0
    """
    return _each_against_the_others(residuals, groups, _rank_pair)


def same_line(X: Floats, y: Floats, groups: Indices) -> float:
    r"""p-value of one regression for all groups, by Chow's prediction test.

    .. math:: F = \frac{(RSS - RSS_{-e}) / n_e}{RSS_{-e} / (n_{-e} - k)}

    compares the rows of group e with what the others predict, exact for normal noise; Bonferroni
    over the groups. ``X`` has k columns, the intercept among them.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(8.0)
    >>> X, groups = np.column_stack([np.ones(8), x]), np.repeat([0, 1], 4)
    >>> noise = np.array([0.1, -0.1, 0.1, -0.1, -0.1, 0.1, -0.1, 0.1])
    >>> same_line(X, x + noise, groups) > 0.5, same_line(X, x * groups + noise, groups) < 0.05
    (True, True)
    """
    labels = np.unique(groups)
    whole, least = _squares(X, y), 1.0
    for label in labels:
        away = groups != label
        rest, free = _squares(X[away], y[away]), away.sum() - X.shape[1]
        if rest <= 1e-20 * whole or free < 1:
            continue
        ratio = (whole - rest) / (~away).sum() / (rest / free)
        least = min(least, float(fdtrc((~away).sum(), free, max(ratio, 0.0))))
    return min(1.0, len(labels) * least)


def _squares(X: Floats, y: Floats) -> float:
    coefficients = np.linalg.lstsq(X, y, rcond=None)[0]
    return float(np.sum((y - X @ coefficients) ** 2))


def _each_against_the_others(
    residuals: Floats, groups: Indices, test: Callable[[Floats, Floats], float]
) -> float:
    labels = np.unique(groups)
    # Of two groups one comparison is the same as the other.
    several = labels if len(labels) > 2 else labels[:1]
    least = min(test(residuals[groups == g], residuals[groups != g]) for g in several)
    return min(1.0, 2.0 * len(several) * least)


def _normal_pair(a: Floats, b: Floats) -> float:
    means, spreads = a.mean() - b.mean(), (a.var(ddof=1), b.var(ddof=1))
    parts = spreads[0] / len(a), spreads[1] / len(b)
    if not sum(parts):
        return 1.0 if means == 0 else 0.0
    free = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
    by_mean = 2.0 * float(stdtr(free, -abs(means) / np.sqrt(sum(parts))))
    if not min(spreads):
        return 0.0
    below = float(fdtr(len(a) - 1, len(b) - 1, spreads[0] / spreads[1]))
    above = float(fdtrc(len(a) - 1, len(b) - 1, spreads[0] / spreads[1]))
    return min(by_mean, 2.0 * min(below, above))


def _rank_pair(a: Floats, b: Floats) -> float:
    by_place = float(mannwhitneyu(a, b).pvalue)
    away = np.abs(a - np.median(a)), np.abs(b - np.median(b))
    centre = np.concatenate(away).mean()
    between = sum(len(d) * (d.mean() - centre) ** 2 for d in away)
    within = sum(float(((d - d.mean()) ** 2).sum()) for d in away)
    if not within:
        return by_place if not between else 0.0
    free = len(a) + len(b) - 2
    return min(by_place, float(fdtrc(1, free, between / (within / free))))
