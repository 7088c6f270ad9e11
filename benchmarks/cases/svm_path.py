"""Support vector machines for a list of prices of errors."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.cases.svm import EXCESS, FITTERS, TOLERANCES, curved_classes

PRICES = tuple(np.geomspace(0.1, 100.0, 16))


def _one_by_one(library: str) -> Callable[..., Any]:
    def fit(table: data.Table, **setting: Any) -> Any:
        make = import_module(FITTERS[library]).SVC
        return [make(C=price, **setting).fit(table.X, table.y) for price in PRICES]

    return fit


def _warm(table: data.Table, **setting: Any) -> Any:
    svm = import_module("margin.svm")
    return svm.svc_grid(svm.SVC(**setting), table.X, table.y, C=PRICES)


def _exact(table: data.Table, **setting: Any) -> Any:
    path = import_module("margin.svm").svc_path(table.X, table.y, C_min=PRICES[0], C_max=PRICES[-1])
    return [path.at(price) for price in PRICES]


def _mean_loss(table: data.Table, fitted: Any) -> float:
    """Mean over the prices of the objective divided by price and rows."""
    sign = np.where(table.y == 1, 1.0, -1.0)
    total = 0.0
    for price, model in zip(PRICES, fitted, strict=True):
        scores = np.asarray(model.decision_function(table.X), float)
        coef = np.asarray(model.dual_coef_, float).ravel()
        inner = scores[np.asarray(model.support_, int)] - float(np.ravel(model.intercept_)[0])
        loss = np.maximum(0.0, 1.0 - sign * scores).sum()
        total += (0.5 * coef @ inner / price + loss) / len(sign)
    return float(total / len(PRICES))


CASES = (
    Case(
        name="svc-prices",
        description="Support vector classification, Gaussian kernel, 16 prices C from 0.1 to 100.",
        make_data=curved_classes,
        sizes=tuple(
            Size(f"{n:,} × 10".replace(",", " "), {"n": n, "p": 10}, 10 * n) for n in (1_000, 4_000)
        ),
        contestants=(
            Contestant("margin svc_grid", _warm, ("margin.svm:svc_grid",), TOLERANCES, ours=True),
            *(
                Contestant(library, _one_by_one(library), (f"{module}:SVC",), TOLERANCES)
                for library, module in FITTERS.items()
                if library != "margin"
            ),
            Contestant(
                "margin, one by one",
                _one_by_one("margin"),
                ("margin.svm:SVC",),
                TOLERANCES,
                binding=False,
            ),
            Contestant(
                "margin svc_path",
                _exact,
                ("margin.svm:svc_path",),
                binding=False,
                note="finds the machines of all prices, not only of these",
            ),
        ),
        target=Target(
            objective=_mean_loss,
            objective_name="mean over C of (‖w‖²/2C + total hinge loss) per row",
            tolerance=EXCESS,
        ),
        warm_up={"n": 300, "p": 5},
        max_rounds=2,
    ),
)
