"""Second moments of numeric columns, with unknown values integrated out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import numpy as np

from margin.core import Iterate, Stop, check, iterate, missing
from margin.core.types import Floats
from margin.linalg import gram, lstsq, weighted_means


@dataclass(frozen=True, eq=False)
class Moments:
    """Maximum-likelihood mean and covariance of Gaussian columns.

    Without unknown values these are the sample moments with divisor :math:`n`; with them, the
    fixed point of EM under values missing at random.

    Parameters
    ----------
    names : tuple
        Names of the columns.
    mean, covariance : ndarray
        Moments.
    n_rows : float
        Rows behind them: with unknown values, the smallest number of rows that know a pair.

    Examples
    --------
    >>> Moments.of("Example", [[0.0, 1.0], [2.0, 5.0]]).covariance
    array([[1., 2.],
           [2., 4.]])
    """

    names: tuple[Any, ...]
    mean: Floats
    covariance: Floats
    n_rows: float

    @classmethod
    def of(
        cls,
        owner: str,
        frame: Any,
        *,
        sample_weight: Any = None,
        tol: float = 1e-8,
        max_iter: int = 500,
    ) -> Moments:
        """Moments of a frame or of a two-dimensional array of numbers; NaN means unknown."""
        named = hasattr(frame, "columns")
        try:
            X = np.asarray(frame, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(
                owner, "X", "numbers for a Gaussian test or score", str(error)
            ) from error
        if X.ndim != 2 or not X.size:
            raise check.fail(owner, "X", "a table of at least one row and one column", X.shape)
        names = tuple(frame.columns) if named else tuple(range(X.shape[1]))
        given = check.weights(owner, sample_weight, len(X))
        with np.errstate(over="ignore", invalid="ignore"):
            complete = bool(np.isfinite(np.add.reduce(X, axis=None)))
        if complete:  # one sum tells: neither infinity nor NaN leaves it finite
            return cls._of_complete(names, X, given)
        if np.isinf(X).any():
            raise check.fail(owner, "X", "finite or NaN", "infinity")
        weight = np.ones(len(X)) if given is None else given
        known = missing.observed(X)
        if not known.any(axis=0).all():
            column = names[int(np.argmin(known.any(axis=0)))]
            raise check.fail(owner, f"column {column!r}", "observed somewhere", "no value")
        if known.all():  # but their sum overflows
            return cls._of_complete(names, X, given)
        mean, covariance = _em(X, weight, tol, max_iter)
        pairs = (known * weight[:, None]).T @ known.astype(np.float64)
        return cls(names, mean, covariance, float(pairs.min()))

    @classmethod
    def _of_complete(cls, names: tuple[Any, ...], X: Floats, weight: Floats | None) -> Moments:
        total = float(len(X)) if weight is None else float(weight.sum())
        mean = weighted_means(X, weight)
        return cls(names, mean, gram(X, weight, mean)[0] / total, total)

    @property
    def correlation(self) -> Floats:
        """Correlation matrix; a constant column is uncorrelated with every other."""
        scale = np.sqrt(np.diag(self.covariance))
        safe = np.where(scale > 0, scale, 1.0)
        r = self.covariance / np.outer(safe, safe)
        r[scale <= 0, :] = 0.0
        r[:, scale <= 0] = 0.0
        np.fill_diagonal(r, 1.0)
        return np.ascontiguousarray(r)


def _em(X: Floats, weight: Floats, tol: float, max_iter: int) -> tuple[Floats, Floats]:
    rules = Stop("relative change of a covariance", tol, max_iter, keep="last")
    solution = iterate(_states(X, weight), rules, solver="expectation maximisation")
    if solution.interrupted:
        raise KeyboardInterrupt
    mean, covariance = cast(tuple[Floats, Floats], solution.x)
    return mean, covariance


def _states(X: Floats, weight: Floats) -> Iterator[Iterate]:
    """Mean and covariance after every iteration."""
    mean = np.nanmean(X, axis=0)
    covariance = np.diag(np.nanvar(X, axis=0))
    groups = list(missing.patterns(X))
    yield Iterate((mean, covariance), 0.0)
    for n_iter in count(1):
        mean, new = _improved(X, weight, groups, mean, covariance)
        scale = np.sqrt(np.outer(np.diag(new), np.diag(new))) + np.finfo(float).tiny
        change = float(np.abs((new - covariance) / scale).max())
        covariance = new
        yield Iterate((mean, covariance), 0.0, change, n_iter)


def _improved(
    X: Floats,
    weight: Floats,
    groups: list[missing.Pattern],
    mean: Floats,
    covariance: Floats,
) -> tuple[Floats, Floats]:
    """Moments of the rows with every gap replaced by its expectation, and the spread around it."""
    n, p = float(weight.sum()), X.shape[1]
    first, second = np.zeros(p), np.zeros((p, p))
    for rows, seen in groups:
        hidden = np.setdiff1d(np.arange(p), seen)
        filled = np.tile(mean, (len(rows), 1))
        filled[:, seen] = X[np.ix_(rows, seen)]
        if len(hidden):
            inner = covariance[np.ix_(seen, seen)]
            gain = lstsq(inner, covariance[np.ix_(seen, hidden)])
            filled[:, hidden] += (filled[:, seen] - mean[seen]) @ gain
            left = covariance[np.ix_(hidden, hidden)] - covariance[np.ix_(hidden, seen)] @ gain
            second[np.ix_(hidden, hidden)] += weight[rows].sum() * left
        first += weight[rows] @ filled
        second += (filled * weight[rows, None]).T @ filled
    new_mean = first / n
    new = second / n - np.outer(new_mean, new_mean)
    return new_mean, (new + new.T) / 2
