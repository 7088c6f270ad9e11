"""Tables of the kinds that people bring to ``margin compare``, the same at every call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets

TARGET = "y"


@dataclass(frozen=True)
class Kind:
    """A kind of table.

    Parameters
    ----------
    make : makes the table; its target is the column :data:`TARGET`.
    se : about one standard error of a good score on a quarter of the rows.
    size : rows × columns, in words.
    """

    make: Callable[[], pd.DataFrame]
    se: float
    size: str


def _built_in(load: Callable[..., Any]) -> Callable[[], pd.DataFrame]:
    def make() -> pd.DataFrame:
        frame: pd.DataFrame = load(as_frame=True).frame
        return frame.rename(columns={"target": TARGET})

    return make


def _numbers(X: Any, y: Any) -> pd.DataFrame:
    return pd.DataFrame(X).add_prefix("x").assign(**{TARGET: y})


def houses(n: int = 20_000) -> pd.DataFrame:
    """Prices with two centres on a map, a jump, and noise (regression)."""
    rng = np.random.default_rng(1)
    north, east = rng.uniform(0, 10, (2, n))
    income, age = rng.gamma(4, 1, n), rng.integers(1, 52, n)
    rooms, crowd = rng.normal(5, 1.5, n), rng.gamma(9, 0.35, n)
    near = 1.2 * np.exp(-((north - 6) ** 2) / 2 - (east - 2) ** 2 / 2)
    near += 1.5 * np.exp(-((north - 2) ** 2 + (east - 6) ** 2) / 3)
    price = 0.45 * income + near + 0.3 * (income > 6) * (north > 4) - 0.15 * crowd
    price += 0.004 * age + 0.1 * np.sin(rooms) + rng.normal(0, 0.35, n)
    columns = {"north": north, "east": east, "income": income, "age": age, "rooms": rooms}
    more = {"crowd": crowd, "beds": rooms / 4 + rng.normal(0, 0.2, n), "people": rng.random(n)}
    return pd.DataFrame({**columns, **more, TARGET: price})


def big(n: int = 60_000) -> pd.DataFrame:
    """Two classes by products, squares and waves of six of twenty columns."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 20))
    f = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3] ** 2 - 1
    f += 0.5 * X[:, 4] + (X[:, 5] > 0) * X[:, 6] + rng.normal(0, 0.6, n)
    return _numbers(X, np.where(f > 0, "yes", "no"))


def species(n: int = 2500) -> pd.DataFrame:
    """Five classes by five measures with gaps and two columns of categories."""
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 5, n)
    X = rng.normal(size=(n, 5)) + 0.9 * rng.integers(0, 3, (5, 5))[kind]
    X[rng.random(X.shape) < 0.08] = np.nan
    habitat = np.array(["wood", "field", "rock", "shore"])[(kind + rng.integers(0, 3, n)) % 4]
    sex = np.where(rng.random(n) < 0.1, None, np.array(["m", "f"])[rng.integers(0, 2, n)])
    return _numbers(X, np.array(list("ABCDE"))[kind]).assign(habitat=habitat, sex=sex)


def quality(n: int = 2400) -> pd.DataFrame:
    """Six ordered levels of a hidden quality."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 10))
    z = X[:, 0] + 0.8 * X[:, 1] - 0.5 * X[:, 2] * X[:, 3] + 0.4 * X[:, 4] ** 2
    z += rng.normal(0, 1, n)
    return _numbers(X, np.searchsorted(np.quantile(z, [0.03, 0.15, 0.5, 0.8, 0.95]), z) + 3)


def fraud(n: int = 20_000) -> pd.DataFrame:
    """One row of two hundred is a fraud."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 8))
    z = 1.3 * X[:, 0] + X[:, 1] + 0.8 * X[:, 2] * X[:, 3] + 0.7 * rng.logistic(size=n)
    return _numbers(X, (z > np.quantile(z, 1 - 1 / 200)).astype(int))


def wide() -> pd.DataFrame:
    """Twenty of three thousand columns differ a little between two classes."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 3000)), rng.integers(0, 2, 60)
    X[:, :20] += y[:, None]
    return _numbers(X, np.where(y, "ill", "well"))


def levels(n: int = 3000) -> pd.DataFrame:
    """Two columns of sixty and fifteen levels, one of which changes a slope."""
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 60, n), rng.integers(0, 15, n)
    first, second = rng.normal(size=60)[a], rng.normal(size=15)[b]
    x = rng.normal(size=(n, 2))
    z = first + second + x[:, 0] + 0.8 * first * x[:, 1] + 0.6 * rng.logistic(size=n)
    names = {"town": [f"t{i}" for i in a], "kind": [f"k{i}" for i in b]}
    return _numbers(x, np.where(z > 0, "yes", "no")).assign(**names)


def counts(n: int = 3000) -> pd.DataFrame:
    """Counts whose logarithm is linear."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(n, 6))
    mean = np.exp(0.7 + 0.5 * X[:, 0] - 0.4 * X[:, 1] + 0.3 * X[:, 2])
    return _numbers(X, rng.poisson(mean))


def interactions(n: int = 3000) -> pd.DataFrame:
    """Friedman's first function of ten columns (regression)."""
    return _numbers(*datasets.make_friedman1(n, 10, noise=1.0, random_state=9))


def mixed_numbers(n: int = 3000) -> pd.DataFrame:
    """Numbers with gaps, categories and dates (regression)."""
    rng = np.random.default_rng(10)
    kind = rng.choice(list("abcd"), n)
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    X = rng.normal(size=(n, 4))
    z = X[:, 0] * (kind == "a") + X[:, 1] + 0.8 * (day.month > 6) + rng.normal(0, 0.7, n)
    X[rng.random(X.shape) < 0.05] = np.nan
    return _numbers(X, z).assign(kind=kind, day=day)


def mixed_classes(n: int = 2000) -> pd.DataFrame:
    """The same columns and an ordered one, two classes."""
    table = mixed_numbers(n)
    rng = np.random.default_rng(11)
    table["size"] = rng.choice(["low", "medium", "high"], n)
    table[TARGET] = np.where(table[TARGET] + (table["size"] == "low") > 0.8, "in", "out")
    return table


KINDS = {
    "digits": Kind(_built_in(datasets.load_digits), 0.007, "1 797 × 64"),
    "species": Kind(species, 0.018, "2 500 × 7"),
    "quality": Kind(quality, 0.020, "2 400 × 10"),
    "fraud": Kind(fraud, 0.050, "20 000 × 8"),
    "houses": Kind(houses, 0.005, "20 000 × 8"),
    "big": Kind(big, 0.003, "60 000 × 20"),
    "cancer": Kind(_built_in(datasets.load_breast_cancer), 0.015, "569 × 30"),
    "wine": Kind(_built_in(datasets.load_wine), 0.030, "178 × 13"),
    "diabetes": Kind(_built_in(datasets.load_diabetes), 0.070, "442 × 10"),
    "wide": Kind(wide, 0.100, "60 × 3 000"),
    "levels": Kind(levels, 0.015, "3 000 × 4"),
    "counts": Kind(counts, 0.030, "3 000 × 6"),
    "interactions": Kind(interactions, 0.010, "3 000 × 10"),
    "mixed-numbers": Kind(mixed_numbers, 0.020, "3 000 × 6"),
    "mixed-classes": Kind(mixed_classes, 0.018, "2 000 × 7"),
}
