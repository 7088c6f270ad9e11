"""Which search suits the points, and why."""

from dataclasses import dataclass

from margin.core import check
from margin.neighbors.search._metric import Metric

ALGORITHMS = ("auto", "brute", "kd_tree", "ball_tree")
_FEW_ROWS = 64
_MOST_COLUMNS = 9


@dataclass(frozen=True)
class Choice:
    """A method of search and the reason for it.

    Parameters
    ----------
    method : {"brute", "kd_tree", "ball_tree"}
    reason : str
        For people.
    """

    method: str
    reason: str


def choose(owner: object, algorithm: str, metric: Metric, n: int, p: int) -> Choice:
    """The method asked for, if it can serve the metric; ``"auto"`` takes the fastest.

    Examples
    --------
    >>> choose("NearestNeighbors", "auto", Metric("euclidean"), 100_000, 3)
    Choice(method='kd_tree', reason='3 columns, few enough for boxes to rule out most rows')
    """
    if algorithm == "kd_tree" and not metric.boxed:
        raise ValueError(_cannot(owner, metric, algorithm))
    if algorithm == "ball_tree" and not metric.balled:
        raise ValueError(_cannot(owner, metric, algorithm))
    if algorithm != "auto":
        return Choice(algorithm, "asked for")
    if metric.pairs is not None:
        return Choice("brute", f"the metric {metric.name!r} is known by its matrices only")
    if not metric.boxed:
        return Choice("brute", f"boxes do not bound the metric {metric.name!r}")
    if n < _FEW_ROWS:
        return Choice("brute", f"{n} rows, too few for a tree to pay")
    if p > _MOST_COLUMNS:
        return Choice("brute", f"{p} columns, too many for boxes to rule out rows")
    return Choice("kd_tree", f"{p} columns, few enough for boxes to rule out most rows")


def _cannot(owner: object, metric: Metric, algorithm: str) -> str:
    if metric.power < 1:
        return (
            f'{check.named(owner)}: algorithm="{algorithm}" does not support 0 < p < 1 for the '
            "Minkowski metric. To resolve this problem either set p >= 1 or "
            'algorithm="brute".'
        )
    return (
        f"{check.named(owner)}: Metric {metric.name!r} not valid for algorithm {algorithm!r}. "
        "Use algorithm='brute' or 'auto'"
    )
