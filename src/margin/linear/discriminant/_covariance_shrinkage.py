"""Shrinking a covariance matrix towards a multiple of the identity."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Mix:
    r"""A covariance matrix mixed with a diagonal one, :math:`\kappa S + \operatorname{diag}(a)`.

    Parameters
    ----------
    keep : float
        :math:`\kappa`.
    added : ndarray of shape (p,)
        :math:`a`.
    """

    keep: float
    added: Floats

    def of(self, covariance: Floats) -> Floats:
        """The mixed matrix."""
        if self.keep == 1.0 and not self.added.any():
            return covariance
        mixed = self.keep * covariance
        mixed[np.diag_indices(len(mixed))] += self.added
        return np.asarray(mixed)

    def ridged(self, share: float) -> "Mix":
        """The mixture mixed again, with a share of the identity."""
        return Mix((1 - share) * self.keep, (1 - share) * self.added + share)


def shrinking(
    covariance: Floats, shrinkage: Shrinkage, centred_rows: Callable[[], Array] | None
) -> Mix:
    r"""How to get :math:`(1 - \lambda) S + \lambda\,\mu I`, :math:`\mu` the mean variance.

    ``"auto"`` takes Ledoit and Wolf's :math:`\lambda` for the columns scaled to unit variance and
    shrinks in that scale, so the answer does not depend on units. ``centred_rows`` is called for
    the data only then; it may be left out for another ``shrinkage``.
    """
    variances = np.array(covariance.diagonal())
    if shrinkage is None:
        return Mix(1.0, np.zeros_like(variances))
    if shrinkage != "auto":
        return Mix(1.0 - shrinkage, np.full_like(variances, shrinkage * variances.mean()))
    assert centred_rows is not None
    unit = np.where(variances > 0, variances, 1.0)
    amount = _ledoit_wolf(centred_rows() / np.sqrt(unit))
    return Mix(1.0 - amount, amount * float((variances / unit).mean()) * unit)


def shrunk(
    covariance: Floats, shrinkage: Shrinkage, centred_rows: Callable[[], Array] | None
) -> Floats:
    """The covariance shrunk as :func:`shrinking` says."""
    return shrinking(covariance, shrinkage, centred_rows).of(covariance)


def _ledoit_wolf(rows: Array) -> float:
    r"""Ledoit and Wolf's share of the identity, for rows whose mean is zero.

    Of few rows of many columns from their products: :math:`\|R^\top R\|_F = \|R R^\top\|_F`.
    """
    n, p = rows.shape
    if n >= p:
        return float(ledoit_wolf_shrinkage(rows, assume_centered=True))
    products = rows @ rows.T
    lengths = products.diagonal()
    mean = float(lengths.sum()) / (n * p)
    squares = float((products**2).sum()) / n**2
    noise = (float((lengths**2).sum()) / n - squares) / (n * p)
    apart = squares / p - mean**2
    noise = min(noise, apart)
    return float(noise / apart) if noise > 0 else 0.0
