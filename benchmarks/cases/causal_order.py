"""Causal order and graph from rows: linear with uniform noise, and smooth with normal noise."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class World:
    """Rows and the true arrows, entry [i, j]: j causes i."""

    rows: np.ndarray
    arrows: np.ndarray


def linear_rows(n: int, p: int) -> World:
    """Linear equations with two causes a column on average and uniform noise."""
    rng = np.random.default_rng(0)
    arrows = np.tril(rng.random((p, p)) < min(1.0, 4.0 / (p - 1)), -1)
    effects = arrows * rng.uniform(0.4, 0.9, (p, p)) * rng.choice([-1, 1], (p, p))
    X = np.zeros((n, p))
    for i in range(p):
        X[:, i] = X @ effects[i] + rng.uniform(-1, 1, n)
    mixed = rng.permutation(p)
    return World(X[:, mixed], arrows[np.ix_(mixed, mixed)])


def smooth_rows(n: int, p: int) -> World:
    """Sums of bent functions with normal noise."""
    rng = np.random.default_rng(1)
    bends = (
        lambda u: 2 * np.sin(1.5 * u),
        lambda u: 1.5 * np.abs(u),
        lambda u: 1.5 * np.tanh(2 * u) + 0.3 * u**2,
    )
    arrows = np.tril(rng.random((p, p)) < 0.3, -1)
    X = np.zeros((n, p))
    for i in range(p):
        for j in np.flatnonzero(arrows[i]):
            X[:, i] += bends[rng.integers(3)](X[:, j])
        X[:, i] += rng.normal(size=n) * rng.uniform(0.5, 1.0)
    mixed = rng.permutation(p)
    return World(X[:, mixed], arrows[np.ix_(mixed, mixed)])


def _direct(data: World) -> Any:
    from margin.causal import DirectLiNGAM

    return DirectLiNGAM().fit(data.rows).order_


def _direct_lingam(data: World) -> Any:
    import lingam

    return lingam.DirectLiNGAM().fit(data.rows).causal_order_


def _resit(data: World) -> Any:
    from margin.causal import RESIT

    return RESIT().fit(data.rows).order_


def _resit_lingam(data: World, forest: bool) -> Any:
    import lingam
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.kernel_ridge import KernelRidge

    # The forest is that of its own documentation; the other is quick, with widths set by hand.
    regressor = (
        RandomForestRegressor(max_depth=4, random_state=0)
        if forest
        else KernelRidge(kernel="rbf", gamma=0.3, alpha=0.1)
    )
    return lingam.RESIT(regressor=regressor).fit(data.rows).causal_order_


def _turned(data: World, order: Any) -> float:
    """Share of the arrows whose effect stands before its cause."""
    place = {int(column): at for at, column in enumerate(order)}
    turned = sum(place[int(j)] > place[int(i)] for i, j in np.argwhere(data.arrows))
    return float(turned / data.arrows.sum())


OURS, PEER = ("margin.causal",), ("lingam",)
TARGET = Target(objective=_turned, objective_name="arrows turned / arrows", tolerance=0.05)


def _direct_case(name: str, size: Size, ratio: float) -> Case:
    return Case(
        name=name,
        description="DirectLiNGAM by pairwise likelihood ratios, uniform noise, lingam's default.",
        make_data=linear_rows,
        sizes=(size,),
        contestants=(
            Contestant("margin", _direct, requires=OURS, ours=True),
            Contestant("lingam", _direct_lingam, requires=PEER),
        ),
        target=TARGET,
        required_ratio=ratio,
        warm_up={"n": 100, "p": 4},
        max_rounds=2,
    )


CASES = (
    _direct_case(
        "direct-lingam", Size("1 000 × 20", {"n": 1000, "p": 20}, 20_000, required=True), 20.0
    ),
    _direct_case(
        "direct-lingam-100",
        Size("5 000 × 100", {"n": 5000, "p": 100}, 500_000, required=True),
        50.0,
    ),
    Case(
        name="resit",
        description="Order and parents by independence of residuals, smooth functions.",
        make_data=smooth_rows,
        sizes=(Size("500 × 8", {"n": 500, "p": 8}, 4000, required=True),),
        contestants=(
            Contestant("margin", _resit, requires=OURS, ours=True),
            Contestant("lingam, forest", lambda data: _resit_lingam(data, True), requires=PEER),
            Contestant(
                "lingam, kernel ridge",
                lambda data: _resit_lingam(data, False),
                requires=PEER,
                required_ratio=1.0,
            ),
        ),
        # A forest turns arrows that smoother regressions do not: it takes part all the same.
        target=Target(objective=_turned, objective_name="arrows turned / arrows", tolerance=1.0),
        required_ratio=10.0,
        warm_up={"n": 50, "p": 2},
        max_rounds=2,
    ),
)
