"""Tables that some models are made for: counts, symbols, shares, series, and causal frames."""

from typing import Any

import numpy as np
import pandas as pd

Rng = np.random.Generator

KINDS = ("counts", "symbols", "shares", "binary")


def suited(rng: Rng, X: Any, kind: str, story: list[str]) -> Any:
    """The entries made such as a model of this kind can learn from; awkward ones stay.

    Examples
    --------
    >>> X = np.array([[-1.2, 0.4], [2.6, 1.1]])
    >>> suited(np.random.default_rng(0), X, "counts", [])
    array([[2., 1.],
           [5., 2.]])
    """
    story.append(kind)
    with np.errstate(all="ignore"):
        if kind == "counts":
            return np.round(2 * np.abs(X))
        if kind == "binary":
            return np.where(np.isnan(X), X, (X > 0).astype(float))
        if kind == "shares":
            total = np.abs(X).sum(axis=1, keepdims=True)
            return np.abs(X) / np.where(total > 0, total, 1.0)
        states = int(rng.choice([1, 2, 3, 9]))
        story.append(f"{states} symbols")
        codes = np.floor(np.abs(X) * states) % states
        return codes[:, :1] if rng.random() < 0.8 else codes


def pieces(rng: Rng, X: Any, story: list[str]) -> Any:
    """The rows as sequences of uneven length, some of them short or without rows."""
    cuts = np.sort(rng.integers(0, len(X) + 1, size=int(rng.integers(1, 6))))
    story.append(f"sequences cut at {cuts.tolist()}")
    return [np.ascontiguousarray(part) for part in np.split(X, cuts)]


def causal_frame(rng: Rng, X: Any, story: list[str]) -> pd.DataFrame:
    """Columns by their roles: treatment, outcome, instrument, unit, time, environment, others.

    Examples
    --------
    >>> frame = causal_frame(np.random.default_rng(0), np.ones((4, 2)), [])
    >>> list(frame)
    ['t', 'y', 'z', 'unit', 'time', 'env', 'x0', 'x1']
    """
    n = len(X)
    z = (rng.random(n) < 0.5).astype(int)
    with np.errstate(all="ignore"):
        lifted = X[:, 0] + z + rng.normal(size=n)
        t: Any = (lifted > 0.5).astype(int)
        outcome = X[:, 0] + t + rng.normal(size=n)
    how = str(rng.choice(["binary", "text", "three levels", "numbers", "one level"]))
    if how == "text":
        t = np.where(t > 0, "yes", "no")
    elif how == "three levels":
        t = t + z
    elif how == "numbers":
        t = lifted
    elif how == "one level":
        t = np.zeros(n, dtype=int)
    story.append(f"treatment: {how}")
    units = int(rng.choice([1, 3, 10]))
    frame = {
        "t": t,
        "y": outcome,
        "z": z,
        "unit": np.arange(n) % units,
        "time": np.arange(n) // units,
    }
    frame |= {"env": rng.integers(0, int(rng.choice([1, 2, 4])), size=n)}
    return pd.DataFrame(frame | {f"x{j}": X[:, j] for j in range(X.shape[1])})
