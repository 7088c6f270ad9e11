"""Many classes by machines for two."""

from itertools import combinations

import numpy as np

from margin.core.types import Array, Floats, Places

STRATEGIES = ("ovo", "ovr", "dag")


def duels(n_classes: int, strategy: str) -> list[tuple[int, int]]:
    """Positive and negative class of every machine; -1 stands for all other classes.

    Examples
    --------
    >>> duels(3, "ovo"), duels(3, "ovr"), duels(2, "ovo")
    ([(0, 1), (0, 2), (1, 2)], [(0, -1), (1, -1), (2, -1)], [(1, 0)])
    """
    if n_classes == 2:
        return [(1, 0)]
    if strategy == "ovr":
        return [(k, -1) for k in range(n_classes)]
    return list(combinations(range(n_classes), 2))


def members(codes: Array, duel: tuple[int, int]) -> tuple[Places, Floats]:
    """Rows that take part in a duel, and +1 or -1 for each."""
    positive, negative = duel
    rows = np.flatnonzero((codes == positive) | (codes == negative) | (negative == -1))
    return rows, np.where(codes[rows] == positive, 1.0, -1.0)


def class_duels(codes: Array, n_classes: int, strategy: str) -> list[tuple[Places, Floats]]:
    """Rows of every machine, and +1 or -1 for each of them."""
    if n_classes == 2:
        return [(np.arange(len(codes)), np.where(codes == 1, 1.0, -1.0))]
    return [members(codes, duel) for duel in duels(n_classes, strategy)]


def class_scores(scores: Array, n_classes: int) -> Floats:
    """Duels won by each class, ties decided by less than a third through the sum of the values.

    Parameters
    ----------
    scores : ndarray of shape (n, n_classes (n_classes - 1) / 2)
        Value of every pair, positive for its first class.

    Examples
    --------
    >>> class_scores(np.array([[1.0, 2.0, -1.0]]), 3).round(3)
    array([[ 2.25 , -0.222,  0.833]])
    """
    won = np.zeros((len(scores), n_classes))
    total = np.zeros_like(won)
    for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
        first = scores[:, k] > 0
        won[:, i] += first
        won[:, j] += ~first
        total[:, i] += scores[:, k]
        total[:, j] -= scores[:, k]
    return np.asarray(won + total / (3 * (np.abs(total) + 1)))


def winner_by_votes(scores: Array, n_classes: int) -> Places:
    """Class that wins most duels, the first of them if several do."""
    won = np.zeros((len(scores), n_classes), dtype=int)
    for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
        first = scores[:, k] > 0
        won[:, i] += first
        won[:, j] += ~first
    return np.asarray(won.argmax(axis=1))


def winner_by_elimination(scores: Array, n_classes: int) -> Places:
    """First and last class still standing meet, the loser leaves, until one is left.

    Examples
    --------
    >>> winner_by_elimination(np.array([[1.0, -2.0, 1.0]]), 3)
    array([1])
    """
    number = np.zeros((n_classes, n_classes), dtype=int)
    for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
        number[i, j] = k
    first = np.zeros(len(scores), dtype=int)
    last = np.full(len(scores), n_classes - 1)
    each = np.arange(len(scores))
    for _ in range(n_classes - 1):
        stays = scores[each, number[first, last]] > 0
        last = np.where(stays, last - 1, last)
        first = np.where(stays, first, first + 1)
    return first


def by_opponent(coef: Floats, codes: Array, n_classes: int) -> Floats:
    """Coefficients of pairs in scikit-learn's arrangement, of shape (n_classes - 1, n_support).

    A support vector of class ``c`` has a coefficient against each other class ``o``, in row ``o``
    or, beyond its own class, ``o - 1``.
    """
    out = np.zeros((n_classes - 1, len(codes)))
    for k, (i, j) in enumerate(combinations(range(n_classes), 2)):
        for own, other in ((i, j), (j, i)):
            mine = codes == own
            out[other if other < own else other - 1, mine] = coef[mine, k]
    return out
