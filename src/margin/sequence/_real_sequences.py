"""Sequences of real vectors at the border: one array, a list of arrays, or one with lengths."""

from typing import Any

import numpy as np

from margin.core import Sequences, check
from margin.core.types import Floats
from margin.sequence._one_sequence import is_one, refuse_complex, refuse_sparse


def real_sequences(
    owner: object,
    X: Any,
    lengths: Any = None,
    *,
    width: int | None = None,
    name: str = "X",
    missing: bool = True,
) -> Sequences:
    """Validated sequences of at least one row in all, as a table of float64.

    Parameters
    ----------
    owner : object
        Who asks, for messages.
    X : array of shape (T,) or (T, m), Sequences, or list of arrays
        One array, or a flat list of numbers, is one sequence, unless ``lengths`` divide it.
    lengths : array-like of int, optional
    width : int, optional
        Numbers per row that the model was fitted on.
    name : str
        What a refusal calls it.
    missing : bool
        Whether NaN is allowed.

    Examples
    --------
    >>> real_sequences("Model", [[1.0, 2.0], [3.0]])
    Sequences(2 sequences, lengths 1 to 2, 3 rows of shape (1,), float64)
    >>> real_sequences("Model", np.zeros((4, 2)), lengths=[3])
    Traceback (most recent call last):
    ValueError: Model: lengths must sum to 4, got 3
    """
    refuse_sparse(owner, X, name)
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    try:
        if lengths is None and not isinstance(X, Sequences) and is_one(X):
            X = [np.asarray(X)]
        given = Sequences(X, lengths)
        refuse_complex(owner, given.buffer, name)
        table = np.asarray(given.buffer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        text = str(error)
        if "real numbers" in text:
            raise
        if text.startswith("Sequences: "):
            raise ValueError(f"{check.named(owner)}: {text[11:]}") from None
        raise check.fail(owner, name, "sequences of numbers", f"{type(X).__name__}") from error
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[1] == 0:
        raise check.fail(owner, name, "sequences of numbers or vectors", f"shape {table.shape}")
    if not len(table):
        raise check.fail(owner, name, "of at least 1 row", "0 rows")
    if width is not None and table.shape[1] != width:
        raise check.fail(owner, name, f"of {width} numbers per row", table.shape[1])
    if np.isinf(table).any():
        raise check.fail(owner, name, "finite, or NaN where unobserved", "infinity")
    if not missing and np.isnan(table).any():
        raise check.fail(owner, name, "observed everywhere", "NaN")
    return Sequences(np.ascontiguousarray(table), given.lengths)


def input_rows(owner: object, inputs: Any, given: Sequences, width: int | None) -> Floats:
    """Inputs of all rows of some sequences as a table, without columns where there are none.

    Parameters
    ----------
    owner : object
        Who asks, for messages.
    inputs : sequences of numbers or vectors, or None
    given : Sequences
        What the inputs belong to.
    width : int or None
        Numbers per row; None where any will do.

    Examples
    --------
    >>> given = real_sequences("Model", [[1.0], [2.0, 3.0]])
    >>> input_rows("Model", None, given, 0).shape
    (3, 0)
    >>> input_rows("Model", [[5.0], [6.0, 7.0]], given, None).T
    array([[5., 6., 7.]])
    """
    if inputs is None:
        if width:
            raise check.fail(owner, "inputs", f"given, {width} numbers per row", None)
        return np.zeros((len(given.buffer), 0))
    lengths = given.lengths if isinstance(inputs, np.ndarray) and inputs.ndim < 3 else None
    U = real_sequences(owner, inputs, lengths, name="inputs", missing=False, width=width)
    if not np.array_equal(U.lengths, given.lengths):
        need = "of the lengths of the sequences"
        raise check.fail(owner, "inputs", need, f"lengths {U.lengths.tolist()}")
    return U.buffer


def last_sequence(given: Sequences) -> Floats:
    """The last sequence that has a row: forecasts begin at its end.

    Examples
    --------
    >>> last_sequence(real_sequences("Model", [[1.0], [2.0, 3.0], []]))
    array([[2.],
           [3.]])
    """
    return np.array(given[int(np.flatnonzero(given.lengths)[-1])], dtype=np.float64)
