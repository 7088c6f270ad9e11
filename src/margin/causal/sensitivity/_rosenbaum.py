"""Rosenbaum's bounds for matched pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm, rankdata

from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class RosenbaumBounds:
    r"""Largest and smallest p-values that a hidden bias of odds :math:`\Gamma` allows.

    Parameters
    ----------
    gamma : ndarray
        Odds by which two matched people may differ in their chance of treatment.
    upper, lower : ndarray
        P-values of the signed-rank test of no effect against a positive one.
    """

    gamma: Floats
    upper: Floats
    lower: Floats

    def tipping_point(self, level: float = 0.05) -> float:
        """Largest of the odds at which the effect is still significant; 1 if it never is."""
        still = self.upper <= level
        return float(self.gamma[still].max()) if still.any() else 1.0


def rosenbaum_bounds(
    differences: Any, gamma: Sequence[float] = (1.0, 1.25, 1.5, 2.0, 3.0)
) -> RosenbaumBounds:
    r"""Sensitivity of matched pairs to a hidden cause.

    With odds of at most :math:`\Gamma` the sum of the ranks of positive differences has at most
    the mean of independent signs of probability :math:`\Gamma / (1 + \Gamma)`, and at least that of
    :math:`1 / (1 + \Gamma)`; large-sample p-values follow.

    Parameters
    ----------
    differences : array-like of shape (n_pairs,), or fitted AverageEffect
        Outcome of the treated less that of the partner, or an effect by pairs matched without
        replacement, which knows them (``pair_differences_``).
    gamma : sequence of float
        At least 1.

    Examples
    --------
    >>> import numpy as np
    >>> bounds = rosenbaum_bounds(np.arange(-3, 13), gamma=[1, 2, 6])
    >>> bounds.upper.round(4), bounds.tipping_point()
    (array([0.0025, 0.0377, 0.2948]), 2.0)
    """
    if hasattr(differences, "effect_"):
        differences = _of_pairs(differences)
    d = _numbers("differences", differences)
    odds = _numbers("gamma", gamma)
    if not np.isfinite(d).all():
        raise check.fail("rosenbaum_bounds", "differences", "finite", "NaN or infinity")
    if not len(odds) or not (odds >= 1).all() or not np.isfinite(odds).all():
        raise check.fail("rosenbaum_bounds", "gamma", "at least 1", gamma)
    d = d[d != 0]
    if not len(d):
        raise check.fail("rosenbaum_bounds", "differences", "not all zero", 0)
    ranks = rankdata(np.abs(d))
    seen, total, squares = ranks[d > 0].sum(), ranks.sum(), (ranks**2).sum()

    def p_value(chance: Floats) -> Floats:
        z = (seen - chance * total) / np.sqrt(chance * (1 - chance) * squares)
        return np.asarray(norm.sf(z))

    return RosenbaumBounds(odds, p_value(odds / (1 + odds)), p_value(1 / (1 + odds)))


def _numbers(parameter: str, given: Any) -> Floats:
    try:
        return np.asarray(given, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise check.fail("rosenbaum_bounds", parameter, "numbers", given) from None


def _of_pairs(model: Any) -> Any:
    differences = getattr(model, "pair_differences_", None)
    if differences is None:
        need = "of pairs matched without replacement: Matching(replacement=False)"
        raise check.fail("rosenbaum_bounds", "differences", need, model)
    return differences
