"""The mismatch kernel of strings."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from margin.core import check, memory
from margin.kernels.parts._bags import Bags
from margin.kernels.parts._engines import BagKernel
from margin.kernels.parts._symbols import LARGEST_KEY, Symbols, symbols_of
from margin.native.kernels import counts, string_kernels

ENTRY_BYTES = 28  # of a neighbour: its key, number, column and value


@dataclass(frozen=True)
class Mismatch(BagKernel):
    r"""Strings are alike if they hold nearly the same substrings (kernels.28).

    .. math:: k(s, t) = \sum_{|u| = k} \#^m_u(s)\, \#^m_u(t),

    where :math:`\#^m_u(s)` counts the places of ``s`` whose ``k`` symbols differ from ``u`` in at
    most ``m``, and ``u`` runs over all words of the alphabet. With ``m = 0`` this is the spectrum
    kernel.

    Parameters
    ----------
    k : int
        Length of the substrings.
    m : int
        Most symbols that may differ, less than ``k``.
    alphabet : int
        Number of symbols that a string could hold: 4 for DNA, 20 for proteins. It is part of the
        kernel, not read from the data, so that all sets of strings are compared alike.

    Notes
    -----
    Each distinct substring has :math:`\sum_{j \le m} \binom kj (a - 1)^j` neighbours, listed once.

    References
    ----------
    Leslie, Eskin, Cohen, Weston, Noble: Mismatch string kernels. Bioinformatics 2004.

    Examples
    --------
    >>> Mismatch(2, 1)(["AA"], ["AA", "AC", "CC"])
    array([[7., 4., 2.]])
    """

    k: int = 3
    m: int = 1
    alphabet: int = 4
    input: ClassVar[str] = "strings"

    def __post_init__(self) -> None:
        check.params(self, count="k alphabet")
        if isinstance(self.m, bool) or not isinstance(self.m, int | np.integer):
            raise check.fail(self, "m", "an integer from 0 to k - 1", self.m)
        if not 0 <= self.m < self.k:
            raise check.fail(self, "m", "an integer from 0 to k - 1", self.m)
        if self.alphabet**self.k > LARGEST_KEY:
            wanted = f"at most {self._largest_k()} with {self.alphabet} symbols"
            raise check.fail(self, "k", wanted, self.k)

    def _largest_k(self) -> int:
        return max(k for k in range(1, 64) if self.alphabet**k <= LARGEST_KEY)

    def _pack(self, X: Any, Z: Any) -> tuple[Symbols, int]:
        symbols, n = symbols_of(self, X, Z)
        if symbols.n_symbols > self.alphabet:
            wanted = f"at least {symbols.n_symbols}, the number of different symbols"
            raise check.fail(self, "alphabet", wanted, self.alphabet)
        return symbols, n

    def _bags(self, packed: Symbols, n_threads: int) -> Bags:
        k, base = int(self.k), int(self.alphabet)
        keys, offsets = string_kernels.window_keys(packed.codes, packed.offsets, base, k)
        ids, size = counts.number_keys(keys)
        if not size:
            return Bags.of(ids, offsets, 0)
        words = np.empty(size, dtype=np.int64)
        words[ids] = keys
        around = self._neighbours(words)
        columns, n_columns = counts.number_keys(around.ravel().astype(np.uint64))
        width = around.shape[1]
        starts = np.arange(0, size * width + 1, width)
        near = sparse.csr_array((np.ones(len(columns)), columns, starts), (size, n_columns))
        own = Bags.of(ids, offsets, size)
        held = sparse.csr_array((own.values, own.indices, own.indptr), (len(own), size))
        bags = (held @ near).tocsr()
        return Bags(
            bags.indptr.astype(np.int64), bags.indices.astype(np.int32), bags.data, n_columns
        )

    def _neighbours(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """All words within ``m`` of each word, itself first, of shape ``(n, neighbours)``."""
        k, base = int(self.k), int(self.alphabet)
        width = sum(comb(k, j) * (base - 1) ** j for j in range(self.m + 1))
        needed = len(words) * width * ENTRY_BYTES
        limit = memory.total()
        if limit is not None and needed > limit:
            raise MemoryError(
                f"Mismatch: {len(words)} substrings with {width} neighbours each need "
                f"{needed / 2**30:.1f} GiB; take a smaller k or m"
            )
        place = np.array([base**i for i in range(k)], dtype=np.int64)
        digits = words[:, None] // place % base
        neighbours = np.empty((len(words), width), dtype=np.int64)
        for column, (where, shift) in enumerate(_changes(k, int(self.m), base)):
            old = digits[:, where]
            neighbours[:, column] = words + ((old + shift) % base - old) @ place[list(where)]
        return neighbours


def _changes(k: int, m: int, base: int) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """Positions to change and what to add there, for up to ``m`` positions of ``k``."""
    for j in range(m + 1):
        for where in combinations(range(k), j):
            for shift in product(range(1, base), repeat=j):
                yield where, np.array(shift, dtype=np.int64)
