"""Maps of least stress by majorisation."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.isotonic import isotonic_regression

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats


@dataclass(frozen=True)
class StressProblem:
    r"""Distances that a map should have, and which of them are known.

    ``target`` has one entry per pair of rows, as :func:`scipy.spatial.distance.squareform` orders
    them; ``seen`` is None where all are known.
    """

    target: Floats
    n: int
    metric: bool = True
    seen: Bools | None = None


def least_stress(problem: StressProblem, start: Floats, *, tol: float, max_iter: int) -> Solution:
    r"""Minimise the stress by Guttman transforms (decomposition.13).

    .. math:: \sigma(Z) = \sum_{i < j} w_{ij} (\hat d_{ij} - \|z_i - z_j\|)^2, \qquad
              Z \leftarrow V^+ B(Z) Z

    with :math:`w_{ij}` zero where a distance is unknown. For metric scaling
    :math:`\hat d = d`, and the stress never rises, which is checked; for non-metric scaling
    :math:`\hat d` is the rising function of :math:`d` nearest to the distances on the map, of fixed
    size. Ends when an iteration lowers the stress by less than ``tol`` of the squared distances.

    Notes
    -----
    :math:`O(n^2)` an iteration.
    """
    stop = Stop(
        "gain of an iteration",
        tol,
        max_iter,
        keep="last",
        monotone=1e-9 if problem.metric else None,
        advice=("raise eps",),
    )
    return iterate(_states(problem, start), stop, solver="majorisation")


def _states(problem: StressProblem, start: Floats) -> Iterator[Iterate]:
    Z = start
    d = pdist(Z)
    wanted = disparities(problem, d)
    stress, size = _stress(problem, d, wanted)
    inverse = _inverse(problem)
    yield Iterate(Z, stress, None, 0, extras={"size": size})
    count = 0
    while True:
        count += 1
        ratio = np.divide(wanted, d, out=np.zeros_like(d), where=d > 0)
        if problem.seen is not None:
            ratio = np.where(problem.seen, ratio, 0.0)
        R = squareform(ratio)
        moved = R.sum(axis=1)[:, None] * Z - R @ Z
        Z = moved / problem.n if inverse is None else inverse @ moved
        d = pdist(Z)
        wanted = disparities(problem, d)
        before = stress
        stress, size = _stress(problem, d, wanted)
        gain = abs(before - stress) / size if size else 0.0
        yield Iterate(Z, stress, gain, count, extras={"size": size})


def disparities(problem: StressProblem, d: Floats) -> Floats:
    """The distances wanted: those given, or their nearest rising function of fixed size.

    Examples
    --------
    >>> problem = StressProblem(np.array([1.0, 2.0, 3.0]), 3, metric=False)
    >>> disparities(problem, np.array([2.0, 1.0, 3.0])).round(4)
    array([0.7071, 0.7071, 1.4142])
    """
    if problem.metric:
        return problem.target
    known = np.arange(len(d)) if problem.seen is None else np.flatnonzero(problem.seen)
    order = known[np.lexsort((d[known], problem.target[known]))]  # ties stay in the best order
    wanted = np.zeros_like(d)
    wanted[order] = isotonic_regression(d[order])
    length = float(np.sqrt((wanted**2).sum()))
    return wanted * (np.sqrt(len(known)) / length) if length else wanted


def _stress(problem: StressProblem, d: Floats, wanted: Floats) -> tuple[float, float]:
    """Stress, and the sum of the squared distances on the map."""
    gap = wanted - d
    if problem.seen is not None:
        gap, d = gap[problem.seen], d[problem.seen]
    return float(gap @ gap), float(d @ d)


def _inverse(problem: StressProblem) -> Floats | None:
    """Pseudo-inverse of the weights' Laplacian; None where all distances are known."""
    if problem.seen is None:
        return None
    V = -squareform(problem.seen.astype(np.float64))
    np.fill_diagonal(V, -V.sum(axis=1))
    return np.asarray(np.linalg.pinv(V, hermitian=True))
