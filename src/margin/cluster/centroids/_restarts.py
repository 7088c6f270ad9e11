"""Several starts of k-means, and what all its kin do at the border."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning

from margin.core import Solution, check
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.inference.em._restarts import best_start

Start = TypeVar("Start")


def n_starts(owner: Any, init: Any, n_init: Any, many: int) -> int:
    """How many starts ``n_init`` asks for; a given array is one start."""
    array = not isinstance(init, str) and not callable(init)
    if isinstance(n_init, str) and n_init == "auto":
        return 1 if array or (isinstance(init, str) and init in ("k-means++", "first")) else many
    whole = isinstance(n_init, int | np.integer) and not isinstance(n_init, bool)
    if not whole or n_init < 1:
        raise check.fail(owner, "n_init", "'auto' or an integer of at least 1", n_init)
    if array and n_init > 1:
        warnings.warn(
            f"{check.named(owner)}: Explicit initial center position passed: performing only one "
            f"init instead of n_init={n_init}.",
            RuntimeWarning,
            stacklevel=4,
        )
        return 1
    return int(n_init)


def best_of(climb: Callable[[Start], Solution], draw: Callable[[], Start], count: int) -> Solution:
    """The solution of the lowest objective of several starts."""
    if count == 1:
        return climb(draw())

    def drawn() -> Iterator[Start]:
        for _ in range(count):
            yield draw()

    best = best_start(climb, drawn())
    extras = {k: v for k, v in best.extras.items() if k != "bounds"}
    return replace(best, extras=extras)


def told_of_few(owner: Any, solution: Solution, label: Array, k: int) -> Solution:
    """The solution, with a word and a warning where fewer clusters than asked for have rows."""
    distinct = n_distinct(label)
    if distinct >= k:
        return solution
    warnings.warn(
        f"{check.named(owner)}: Number of distinct clusters ({distinct}) found smaller than "
        f"n_clusters ({k}). Possibly due to duplicate points in X.",
        ConvergenceWarning,
        stacklevel=4,
    )
    told = f"{k - distinct} of {k} clusters have no rows: too few of the rows are distinct"
    return replace(solution, repairs=(*solution.repairs, told))


def n_distinct(label: Array) -> int:
    """How many labels, numbered from zero, have rows."""
    return int(np.count_nonzero(np.bincount(label)))


def mean_variance(X: Any) -> float:
    """Mean over the columns of their variances: the unit of ``tol``."""
    if issparse(X):
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        return float(np.mean(np.maximum(square - mean**2, 0.0)))
    return float(np.mean(np.var(X, axis=0, dtype=np.float64)))


def as_given(centres: Floats, X: Any) -> Array:
    """Centres in the precision of the table."""
    return centres.astype(np.float32 if X.dtype == np.float32 else np.float64)


class Speaker:
    """Prints what happens, for ``verbose``."""

    def __init__(self, verbose: Any) -> None:
        self.verbose = bool(verbose)

    def say(self, text: str) -> None:
        """One line on the standard output."""
        if self.verbose:
            sys.stdout.write(text + "\n")

    def callback(self) -> Callback | None:
        """What the driver calls after every iteration."""
        if not self.verbose:
            return None
        return lambda n, inertia: self.say(f"Iteration {n - 1}, inertia {inertia}.")

    def converged(self, solution: Solution) -> None:
        """Why a search ended."""
        if not self.verbose or not solution.status.ok:
            return
        proof = solution.certificate
        value = 0.0 if proof is None else proof.value
        if value == 0.0:
            self.say(f"Converged at iteration {solution.n_iter - 1}: strict convergence.")
        else:
            self.say(
                f"Converged at iteration {solution.n_iter - 1}: center shift {value} within "
                f"tolerance {proof.tolerance if proof else 0.0}."
            )
