"""The cubic smoothing spline of very many points, at a given strength."""

from typing import Any

import numpy as np

from benchmarks import data, objectives
from benchmarks.case import Case, Contestant, Size, Target

STRENGTH = 1e6


def _margin(table: data.Table) -> np.ndarray:
    from margin.linear import SmoothingSpline

    fitted: np.ndarray = SmoothingSpline(alpha=STRENGTH).fit(table.X, table.y).values_
    return fitted


def _scipy(table: data.Table) -> np.ndarray:
    from scipy.interpolate import make_smoothing_spline

    curve = make_smoothing_spline(table.X, table.y, lam=STRENGTH)
    return np.asarray(curve(table.X))


def _objective(table: data.Table, values: Any) -> float:
    return objectives.spline_objective(table, values, STRENGTH)


CASES = (
    Case(
        name="smoothing-spline",
        description=(
            "Natural cubic smoothing spline with a knot at every point, α = 10⁶ for points about 1"
            " apart; fit, and values at the points. Ours also gives the degrees of freedom."
        ),
        make_data=data.noisy_curve,
        sizes=tuple(
            Size(label, {"n": n}, n, required=n == 100_000)
            for label, n in (("10 000", 10_000), ("100 000", 100_000), ("1 000 000", 1_000_000))
        ),
        contestants=(
            Contestant("margin", _margin, ("margin.linear:SmoothingSpline",), ours=True),
            Contestant("SciPy", _scipy, ("scipy.interpolate:make_smoothing_spline",)),
        ),
        target=Target(
            objective=_objective,
            objective_name="(‖y − f‖² + α∫f″²) / n",
            tolerance=1e-6,
        ),
        required_ratio=1.0,
        warm_up={"n": 200},
    ),
)
