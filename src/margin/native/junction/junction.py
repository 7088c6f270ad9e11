"""Exact inference on factor tables: planning and propagation in a tree of cliques."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
States = NDArray[np.int32]

HIDDEN, SLICED, UNARY = 0, 1, 2
HEURISTICS = {"auto": -1, "min-fill": 0, "min-weight": 1, "min-degree": 2, "weighted-min-fill": 3}
LANES = 16


class Junction:
    """One compiled structure; which variables are observed is part of it.

    Parameters
    ----------
    cards : sequence of int
    scopes : sequence of sequences of int
    roles : uint8 array
        Per variable: ``HIDDEN``, ``SLICED`` (observed in every row) or ``UNARY`` (observed in some
        rows, or with a likelihood).
    query : sequence of int
        Variables that must share a clique.
    order : sequence of int
        Elimination order; empty to search for one.
    heuristic : str
        A key of ``HEURISTICS``.
    batch : bool
        Whether many rows go through at a time.

    Raises
    ------
    OverflowError
        If no plan within reach exists.
    """

    def __init__(
        self,
        cards: NDArray[np.int64],
        scopes: tuple[NDArray[np.int64], NDArray[np.int64]],
        roles: NDArray[np.uint8],
        query: Sequence[int] = (),
        order: Sequence[int] = (),
        heuristic: str = "auto",
        batch: bool = False,
    ) -> None:
        self._native = _native.Junction(
            cards,
            scopes[0],
            scopes[1],
            roles,
            np.array(query, dtype=np.int64),
            np.array(order, dtype=np.int64),
            HEURISTICS[heuristic],
            batch,
        )
        self.entries = float(self._native.entries())
        self.batch = batch

    def describe(self) -> dict[str, Any]:
        """Cliques, parents, elimination order and table entries; no table is allocated."""
        description: dict[str, Any] = self._native.describe()
        return description

    def marginals(
        self,
        tables: Floats,
        evidence: States,
        likelihoods: Mapping[int, Floats],
        width: int,
        n_threads: int,
    ) -> tuple[Floats, Floats]:
        """Log mass per row, and the marginals of all variables side by side."""
        log_mass, out = np.empty(len(evidence)), np.empty((len(evidence), width))
        given = list(likelihoods.items())
        self._native.marginals(tables, evidence, given, log_mass, out, n_threads)
        return log_mass, out

    def counts(
        self,
        tables: Floats,
        evidence: States,
        likelihoods: Mapping[int, Floats],
        weight: Floats,
        n_threads: int,
    ) -> tuple[Floats, Floats]:
        """Log mass per row, and the weighted sum over rows of every factor's posterior table."""
        log_mass, out = np.empty(len(evidence)), np.empty(len(tables))
        given = list(likelihoods.items())
        self._native.counts(tables, evidence, given, log_mass, weight, out, n_threads)
        return log_mass, out

    def joint(
        self,
        tables: Floats,
        evidence: States,
        likelihoods: Mapping[int, Floats],
        width: int,
        n_threads: int,
    ) -> tuple[Floats, Floats]:
        """Log mass per row, and the posterior table of the unobserved query variables."""
        log_mass, out = np.empty(len(evidence)), np.empty((len(evidence), width))
        given = list(likelihoods.items())
        self._native.joint(tables, evidence, given, log_mass, out, n_threads)
        return log_mass, out

    def best(
        self,
        tables: Floats,
        evidence: States,
        likelihoods: Mapping[int, Floats],
        n_threads: int,
    ) -> tuple[Floats, States]:
        """Log mass of the best completion of every row, and the completion."""
        log_mass, out = np.empty(len(evidence)), np.empty(evidence.shape, dtype=np.int32)
        given = list(likelihoods.items())
        self._native.best(tables, evidence, given, log_mass, out, n_threads)
        return log_mass, out
