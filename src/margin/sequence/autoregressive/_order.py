"""How many lags: information criteria and evidence, on the same rows for every order."""

import numpy as np

from margin.core import Sequences
from margin.sequence.autoregressive._estimates import bayesian, lagged, least_squares
from margin.sequence.autoregressive._incomplete import incomplete_least_squares

CRITERIA = ("aic", "bic", "hqic", "evidence")


def choose_order(
    given: Sequences,
    most: int,
    criterion: str,
    intercept: bool,
    strength: float,
    *,
    tol: float = 1e-8,
    max_iter: int = 1000,
) -> tuple[int, dict[int, float]]:
    r"""The order from 1 to ``most`` of the least criterion, and the criterion of each.

    .. math:: N \log\sigma^2 + k \cdot (2,\ \log N,\ 2 \log\log N)

    for aic, bic and hqic with ``k`` parameters; minus twice the log evidence of the Bayesian model.
    With unobserved numbers the first term is minus twice the log likelihood of those observed,
    found by ``tol`` and ``max_iter``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.core import Sequences
    >>> v = Sequences([np.sin(np.arange(60) / 2.0) + 0.01 * np.cos(7.0 * np.arange(60) ** 2)])
    >>> choose_order(v, 4, "bic", False, 1.0)[0] >= 2
    True
    """
    whole = bool(np.isfinite(given.buffer).all())
    count = len(lagged(given, most)[1]) if whole else _observed_after(given, most)
    price = {"aic": 2.0, "bic": np.log(count), "hqic": 2 * np.log(max(np.log(count), 1e-9))}
    values = {}
    for order in range(1, most + 1):
        if criterion == "evidence":
            belief = bayesian(given, order, intercept=intercept, strength=strength, skip=most)
            values[order] = -2.0 * belief.log_evidence
            continue
        if whole:
            estimate = least_squares(given, order, intercept=intercept, skip=most)
            misfit = count * np.log(max(estimate.variance, 1e-300))
        else:
            misfit = (
                2.0
                * incomplete_least_squares(
                    given, order, intercept=intercept, tol=tol, max_iter=max_iter, skip=most
                ).objective
            )
        values[order] = float(misfit + price[criterion] * (order + intercept + 1))
    return min(values, key=lambda k: values[k]), values


def _observed_after(given: Sequences, skip: int) -> int:
    """How many numbers are observed after the first of every sequence."""
    return max(sum(int(np.isfinite(part[skip:]).sum()) for part in given), 1)
