"""Targets that give a row any number of labels, as a matrix of zeros and ones."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.preprocessing import LabelBinarizer

from margin.core.types import Array


class LabelSets(NamedTuple):
    """The fitted binarizer of the labels and, for each, +1 for its rows and -1 for the rest."""

    binarizer: Any
    sides: list[Array]


def is_indicator(y: Any) -> bool:
    """Whether a target is a matrix of more than one column.

    Examples
    --------
    >>> is_indicator([[0, 1], [1, 1]]), is_indicator([[0], [1]]), is_indicator(["a", "b"])
    (True, False, False)
    """
    if issparse(y):
        return True
    try:
        shape = np.asarray(y).shape
    except ValueError:  # rows of different lengths
        return False
    return len(shape) == 2 and shape[1] != 1


def label_sets(y: Any) -> LabelSets:
    """Labels of the rows; what is not zeros and ones is refused.

    Examples
    --------
    >>> binarizer, sides = label_sets([[0, 1], [1, 1]])
    >>> binarizer.classes_, [side.tolist() for side in sides]
    (array([0, 1]), [[-1, 1], [1, 1]])
    """
    binarizer = LabelBinarizer(sparse_output=True)
    member = binarizer.fit_transform(y).tocsc()
    sides = []
    for j in range(member.shape[1]):
        side = np.full(member.shape[0], -1, dtype=np.int8)
        entries = slice(member.indptr[j], member.indptr[j + 1])
        side[member.indices[entries]] = np.where(member.data[entries] != 0, 1, -1)
        sides.append(side)
    return LabelSets(binarizer, sides)
