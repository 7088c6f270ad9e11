"""Rows of evidence, checked and split into parts that share a compiled program."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check, threads
from margin.core.types import Array, Bools, Bytes, Floats, Ints
from margin.inference._errors import ZeroProbabilityError
from margin.inference._model import check_evidence, check_likelihoods
from margin.native.junction.junction import HIDDEN, LANES, SLICED, UNARY

Evidence = ArrayLike | Mapping[int, int] | None
Likelihoods = Mapping[int, ArrayLike] | None


class Question:
    """Checked evidence and its split into parts that share a program."""

    def __init__(
        self,
        tree: Any,
        evidence: Evidence,
        likelihoods: Likelihoods,
        impossible: str,
        n_threads: int | None,
    ) -> None:
        if impossible not in ("raise", "zero"):
            raise check.fail(tree, "impossible", "one of 'raise', 'zero'", impossible)
        self.evidence = check_evidence(tree, tree.cardinalities, evidence)
        given = likelihoods or {}
        if evidence is None and given:
            lengths = {len(np.atleast_2d(np.asarray(v))) for v in given.values()}
            self.evidence = np.repeat(self.evidence, max(lengths), axis=0)
        self.n_rows = len(self.evidence)
        self.likelihoods = check_likelihoods(tree, tree.cardinalities, self.n_rows, given)
        self.n_threads = threads.count(n_threads)
        self.log_mass = np.zeros(self.n_rows)
        self._owner, self._raises = tree, impossible == "raise"

    def replaced(self, evidence: Ints, likelihoods: Mapping[int, ArrayLike]) -> "Question":
        """Another question to the same model."""
        return Question(self._owner, evidence, likelihoods, "zero", self.n_threads)

    def parts(self, table_bytes: float) -> Iterator[tuple[Array, Bytes, bool]]:
        """Rows, the roles of the variables there, and whether they go sixteen at a time."""
        observed = self.evidence >= 0
        if self.n_rows == 0:
            return
        every, some = observed.all(axis=0), observed.any(axis=0)
        if (every == some).all():
            patterns, rows_of = observed[:1], [np.arange(self.n_rows)]
        else:
            patterns, rows_of = _patterns(observed)
        fits = table_bytes * LANES * self.n_threads < 2e9
        if fits and len(patterns) * LANES > self.n_rows and len(patterns) > 1:
            roles = np.where(every, SLICED, np.where(some, UNARY, HIDDEN))
            yield np.arange(self.n_rows), self._with_likelihoods(roles), True
            return
        for pattern, rows in zip(patterns, rows_of, strict=True):
            roles = np.where(pattern, SLICED, HIDDEN)
            yield rows, self._with_likelihoods(roles), fits and len(rows) >= LANES // 2

    def _with_likelihoods(self, roles: Array) -> Bytes:
        for variable in self.likelihoods:
            if roles[variable] == HIDDEN:
                roles[variable] = UNARY
        return roles.astype(np.uint8)

    def evidence_of(self, rows: Array) -> Ints:
        """Rows of the evidence; the array itself where they are all rows."""
        return self.evidence if len(rows) == self.n_rows else self.evidence[rows]

    def likelihoods_of(self, rows: Array) -> dict[int, Floats]:
        """Virtual evidence of these rows."""
        if len(rows) == self.n_rows:
            return self.likelihoods
        return {v: table[rows] for v, table in self.likelihoods.items()}

    def judge(self, out: Floats | None = None) -> None:
        """Refuse or mark rows of probability zero."""
        bad = np.flatnonzero(self.log_mass == -np.inf)
        if not len(bad):
            return
        if self._raises:
            which = ", ".join(map(str, bad[:5])) + (" …" if len(bad) > 5 else "")
            raise ZeroProbabilityError(
                f"{type(self._owner).__name__}: evidence must be possible, got probability zero in "
                f"row{'s' if len(bad) > 1 else ''} {which}",
                tuple(map(int, bad)),
            )
        if out is not None:
            out[bad] = 0.0


def _patterns(observed: Bools) -> tuple[Bools, list[Array]]:
    packed = np.packbits(observed, axis=1)
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    bounds = np.cumsum(np.bincount(inverse))[:-1]
    return observed[first], np.split(order, bounds)


def places(
    asked: tuple[int, ...],
    roles: Bytes,
    rows: Array,
    states: Ints,
    shape: tuple[int, ...],
) -> tuple[Any, ...]:
    """Index of the entries of a joint table that agree with the observed variables."""
    free = [k for k, v in enumerate(asked) if roles[v] != SLICED]
    grid = np.ix_(np.arange(len(rows)), *(np.arange(shape[k]) for k in free))
    at: list[Any] = [rows[grid[0]]]
    column = (slice(None),) + (None,) * len(free)
    for k, v in enumerate(asked):
        at.append(grid[1 + free.index(k)] if k in free else states[:, v][column])
    return tuple(at)
