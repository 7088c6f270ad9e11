"""The same strength of a penalty in the parametrisations people use."""

from typing import Literal, get_args

import numpy as np

from margin.core import check

Parametrisation = Literal["sum", "mean", "C", "C/n", "rss-ridge", "rss-lasso"]


def convert_strength(
    value: float, source: Parametrisation, target: Parametrisation, n_samples: int
) -> float:
    r"""Strength that gives the same minimiser in another parametrisation (penalties.09).

    With :math:`J(w)` the penalty of strength one (:math:`\tfrac12\|w\|^2` or :math:`\|w\|_1`):

    ============  ==========================================================  ===================
    name          objective                                                   in terms of "sum"
    ============  ==========================================================  ===================
    "sum"         :math:`\sum_i \ell_i + \alpha J(w)`                         :math:`\alpha`
    "mean"        :math:`\tfrac1n \sum_i \ell_i + \lambda J(w)`               :math:`\alpha / n`
    "C"           :math:`J(w) + C \sum_i \ell_i`                              :math:`1 / \alpha`
    "C/n"         :math:`J(w) + \tfrac{C}{n} \sum_i \ell_i`                   :math:`n / \alpha`
    "rss-ridge"   :math:`\sum_i (y_i - z_i)^2 + \lambda \|w\|^2`              :math:`\alpha`
    "rss-lasso"   :math:`\sum_i (y_i - z_i)^2 + \lambda \|w\|_1`              :math:`2 \alpha`
    ============  ==========================================================  ===================

    The last two are for the loss :math:`\ell = \tfrac12 (y - z)^2`. "C" is that of support vector
    machines and of scikit-learn's classifiers; "C/n", where larger also means less shrinkage, that
    of structural support vector machines and of texts that put :math:`\lambda / N` on the loss;
    "mean" that of scikit-learn's ``Lasso`` and of Pegasos.

    Parameters
    ----------
    value : float
        Strength in the parametrisation ``source``, above 0.
    source, target : str
        Names as in the table.
    n_samples : int
        Number of rows (or sum of the weights) :math:`n`.

    Examples
    --------
    :math:`\lambda = 1 / (C n)`:

    >>> convert_strength(2.0, "C", "mean", n_samples=50)
    0.01
    >>> convert_strength(4.0, "rss-lasso", "mean", n_samples=4)  # scikit-learn's Lasso
    0.5
    """
    for name, given in (("source", source), ("target", target)):
        if given not in get_args(Parametrisation):
            allowed = ", ".join(map(repr, get_args(Parametrisation)))
            raise check.fail("convert_strength", name, f"one of {allowed}", given)
    for name, number in (("value", value), ("n_samples", n_samples)):
        if not (np.isfinite(number) and number > 0):
            raise check.fail("convert_strength", name, "a number above 0", number)
    return _other_way(_other_way(value, source, n_samples, to_sum=True), target, n_samples)


def _other_way(value: float, name: str, n: int, *, to_sum: bool = False) -> float:
    """Between "sum" and another parametrisation, either way."""
    if name in ("C", "C/n"):
        return (1.0 if name == "C" else n) / value
    factor = {"sum": 1.0, "mean": 1.0 / n, "rss-ridge": 1.0, "rss-lasso": 2.0}[name]
    return value / factor if to_sum else value * factor
