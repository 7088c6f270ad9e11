"""Signs of random projections as codes, and tables of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Bools, Floats, Indices


@dataclass(frozen=True, eq=False)
class Hashes:
    """Directions whose signs are the bits of codes.

    Parameters
    ----------
    directions : ndarray of shape (p, n_tables * n_bits)
    n_tables, n_bits : int
    """

    directions: Floats
    n_tables: int
    n_bits: int

    def projections(self, X: Array) -> Floats:
        """Of every row on every direction."""
        return np.asarray(X.astype(np.float64) @ self.directions)

    def codes(self, bits: Bools) -> Indices:
        """The bits of each table as one number, of shape (n, n_tables)."""
        powers = 1 << np.arange(self.n_bits, dtype=np.int64)
        return np.asarray(bits.reshape(len(bits), self.n_tables, self.n_bits) @ powers)

    def probes(self, X: Array, n_probes: int) -> Indices:
        """Codes to look up, of shape (n, n_tables, n_probes): the own, then the nearest others.

        The others differ in one bit, that of the direction a row is nearest to being orthogonal to
        first.
        """
        projected = self.projections(X)
        own = self.codes(projected >= 0)[:, :, None]
        margin = np.abs(projected).reshape(len(X), self.n_tables, self.n_bits)
        doubtful = np.argsort(margin, axis=2, kind="stable")[:, :, : n_probes - 1]
        return np.concatenate([own, own ^ (np.int64(1) << doubtful)], axis=2)


@dataclass(frozen=True, eq=False)
class Tables:
    """Rows by their codes, one sorted list for every table.

    Parameters
    ----------
    codes, rows : ndarray of shape (n_tables, n)
        Sorted codes, and the rows that have them.
    """

    codes: Indices
    rows: Indices

    @classmethod
    def of(cls, codes: Indices) -> Tables:
        """From codes of shape (n, n_tables)."""
        order = np.argsort(codes.T, axis=1, kind="stable")
        return cls(np.take_along_axis(codes.T, order, axis=1), order)

    def candidates(self, probes: Indices) -> tuple[Indices, Indices]:
        """Pairs of a query and a row that share a code, each once, by query and row."""
        n = self.rows.shape[1]
        pairs = []
        for table in range(len(self.codes)):
            wanted = probes[:, table, :]
            low = np.searchsorted(self.codes[table], wanted, side="left").ravel()
            high = np.searchsorted(self.codes[table], wanted, side="right").ravel()
            counts = high - low
            queries = np.repeat(np.arange(wanted.size) // wanted.shape[1], counts)
            within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            places = np.repeat(low, counts) + within
            pairs.append(queries * n + self.rows[table][places])
        once = np.unique(np.concatenate(pairs))
        return once // n, once % n


def collision_probability(angle: Floats | float) -> Floats:
    r"""Chance :math:`1 - \theta / \pi` that a random direction gives two vectors the same sign.

    Examples
    --------
    >>> import numpy as np
    >>> collision_probability(np.pi / 4)
    array(0.75)
    """
    return np.asarray(1.0 - np.asarray(angle) / np.pi)
