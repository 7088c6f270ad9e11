"""Trees and forests against scikit-learn and scikit-learn-intelex."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

KINDS = {"classes": "Classifier", "numbers": "Regressor"}


@dataclass(frozen=True)
class Task:
    """Rows to learn from, rows to be judged by, and the number of trees."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    trees: int
    kind: str = "classes"


def task(n: int, p: int, trees: int = 100, kind: str = "classes") -> Task:
    """A curved score with noise, or two classes on both sides of it; a quarter is held out."""
    rng = np.random.default_rng(0)
    total = n + n // 4
    X = rng.standard_normal((total, p)).astype(np.float32)
    score = X[:, 0] * X[:, 1] + X[:, 2] - np.abs(X[:, 3]) + X[:, 4 : min(p, 10)].sum(axis=1)
    noisy = score + rng.standard_normal(total)
    y = (noisy > 0).astype(int) if kind == "classes" else noisy
    return Task(X[:n], y[:n], X[n:], y[n:], trees, kind)


def _single(module: str) -> Callable[[Task], Any]:
    def fit(data: Task) -> Any:
        cls = getattr(import_module(f"{module}.tree"), f"DecisionTree{KINDS[data.kind]}")
        return cls(random_state=0).fit(data.X, data.y)

    return fit


def _forest(module: str, name: str) -> Callable[[Task], Any]:
    def fit(data: Task) -> Any:
        cls = getattr(import_module(f"{module}.ensemble"), f"{name}{KINDS[data.kind]}")
        return cls(data.trees, random_state=0, n_jobs=-1).fit(data.X, data.y)

    return fit


def _error(data: Task, model: Any) -> float:
    """Share of the rows held out that are classified wrongly, or of their variance left."""
    predicted = model.predict(data.X_new)
    if data.kind == "classes":
        return float(np.mean(predicted != data.y_new))
    return float(np.mean((predicted - data.y_new) ** 2) / np.var(data.y_new))


def _target(kind: str, tolerance: float) -> Target:
    name = "error" if kind == "classes" else "share of the variance left"
    return Target(objective=_error, objective_name=f"{name} on rows held out", tolerance=tolerance)


def _contestants(name: str, intelex: bool, ratio: float | None) -> tuple[Contestant, ...]:
    ours = Contestant("margin", _forest("margin", name), ours=True)
    theirs = Contestant(
        "scikit-learn", _forest("sklearn", name), ("sklearn",), required_ratio=ratio
    )
    if not intelex:
        return ours, theirs
    other = Contestant("scikit-learn-intelex", _forest("sklearnex", name), ("sklearnex.ensemble",))
    return ours, theirs, other


def _sizes(kind: str, *shapes: tuple[int, ...]) -> tuple[Size, ...]:
    """Rows, columns and perhaps trees; the speed is asked for from a million numbers on."""
    return tuple(
        Size(
            f"{n:,} × {p}".replace(",", " ") + "".join(f", {trees} trees" for trees in some),
            {"n": n, "p": p, "kind": kind, **dict(zip(("trees",), some, strict=False))},
            n * p,
            required=n * p >= 1_000_000,
        )
        for n, p, *some in shapes
    )


def _tree_case(name: str, kind: str) -> Case:
    return Case(
        name=name,
        description=f"One tree of {kind} grown to the end on all thresholds.",
        make_data=task,
        sizes=_sizes(kind, (10_000, 30), (100_000, 30)),
        contestants=(
            Contestant("margin", _single("margin"), ours=True),
            Contestant("scikit-learn", _single("sklearn"), ("sklearn",)),
        ),
        target=_target(kind, 0.01),
        required_ratio=2.0,
        warm_up={"n": 200, "p": 10, "kind": kind},
        max_rounds=7,
    )


def _forest_case(name: str, kind: str, *shapes: tuple[int, ...], ratio: float | None) -> Case:
    return Case(
        name=name,
        description=f"A hundred trees of {kind} on bootstraps, two threads.",
        make_data=task,
        sizes=_sizes(kind, *shapes),
        contestants=_contestants("RandomForest", True, ratio),
        target=_target(kind, 0.01),
        required_ratio=1.1,
        warm_up={"n": 200, "p": 10, "trees": 5, "kind": kind},
        max_rounds=2,
    )


def _random_case(name: str, kind: str) -> Case:
    return Case(
        name=name,
        description=f"A hundred trees of {kind} with random thresholds, two threads.",
        make_data=task,
        sizes=_sizes(kind, (20_000, 50)),
        contestants=_contestants("ExtraTrees", False, None),
        target=_target(kind, 0.01),
        required_ratio=3.0,
        warm_up={"n": 200, "p": 10, "trees": 5, "kind": kind},
        max_rounds=5,
    )


LIBRARIES = {
    "margin": ("margin", ()),
    "scikit-learn": ("sklearn", ("sklearn",)),
    "scikit-learn-intelex": ("sklearnex", ("sklearnex.ensemble",)),
}


@cache
def _grown(module: str) -> Any:
    """A forest of a library, grown once and outside of the clock."""
    return _forest(module, "RandomForest")(task(20_000, 50))


def _new_rows(n: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((n, 50)).astype(np.float32)


def _ask(module: str) -> Callable[[Any], Any]:
    return lambda rows: _grown(module).predict_proba(rows)


CASES = (
    _tree_case("exact-tree", "classes"),
    _tree_case("exact-tree-numbers", "numbers"),
    _forest_case("random-forest", "classes", (20_000, 50), (200_000, 30), ratio=6.0),
    _forest_case("random-forest-numbers", "numbers", (20_000, 50), (200_000, 30, 10), ratio=6.0),
    _random_case("extra-trees", "classes"),
    _random_case("extra-trees-numbers", "numbers"),
    Case(
        name="forest-predict",
        description="Probabilities by a hundred trees grown to the end on 20 000 × 50.",
        make_data=_new_rows,
        sizes=(
            Size("1 × 50", {"n": 1}, 50, required=True),
            Size("100 000 × 50", {"n": 100_000}, 5_000_000, required=True),
        ),
        contestants=tuple(
            Contestant(name, _ask(module), requires, ours=name == "margin")
            for name, (module, requires) in LIBRARIES.items()
        ),
        target=Target(
            objective=lambda rows, p: float(np.abs(p.sum(axis=1) - 1).max()),
            objective_name="distance of the sums of probabilities from one",
            tolerance=1e-5,
        ),
        required_ratio=1.5,
        warm_up={"n": 10},
        max_rounds=50,
    ),
)
