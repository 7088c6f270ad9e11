"""What to say, given the probabilities of the classes."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats


def confidence(probability: Floats) -> Floats:
    """Probability of the best class minus that of the second best, for every row (linear.23).

    Examples
    --------
    >>> import numpy as np
    >>> confidence(np.array([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2]]))
    array([0.5, 0. ])
    """
    top = np.partition(probability, -2, axis=1)[:, -2:]
    return np.asarray(top[:, 1] - top[:, 0])


def best_or_reject(
    owner: object, probability: Floats, labels: Array, threshold: Any, reject: Any
) -> Array:
    """Most probable label where its probability reaches a threshold, else ``reject`` (linear.24).

    Examples
    --------
    >>> import numpy as np
    >>> odds = np.array([[0.7, 0.3], [0.05, 0.95]])
    >>> best_or_reject("Model", odds, np.array(["no", "yes"]), 0.9, "?").tolist()
    ['?', 'yes']
    """
    if not 0 <= threshold <= 1:
        raise check.fail(owner, "threshold", "a number between 0 and 1", threshold)
    answer = labels[probability.argmax(axis=1)].astype(object)
    answer[probability.max(axis=1) < threshold] = reject
    return np.asarray(answer)
