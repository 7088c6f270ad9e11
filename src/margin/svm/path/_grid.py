"""The same machines for several prices of errors, each started from the one before."""

from copy import copy

import numpy as np
from sklearn.base import clone

from margin.core import check, progress
from margin.svm.kernel._classifier_fit import (
    check_classifier_params,
    classifier_data,
    duel_rows,
    finish,
    merged,
    store_machines,
)
from margin.svm.kernel._dual_fit import classification


def svc_grid(estimator, X, y, *, C, sample_weight=None):
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
    first = clone(estimator)
    check_classifier_params(first)
    data = classifier_data(first, X, y, sample_weight)
    found, before = {}, None
    with progress.bar("svc_grid", len(prices)) as tick:
        for made, price in enumerate(np.unique(prices)):
            model = copy(first)
            model.C = float(price)
            before = _trained(model, data, before)
            finish(model, merged([machine.solution for machine in before]), data.notes)
            found[price] = model
            tick(made + 1, model.fit_report_.objective)
    return [found[price] for price in prices]


def _trained(model, data, before):
    machines = []
    for k, (rows, sign) in enumerate(duel_rows(model, data.codes)):
        bound = model.C * data.weight[rows]
        part = data.gram if len(rows) == data.gram.n else data.gram.take(rows)
        start = None if before is None else _start(before[k], sign, bound)
        machines.append(classification(part, sign, bound, model, data.n_threads, start=start))
    store_machines(model, data, machines)
    return machines


def _start(machine, sign, bound):
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
