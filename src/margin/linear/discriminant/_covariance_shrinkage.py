"""Shrinking a covariance matrix towards a multiple of the identity."""

from collections.abc import Callable
from numbers import Real
from typing import Any, Literal

import numpy as np
from sklearn.covariance import ledoit_wolf_shrinkage

from margin.core import check
from margin.core.types import Array, Floats

Shrinkage = float | Literal["auto"] | None


def check_shrinkage(owner: object, shrinkage: Shrinkage, X: Array) -> None:
    """Refuse a ``shrinkage`` that is not None, "auto" or between 0 and 1.

    The automatic one is worked out from complete rows.
    """
    if isinstance(shrinkage, str) and shrinkage == "auto":
        if np.isnan(X).any():
            raise check.fail(owner, "shrinkage", "None or a number where X holds NaN", shrinkage)
        return
    number: Any = shrinkage
    real = isinstance(number, Real) and not isinstance(number, bool)
    if number is not None and not (real and 0 <= number <= 1):
        raise check.fail(owner, "shrinkage", "a number between 0 and 1", shrinkage)


def shrunk(
    covariance: Floats, shrinkage: Shrinkage, centred_rows: Callable[[], Array] | None
) -> Floats:
    r"""Covariance :math:`(1 - \lambda) S + \lambda\,\mu I`, :math:`\mu` the mean variance.

    ``"auto"`` takes Ledoit and Wolf's :math:`\lambda` for the columns scaled to unit variance and
    shrinks in that scale, so the answer does not depend on units. ``centred_rows`` is called for
    the data only then; it may be left out for another ``shrinkage``.
    """
    if shrinkage is None:
        return covariance
    p = len(covariance)
    if shrinkage != "auto":
        mean = np.trace(covariance) / p
        return np.asarray((1 - shrinkage) * covariance + shrinkage * mean * np.eye(p))
    assert centred_rows is not None
    scale = np.sqrt(covariance.diagonal())
    scale[scale == 0] = 1.0
    amount = ledoit_wolf_shrinkage(centred_rows() / scale, assume_centered=True)
    scaled = covariance / np.outer(scale, scale)
    mean = np.trace(scaled) / p
    mixed = (1 - amount) * scaled + amount * mean * np.eye(p)
    return np.asarray(mixed * np.outer(scale, scale))
