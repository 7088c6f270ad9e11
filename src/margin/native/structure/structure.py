"""Decomposable scores of Bayesian networks, and the searches that maximise them.

A scorer keeps every family it has scored; it is not to be used by two threads at once.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Codes = NDArray[np.uint16]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

ENDINGS = ("max_iter", "converged", "interrupted")
SCORES = {"bic": 0, "aic": 1, "bdeu": 2, "k2": 3}


def categorical_scorer(
    codes: Codes,
    cards: Integers,
    weight: Floats | None,
    score: str,
    sample_size: float,
    penalty_rows: float | None = None,
) -> Any:
    """Scorer of categorical columns, coded as in :mod:`margin.native.structure.contingency`.

    BIC takes the logarithm of ``penalty_rows``, by default of the weight of all rows.
    """
    if penalty_rows is None:
        penalty_rows = float(codes.shape[1] if weight is None else weight.sum())
    return _native.CategoricalScorer(codes, cards, weight, SCORES[score], sample_size, penalty_rows)


def gaussian_scorer(
    covariance: Floats, n_rows: float, score: str, penalty_rows: float | None = None
) -> Any:
    """Scorer of Gaussian columns with this covariance, computed with divisor ``n_rows``.

    BIC takes the logarithm of ``penalty_rows``, by default of ``n_rows``.
    """
    rows = n_rows if penalty_rows is None else penalty_rows
    return _native.GaussianScorer(covariance, n_rows, SCORES[score], rows)


def block_scorer(
    covariance: Floats,
    sizes: Sequence[int],
    n_rows: float,
    score: str,
    penalty_rows: float | None = None,
) -> Any:
    """Scorer of nodes of ``sizes`` neighbouring columns each, with this covariance of all columns.

    For nodes of one column it is :func:`gaussian_scorer`.
    """
    rows = n_rows if penalty_rows is None else penalty_rows
    return _native.BlockScorer(covariance, list(sizes), n_rows, SCORES[score], rows)


def switched_scorer(parts: Sequence[Any], which: Sequence[int]) -> Any:
    """Scorer that asks scorer ``parts[which[child]]`` for a child."""
    return _native.SwitchedScorer(tuple(parts), list(which))


def climb(
    scorer: Any,
    adjacency: Bytes,
    forbidden: Bytes,
    required: Bytes,
    *,
    max_parents: int,
    tabu: int,
    patience: int,
    max_iter: int,
    tol: float,
    n_threads: int,
) -> tuple[Bytes, Floats, str]:
    """Best graph met on a greedy walk from ``adjacency``, scores on the way, one of the endings.

    A keyboard interrupt ends the walk; so it does :func:`anneal` and :func:`order_chain`.
    """
    climbed = adjacency.copy()
    trace, end = _native.structure_climb(
        scorer, climbed, forbidden, required, max_parents, tabu, patience, max_iter, tol, n_threads
    )
    return climbed, np.array(trace), ENDINGS[end]


def anneal(
    scorer: Any,
    adjacency: Bytes,
    forbidden: Bytes,
    required: Bytes,
    *,
    max_parents: int,
    hot: float,
    cold: float,
    n_proposals: int,
    seed: int,
) -> tuple[Bytes, Floats, bool]:
    """Best graph met by simulated annealing from ``adjacency``, scores accepted, whether whole."""
    climbed = adjacency.copy()
    trace, whole = _native.structure_anneal(
        scorer, climbed, forbidden, required, max_parents, hot, cold, n_proposals, seed
    )
    return climbed, np.array(trace), bool(whole)


def family_table(scorer: Any, masks: NDArray[np.uint64], n_threads: int) -> Floats:
    """Score of every child (row) under every set of parents (bit mask); own bit: minus infinity."""
    out = np.empty((scorer.n_nodes, len(masks)))
    _native.family_table(scorer, masks, out, n_threads)
    return out


def best_network(scores: Floats, n_threads: int) -> tuple[float, NDArray[np.uint64]]:
    """Best total and bit masks of parents from scores of shape (p, 2**p), which it overwrites."""
    parents = np.empty(len(scores), dtype=np.uint64)
    return float(_native.best_network(scores, parents, n_threads)), parents


def order_chain(
    scores: Floats, masks: NDArray[np.uint64], burn_in: int, n_samples: int, thin: int, seed: int
) -> tuple[Floats, Floats, float]:
    """Mean arc probabilities over sampled orders, their log scores, share of moves accepted.

    After a keyboard interrupt over the orders sampled so far, if there are any.
    """
    p = len(scores)
    edges, trace = np.empty((p, p)), np.empty(n_samples)
    accepted, kept = _native.order_chain(
        scores, masks, burn_in, n_samples, thin, seed, edges, trace
    )
    return edges, trace[:kept], float(accepted)
