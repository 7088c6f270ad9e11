"""Trees and forests against scikit-learn and scikit-learn-intelex."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class Task:
    """Rows to learn from, rows to be judged by, and the number of trees."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    trees: int


def task(n: int, p: int, trees: int = 100) -> Task:
    """Two classes on both sides of a curved boundary, with noise; a quarter is held out."""
    rng = np.random.default_rng(0)
    total = n + n // 4
    X = rng.standard_normal((total, p)).astype(np.float32)
    score = X[:, 0] * X[:, 1] + X[:, 2] - np.abs(X[:, 3]) + X[:, 4 : min(p, 10)].sum(axis=1)
    y = (score + rng.standard_normal(total) > 0).astype(int)
    return Task(X[:n], y[:n], X[n:], y[n:], trees)


def _single(module: str) -> Callable[[Task], Any]:
    def fit(data: Task) -> Any:
        from importlib import import_module

        model = import_module(f"{module}.tree").DecisionTreeClassifier(random_state=0)
        return model.fit(data.X, data.y)

    return fit


def _forest(module: str, name: str) -> Callable[[Task], Any]:
    def fit(data: Task) -> Any:
        from importlib import import_module

        cls = getattr(import_module(f"{module}.ensemble"), name)
        return cls(data.trees, random_state=0, n_jobs=-1).fit(data.X, data.y)

    return fit


def _error(data: Task, model: Any) -> float:
    """Share of the held-out rows that are classified wrongly."""
    return float(np.mean(model.predict(data.X_new) != data.y_new))


def _target(tolerance: float) -> Target:
    return Target(objective=_error, objective_name="error on rows held out", tolerance=tolerance)


def _contestants(name: str, intelex: bool) -> tuple[Contestant, ...]:
    ours = Contestant("margin", _forest("margin", name), ours=True)
    ratio = 6.0 if intelex else 3.0
    theirs = Contestant(
        "scikit-learn", _forest("sklearn", name), ("sklearn",), required_ratio=ratio
    )
    if not intelex:
        return ours, theirs
    other = Contestant("scikit-learn-intelex", _forest("sklearnex", name), ("sklearnex.ensemble",))
    return ours, theirs, other


CASES = (
    Case(
        name="exact-tree",
        description="One classification tree grown to the end on all thresholds.",
        make_data=task,
        sizes=(
            Size("10 000 × 30", {"n": 10_000, "p": 30}, 300_000),
            Size("100 000 × 30", {"n": 100_000, "p": 30}, 3_000_000, True),
        ),
        contestants=(
            Contestant("margin", _single("margin"), ours=True),
            Contestant("scikit-learn", _single("sklearn"), ("sklearn",)),
        ),
        target=_target(0.01),
        required_ratio=2.0,
        warm_up={"n": 200, "p": 10},
    ),
    Case(
        name="random-forest",
        description="A hundred classification trees on bootstraps.",
        make_data=task,
        sizes=(
            Size("20 000 × 50", {"n": 20_000, "p": 50}, 1_000_000),
            Size("200 000 × 30", {"n": 200_000, "p": 30}, 6_000_000, True),
        ),
        contestants=_contestants("RandomForestClassifier", True),
        target=_target(0.005),
        required_ratio=1.1,
        warm_up={"n": 200, "p": 10, "trees": 5},
    ),
    Case(
        name="extra-trees",
        description="A hundred classification trees with random thresholds.",
        make_data=task,
        sizes=(Size("20 000 × 50", {"n": 20_000, "p": 50}, 1_000_000, True),),
        contestants=_contestants("ExtraTreesClassifier", False),
        target=_target(0.005),
        required_ratio=3.0,
        warm_up={"n": 200, "p": 10, "trees": 5},
    ),
)
