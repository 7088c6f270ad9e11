"""Paths at random: of a chain, and of hidden states given what was seen."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Ints
from margin.inference.chains._arguments import chain_arguments, integer, state_arguments
from margin.native.chains import paths


def chain_sample(
    filtered: ArrayLike,
    offsets: ArrayLike,
    transition: ArrayLike,
    n: int,
    rng: np.random.Generator,
    *,
    n_threads: int = 1,
) -> Ints:
    r"""Paths from the posterior: forward filtering, backward sampling (sequence.12).

    .. math:: h_T \sim p(h_T \mid v_{1:T}), \qquad
              h_t \sim p(h_t \mid v_{1:t})\, p(h_{t+1} \mid h_t) / Z

    Returns
    -------
    ndarray of shape (n, T)
        Each row a path through all sequences.

    Examples
    --------
    >>> import numpy as np
    >>> chain_sample(np.eye(2), [0, 2], np.eye(2)[::-1], 1, np.random.default_rng(0))
    array([[0, 1]], dtype=int32)
    """
    table, places, matrix = state_arguments("chain_sample", filtered, offsets, transition)
    n = integer("chain_sample", "n", n, 0)
    return paths.sampled(table, places, matrix, rng.random((n, len(table))), n_threads)


def chain_walk(
    start: ArrayLike, transition: ArrayLike, lengths: ArrayLike, rng: np.random.Generator
) -> Ints:
    """Walks of a chain of the given lengths, one after the other (sequence.01).

    Examples
    --------
    >>> import numpy as np
    >>> chain_walk([1, 0], [[0, 1], [1, 0]], [3, 2], np.random.default_rng(0))
    array([0, 1, 0, 0, 1], dtype=int32)
    """
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    first = np.asarray(start, dtype=np.float64)
    none, size = np.zeros((0, len(first))), [0]
    _, _, first, matrix = chain_arguments("chain_walk", none, size, first, transition)
    places = np.ascontiguousarray(offsets, dtype=np.int64)
    if (np.diff(places) < 0).any():
        raise check.fail("chain_walk", "lengths", "integers of at least 0", lengths)
    return paths.walks(first, matrix, places, rng.random(int(offsets[-1])))
