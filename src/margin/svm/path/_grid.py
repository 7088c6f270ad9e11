"""The same machines for several prices of errors, each started from the one before."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from margin.core import check, progress
from margin.core.types import Floats
from margin.optim import Machine
from margin.svm._gram import indefinite_notes
from margin.svm.kernel._class_duals import SoftMargin
from margin.svm.kernel._class_machines import ClassData, merged
from margin.svm.kernel._dual_machine import DualSettings
from margin.svm.kernel._svc import SVC


def svc_grid(
    estimator: SVC, X: Any, y: Any, *, C: ArrayLike, sample_weight: Any = None
) -> list[SVC]:
    r"""Fitted machines for several prices of errors, for any number of classes and rows.

    The kernel matrix is computed once, where it fits ``cache_size``. Every machine starts from the
    best multiple of the coefficients before it that its bounds allow,
    :math:`t = \min(C' / C, \sum_i |\beta_i| / \beta^\top K \beta)`.

    Parameters
    ----------
    estimator : SVC
        Settings of the machines; left as it is.
    X, y : training data, as for :meth:`SVC.fit`.
    C : array-like of shape (c,)
        Prices above 0 and below infinity.
    sample_weight : array-like of shape (n,), optional
        Factors of the prices.

    Returns
    -------
    list of SVC
        One per price, in the order given.

    See Also
    --------
    svc_path : all prices at once, exactly, for two classes and a few thousand rows.

    Examples
    --------
    >>> from margin.svm import SVC, svc_grid
    >>> X, y = [[-2], [-1], [1], [3]], [0, 0, 1, 1]
    >>> [m.coef_[0, 0].round(3) for m in svc_grid(SVC(kernel="linear"), X, y, C=[0.1, 10.0])]
    [np.float64(0.4), np.float64(1.0)]
    """
    prices = np.asarray(C, dtype=np.float64)
    if prices.ndim != 1 or not len(prices) or not ((prices > 0) & (prices < np.inf)).all():
        raise check.fail("svc_grid", "C", "a list of numbers above 0", C)
    first: SVC = clone(estimator)
    first._check_dual()
    first._check_votes()
    data, settings = first._data(X, y, sample_weight), first._settings()
    notes = first._warned(indefinite_notes(data.kernel, data.gram), stacklevel=3)
    models: dict[float, SVC] = {}
    machines: list[Machine] | None = None
    with progress.bar("svc_grid", len(prices)) as tick:
        for number, price in enumerate(np.unique(prices)):
            machines = _trained(data, first.multi_class, float(price), settings, machines)
            model: SVC = copy(first).set_params(C=float(price))
            model._keep_classifier(model._assembled(data, machines))
            model._keep_report(merged(machines), notes)
            models[float(price)] = model
            tick(number + 1, model.fit_report_.objective)
    return [models[float(price)] for price in prices]


def _trained(
    data: ClassData,
    strategy: str,
    price: float,
    settings: DualSettings,
    before: list[Machine] | None,
) -> list[Machine]:
    """The machines of one price, from those of a lower one."""
    dual, machines = SoftMargin(price), []
    for k, (rows, sign) in enumerate(data.duels(strategy)):
        weight = data.weight[rows]
        start = None if before is None else _start(before[k], sign, price * weight)
        machines.append(dual.train(data.part(rows), sign, weight, settings, start=start))
    return machines


def _start(machine: Machine, sign: Floats, bound: Floats) -> Floats | None:
    """Coefficients of a lower price, as far as they may grow and as long as that pays."""
    coef = machine.coef
    held = np.abs(coef) > 0
    if not held.any():
        return None
    room = float((bound[held] / machine.bound[held]).min())
    curved = float(coef @ machine.scores)
    best = float(np.abs(coef).sum()) / curved if curved > 0 else room
    grown = coef * min(room, max(1.0, best))
    return np.clip(grown, np.where(sign > 0, 0.0, -bound), np.where(sign > 0, bound, 0.0))
