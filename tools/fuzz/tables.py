"""Tables and targets as nobody would like to have them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from tools.fuzz.files import text_of
from tools.fuzz.kinds import KINDS, causal_frame, pieces, suited

Rng = np.random.Generator

ROWS = (1, 2, 3, 5, 10, 17, 40, 90, 150, 300)
COLUMNS = (1, 2, 3, 4, 7, 20, 60)
SCALES = (1e-310, 1e-300, 1e-150, 1e-30, 1e-5, 1e5, 1e30, 1e150, 1e300)
DTYPES = ("float32", "float16", "int8", "int64", "uint64", "bool", "object", "longdouble")


class Case(NamedTuple):
    """What an estimator is given, and how it came about."""

    X: Any
    y: Any
    weight: Any
    story: str
    finite: bool
    other: Any = None


def case(rng: Rng, *, task: str, kind: str) -> Case:
    """Draw a table with its target.

    Examples
    --------
    >>> drawn = case(np.random.default_rng(0), task="regression", kind="table")
    >>> drawn.X.shape[0] == len(drawn.y)
    True
    """
    if kind.startswith("file "):
        content, told = text_of(rng, kind.removeprefix("file "))
        return Case(content, None, None, told, True)
    n, p = int(rng.choice(ROWS)), int(rng.choice(COLUMNS)) if kind != "curve" else 1
    story = [f"{n} x {p}"]
    X = _numbers(rng, n, p, story)
    y = _target(rng, X, task, story) if task in ("classification", "regression") else None
    if kind == "categorical":
        return _categories(rng, X, y, story)
    if kind == "causal":
        return Case(causal_frame(rng, X, story), None, None, ", ".join(story), False)
    # Other rows than those of the fit, without their troubles but of their scale.
    sizes = np.abs(X[np.isfinite(X)])
    other = rng.normal(size=(3, p)) * (float(np.median(sizes)) if sizes.size else 1.0)
    if kind in KINDS:
        X, other = (suited(rng, part, kind, story) for part in (X, other))
        other = other[:, : X.shape[1]]
    weight = _weight(rng, n, story)
    finite = bool(np.isfinite(X).all())
    if kind == "sequences" and _chance(rng, 0.4):
        return Case(pieces(rng, X, story), y, None, ", ".join(story), finite, other)
    return Case(_container(rng, X, story), y, weight, ", ".join(story), finite, other)


def _chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def _numbers(rng: Rng, n: int, p: int, story: list[str]) -> Any:
    X = rng.normal(size=(n, p))
    changes: dict[str, Callable[[], None]] = {
        "constant column": lambda: X.__setitem__((slice(None), 0), 3.0),
        "equal columns": lambda: X.__setitem__((slice(None), -1), X[:, 0]),
        "equal rows": lambda: X.__setitem__(slice(None), X[0]),
        "zeros": lambda: X.fill(0.0),
        "whole numbers": lambda: X.__setitem__(slice(None), np.round(2 * X)),
        "offset": lambda: X.__setitem__(slice(None), X + 1e8),
        "NaN": lambda: X.__setitem__((0, 0), np.nan),
        "column of NaN": lambda: X.__setitem__((slice(None), 0), np.nan),
        "infinity": lambda: X.__setitem__((-1, 0), np.inf),
        "outlier": lambda: X.__setitem__((0, 0), 1e12),
    }
    for name, change in changes.items():
        if _chance(rng, 0.07):
            change()
            story.append(name)
    if _chance(rng, 0.2):
        scale = float(rng.choice(SCALES))
        with np.errstate(all="ignore"):
            X *= scale
        story.append(f"times {scale:g}")
    return X


def _target(rng: Rng, X: Any, task: str, story: list[str]) -> Any:
    n = len(X)
    with np.errstate(all="ignore"):
        signal = np.nan_to_num(X[:, 0], nan=0.0, posinf=0.0, neginf=0.0)
    noise = rng.normal(size=n)
    if task == "classification":
        k = int(rng.choice([1, 2, 2, 2, 3, 5, 12]))
        codes = np.argsort(np.argsort(signal / (np.abs(signal).max() or 1.0) + noise)) * k // n
        story.append(f"{k} classes")
        names = {
            "numbers": lambda: codes,
            "text": lambda: np.array([f"class {c}" for c in codes]),
            "float": lambda: codes.astype(float),
            "bool": lambda: codes > 0,
            "object": lambda: codes.astype(object),
        }
        how = str(rng.choice(list(names)))
        story.append(f"labels as {how}")
        return names[how]()
    y = signal / (np.abs(signal).max() or 1.0) + noise
    if _chance(rng, 0.3):
        y = np.abs(np.round(3 * y))
        story.append("counts")
    if _chance(rng, 0.1):
        y = np.full(n, 2.0)
        story.append("constant target")
    if _chance(rng, 0.1):
        scale = float(rng.choice(SCALES))
        y = y * scale
        story.append(f"target times {scale:g}")
    if _chance(rng, 0.05):
        y[0] = rng.choice([np.nan, np.inf])
        story.append(f"target with {y[0]}")
    if _chance(rng, 0.07):
        y = np.column_stack([y, -y])
        story.append("two targets")
    elif _chance(rng, 0.05):
        y = y[:, None]
        story.append("target as a column")
    return y


def _weight(rng: Rng, n: int, story: list[str]) -> Any:
    kinds: dict[str, Callable[[], Any]] = {
        "none": lambda: None,
        "even": lambda: np.ones(n),
        "random": lambda: rng.random(n),
        "some zero": lambda: (rng.random(n) > 0.5).astype(float),
        "all zero": lambda: np.zeros(n),
        "negative": lambda: rng.normal(size=n),
        "huge": lambda: np.full(n, 1e300),
        "tiny": lambda: np.full(n, 1e-300),
        "too few": lambda: np.ones(max(n - 1, 0)),
    }
    share = np.array([0.7, 0.05, 0.06, 0.06, 0.03, 0.03, 0.03, 0.02, 0.02])
    how = str(rng.choice(list(kinds), p=share))
    if how != "none":
        story.append(f"weights: {how}")
    return kinds[how]()


def _container(rng: Rng, X: Any, story: list[str]) -> Any:
    kinds: dict[str, Callable[[], Any]] = {
        "array": lambda: X,
        "Fortran order": lambda: np.asfortranarray(X),
        "strided": lambda: np.repeat(X, 2, axis=0)[::2],
        "read-only": lambda: _frozen(X.copy()),
        "list": X.tolist,
        "frame": lambda: pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]),
        "frame with one name twice": lambda: pd.DataFrame(X, columns=["c"] * X.shape[1]),
        "dtype": lambda: _cast(rng, X, story),
        "sparse": lambda: _sparse(rng, X, story),
        "broken sparse": lambda: _broken(rng, X, story),
        "no rows": lambda: X[:0],
        "no columns": lambda: X[:, :0],
        "one dimension": lambda: X[:, 0],
        "three dimensions": lambda: X[:, :, None],
        "text": lambda: X.astype(str),
        "complex": lambda: X.astype(complex),
        "polars frame": lambda: pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])]),
    }
    share = np.array([30, 6, 4, 4, 4, 6, 3, 14, 12, 6, 2, 2, 2, 1, 3, 1, 5], dtype=float)
    how = str(rng.choice(list(kinds), p=share / share.sum()))
    story.append(how)
    return kinds[how]()


def _frozen(X: Any) -> Any:
    X.flags.writeable = False
    return X


def _cast(rng: Rng, X: Any, story: list[str]) -> Any:
    dtype = str(rng.choice(DTYPES))
    story.append(dtype)
    with np.errstate(all="ignore"):
        return X.astype(dtype)


def _sparse(rng: Rng, X: Any, story: list[str]) -> Any:
    how = str(rng.choice(["csr", "csc", "coo", "lil", "bsr", "dok"]))
    story.append(how)
    return sparse.coo_array(X * (rng.random(X.shape) < 0.4)).asformat(how)


def _broken(rng: Rng, X: Any, story: list[str]) -> Any:
    table = sparse.csr_array(X * (rng.random(X.shape) < 0.6))
    faults: dict[str, Callable[[], None]] = {
        "index too large": lambda: table.indices.fill(X.shape[1] + 1000),
        "negative index": lambda: table.indices.fill(-7),
        "pointers beyond the data": lambda: table.indptr.__setitem__(-1, 10**6),
        "pointers that fall": lambda: table.indptr.__setitem__(0, table.nnz),
    }
    how = str(rng.choice(list(faults)))
    faults[how]()
    story.append(how)
    return table


def _categories(rng: Rng, X: Any, y: Any, story: list[str]) -> Case:
    levels = int(rng.choice([1, 2, 3, 5, 30]))
    story.append(f"{levels} levels")
    codes = np.floor(np.abs(np.nan_to_num(X, posinf=0.0, neginf=0.0)) * levels) % levels
    frame = pd.DataFrame({f"c{j}": codes[:, j].astype(int) for j in range(X.shape[1])})
    kinds: dict[str, Callable[[], Any]] = {
        "numbers": lambda: frame,
        "text": lambda: frame.astype(str),
        "categories": lambda: frame.astype("category"),
        "with gaps": lambda: frame.astype(object).mask(rng.random(frame.shape) < 0.2),
        "one name twice": lambda: frame.set_axis(["c"] * frame.shape[1], axis=1),
        "floats": lambda: pd.DataFrame(X),
        "polars numbers": lambda: pl.DataFrame(frame.to_dict("list")),
        "polars text": lambda: pl.DataFrame(frame.astype(str).to_dict("list")),
    }
    how = str(rng.choice(list(kinds)))
    story.append(how)
    return Case(kinds[how](), y, None, ", ".join(story), how != "with gaps")
