"""Shrinking a covariance matrix towards a multiple of the identity."""

import numpy as np
from sklearn.covariance import ledoit_wolf_shrinkage

from margin.core import check


def check_shrinkage(estimator):
    """Refuse a ``shrinkage`` that is not None, "auto" or between 0 and 1."""
    if estimator.shrinkage is not None and estimator.shrinkage != "auto":
        check.params(estimator, fraction="shrinkage")


def shrunk(covariance, shrinkage, centred_rows):
    r"""Covariance :math:`(1 - \lambda) S + \lambda\,\mu I`, :math:`\mu` the mean variance.

    ``"auto"`` takes Ledoit and Wolf's :math:`\lambda` for the columns scaled to unit variance and
    shrinks in that scale, so the answer does not depend on units. ``centred_rows`` is called for
    the data only then.
    """
    if shrinkage is None:
        return covariance
    p = len(covariance)
    if shrinkage != "auto":
        mean = np.trace(covariance) / p
        return (1 - shrinkage) * covariance + shrinkage * mean * np.eye(p)
    scale = np.sqrt(covariance.diagonal())
    scale[scale == 0] = 1.0
    amount = ledoit_wolf_shrinkage(centred_rows() / scale, assume_centered=True)
    scaled = covariance / np.outer(scale, scale)
    mean = np.trace(scaled) / p
    mixed = (1 - amount) * scaled + amount * mean * np.eye(p)
    return mixed * np.outer(scale, scale)
