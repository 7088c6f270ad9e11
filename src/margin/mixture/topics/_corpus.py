"""Tables of counts as words one after the other."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.validation import check_non_negative

from margin.core import check, memory
from margin.core.types import Indices, Ints

_MOST = 2**31 - 1


class Corpus(NamedTuple):
    """Words of documents, one after the other.

    Parameters
    ----------
    first : ndarray of shape (n_documents + 1,)
        Where the words of each document begin.
    word : ndarray of shape (n,)
        Words by number.
    """

    first: Indices
    word: Ints


def counts(owner: object, X: Any, method: str = "fit") -> Any:
    """Compressed rows of float64 without repeated or explicit zero entries; negative refused.

    Examples
    --------
    >>> counts("LatentDirichletAllocation", np.array([[2.0, 0.0, 1.0]])).indices
    array([0, 2], dtype=int32)
    """
    check_non_negative(X, f"{check.named(owner)}.{method}")
    table = csr_array(X, dtype=np.float64, copy=issparse(X))
    table.sum_duplicates()
    table.eliminate_zeros()
    return table


def corpus(owner: object, table: Any, n_bytes: int = 32) -> Corpus:
    """The words of a table of whole counts; refused where ``n_bytes`` for each are not free.

    Examples
    --------
    >>> corpus("LDA", csr_array(np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])))
    Corpus(first=array([0, 3, 4]), word=array([0, 0, 2, 1], dtype=int32))
    """
    whole = table.data == np.floor(table.data)
    if not whole.all():
        value = float(table.data[~whole][0])
        raise check.fail(owner, "X", "whole counts, to sample the topic of every word", value)
    total = float(table.data.sum())
    if total > _MOST:
        need = f"at most {_MOST} words in all, to sample the topic of every word"
        raise check.fail(owner, "X", need, total)
    _fits(owner, total, n_bytes)
    times = table.data.astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(times)])
    return Corpus(
        ends[table.indptr].astype(np.int64), np.repeat(table.indices.astype(np.int32), times)
    )


def _fits(owner: object, total: float, n_bytes: int) -> None:
    free, need = memory.available(), n_bytes * total
    if free is not None and need > free:
        raise MemoryError(
            f"{check.named(owner)}: X must be counts of as many words as there is memory for, to "
            f"sample the topic of every word, got {total:.0f} words, which need "
            f"{need / 2**30:.1f} GiB ({free / 2**30:.1f} GiB are free); scale the counts down, or "
            "use LatentDirichletAllocation with learning_method='batch', which never lists words"
        )
