"""Sequence tasks that need a memory, each with the score of having none."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.datasets import _requirements as require


def make_delayed_copy(
    n_sequences: int = 100,
    *,
    n_symbols: int = 8,
    length: int = 5,
    delay: int = 10,
    random_state: Any = None,
) -> Bunch:
    r"""Remember a few symbols through a silence, then repeat them.

    Serves datasets.22. An input is ``length`` symbols 1 to K, ``delay - 1`` blanks (0), a cue
    (K + 1) and ``length`` blanks; the target is blank up to and including the cue, then the
    symbols. Without memory the best mean cross-entropy per step is
    :math:`L \log K / (2L + D)`.

    Parameters
    ----------
    n_sequences, n_symbols, length, delay : int
        Number of sequences, :math:`K`, :math:`L` and :math:`D`.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` and ``target`` (n_sequences, 2L + D), integers; ``blank``, ``cue``;
        ``memoryless_loss``.

    Examples
    --------
    >>> task = make_delayed_copy(1, n_symbols=3, length=2, delay=3, random_state=0)
    >>> task.data.tolist(), task.target.tolist()
    ([[3, 2, 0, 0, 4, 0, 0]], [[0, 0, 0, 0, 0, 3, 2]])
    >>> round(task.memoryless_loss, 4)
    0.3139
    """
    owner = "make_delayed_copy"
    require.count(owner, n_sequences=n_sequences, n_symbols=n_symbols, length=length, delay=delay)
    rng = generator(random_state)
    symbols = rng.integers(1, n_symbols + 1, size=(n_sequences, length))
    data = np.zeros((n_sequences, 2 * length + delay), dtype=np.int64)
    target = np.zeros_like(data)
    data[:, :length] = symbols
    data[:, length + delay - 1] = n_symbols + 1
    target[:, length + delay :] = symbols
    return Bunch(
        data=data,
        target=target,
        n_symbols=n_symbols,
        blank=0,
        cue=n_symbols + 1,
        memoryless_loss=length * float(np.log(n_symbols)) / (2 * length + delay),
        DESCR="Copy a sequence after a delay.",
    )


def make_first_symbol(
    n_sequences: int = 100,
    *,
    n_symbols: int = 4,
    length: int = 20,
    random_state: Any = None,
) -> Bunch:
    """Name the first symbol after a sequence of distractors.

    Serves datasets.22. All symbols are independent and uniform, so that everything after the
    first says nothing about the target: without memory the accuracy is one in ``n_symbols``.

    Parameters
    ----------
    n_sequences, n_symbols, length : int
        Sizes; ``length`` counts the first symbol.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` (n_sequences, length); ``target`` (n_sequences,); ``memoryless_accuracy``.

    Examples
    --------
    >>> task = make_first_symbol(3, length=5, random_state=0)
    >>> (task.target == task.data[:, 0]).all(), task.memoryless_accuracy
    (np.True_, 0.25)
    """
    require.count("make_first_symbol", n_sequences=n_sequences, n_symbols=n_symbols, length=length)
    data = generator(random_state).integers(n_symbols, size=(n_sequences, length))
    return Bunch(
        data=data,
        target=data[:, 0].copy(),
        n_symbols=n_symbols,
        memoryless_accuracy=1 / n_symbols,
        DESCR="Recall the first symbol of a sequence.",
    )


def make_abac(n_units: int = 6, *, random_state: Any = None) -> Bunch:
    """The sequence a, b, a, c of random patterns: after a comes b, or c.

    Serves datasets.22. A network without hidden units sees the same pattern a twice with
    different successors and recalls at most two of the three transitions.

    Parameters
    ----------
    n_units : int
        Length of a pattern of -1 and +1, at least 2.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` (4, n_units), the sequence; ``patterns`` by letter, all different; ``letters``;
        ``memoryless_transitions``, 2 of ``n_transitions``, 3.

    Examples
    --------
    >>> task = make_abac(random_state=0)
    >>> (task.data[0] == task.data[2]).all(), (task.data[1] == task.data[3]).all()
    (np.True_, np.False_)
    """
    require.count("make_abac", minimum=2, n_units=n_units)
    rng = generator(random_state)
    patterns = np.empty((0, n_units))
    while len(patterns) < 3:
        patterns = np.unique(2 * rng.integers(2, size=(3, n_units)) - 1, axis=0)
    named = dict(zip("abc", rng.permutation(patterns), strict=True))
    return Bunch(
        data=np.array([named[letter] for letter in "abac"]),
        letters=list("abac"),
        patterns=named,
        memoryless_transitions=2,
        n_transitions=3,
        DESCR="The ambiguous sequence a, b, a, c.",
    )
