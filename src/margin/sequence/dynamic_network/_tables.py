"""What the slices say of each other: a chain over the interface, and back to the families."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Bools, Floats, Indices
from margin.inference import chain_filter, chain_smooth
from margin.native.chains.messages import log_forward_backward
from margin.sequence.dynamic_network._slices import Scope, Slices, contract, indicators

_ENTRIES = 4_000_000  # numbers of a table over slices seen, in one piece


@dataclass(frozen=True, eq=False)
class Tables:
    """Conditional probabilities, a table for each family.

    Parameters
    ----------
    first : tuple of ndarray
        In the first slice; of a variable without lagged parents, its table in all.
    later : tuple of ndarray
        In all other slices: axes are lagged parents, parents, the variable.
    """

    first: tuple[Floats, ...]
    later: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Posterior of the interface.

    Parameters
    ----------
    share : ndarray of shape (T, S)
        Of every slice.
    pairs : ndarray of shape (T, S, S) or None
        Of every slice and the next, where one matrix does not do for all.
    counts : ndarray of shape (S, S) or None
        Expected transitions, where it does.
    log_likelihood : ndarray of shape (n,)
    """

    share: Floats
    pairs: Floats | None
    counts: Floats | None
    log_likelihood: Floats


@dataclass(frozen=True, eq=False)
class Seen:
    """Slices as they were observed, each kind once.

    Parameters
    ----------
    slices : Slices
    kinds : ndarray of shape (U, n)
        Codes, -1 where unobserved.
    which : ndarray of shape (T,)
        The kind of every slice.
    offsets : ndarray of shape (n_sequences + 1,)
    n_threads : int
    """

    slices: Slices
    kinds: Indices
    which: Indices
    offsets: Indices
    n_threads: int

    @classmethod
    def of(cls, slices: Slices, codes: Indices, offsets: Indices, n_threads: int) -> "Seen":
        kinds, which = np.unique(codes, axis=0, return_inverse=True)
        return cls(slices, kinds, which.reshape(-1).astype(np.int64), offsets, n_threads)

    @property
    def starts(self) -> Indices:
        """Rows of first slices."""
        return self.offsets[:-1][np.diff(self.offsets) > 0]

    @property
    def inner(self) -> Indices:
        """Rows with a slice before them."""
        mark = np.ones(len(self.which), dtype=bool)
        mark[self.starts] = False
        return np.flatnonzero(mark)

    @property
    def within(self) -> tuple[int, ...]:
        """Families of a slice alone: all where tables across time reach beyond the interface."""
        s = self.slices
        return tuple(v for v in range(s.n) if not (s.separable and s.lagged[v]))

    @property
    def telling(self) -> Bools:
        """Which families of each kind of slice say something, (U, n).

        A variable that is unobserved, outside the interface, and has no child that tells, sums to
        one whatever its table: counting its expected states would only slow learning down.
        """
        s = self.slices
        tells = self.kinds >= 0
        tells[:, s.interface] = True
        for _ in range(s.n):
            for v, parents in enumerate(s.parents):
                for p in parents:
                    tells[:, p] |= tells[:, v]
        return np.asarray(tells)

    def over_first(self, at: Tables) -> Floats:
        """Probability of what is seen and of the interface in a first slice, (U, S)."""
        s = self.slices
        scopes = s.first_scopes
        return self._by_kind(list(at.first), scopes, s.interface).reshape(-1, s.n_states)

    def over_later(self, at: Tables) -> Floats:
        """The same in another slice: (U, S), or (U, S, S) with the interface before as rows."""
        s = self.slices
        tables = [at.later[v] for v in self.within]
        scopes = [s.scopes[v] for v in self.within]
        if s.separable:
            return self._by_kind(tables, scopes, s.interface).reshape(-1, s.n_states)
        out = (*s.before, *s.interface)
        return self._by_kind(tables, scopes, out).reshape(-1, s.n_states, s.n_states)

    def matrix(self, at: Tables) -> Floats:
        """The factor between interfaces, (S, S): all there is across time, if separable."""
        s = self.slices
        tables = [at.later[v] for v in s.moving] + [np.ones(s.shape), np.ones(s.shape)]
        scopes = [s.scopes[v] for v in s.moving] + [s.before, s.interface]
        return contract(tables, scopes, (*s.before, *s.interface)).reshape(s.n_states, -1)

    def smooth(self, at: Tables, weight: Floats | None = None) -> Smoothed:
        """Interfaces given the whole of each sequence."""
        table, steps = self._chain(at)
        k = self.slices.n_states
        if steps.ndim == 2:
            smoothed = chain_smooth(
                table, self.offsets, np.ones(k), steps, weight=weight, normalised=False,
                n_threads=self.n_threads,
            )  # fmt: skip
            return Smoothed(smoothed.posterior, None, smoothed.counts, smoothed.log_likelihood)
        with np.errstate(divide="ignore"):
            logs = np.log(steps)
        share, _, values, pairs = log_forward_backward(
            table, self.offsets, np.zeros(k), logs, self.n_threads, pairs=True
        )
        assert pairs is not None
        if weight is not None:
            each = np.repeat(weight, np.diff(self.offsets))
            share, pairs = share * each[:, None], pairs * each[:, None, None]
        return Smoothed(share, pairs, None, values)

    def filter(self, at: Tables) -> tuple[Floats, Floats]:
        """Interfaces given what was seen so far, and log likelihoods."""
        table, steps = self._chain(at)
        k = self.slices.n_states
        if steps.ndim == 2:
            return chain_filter(
                table, self.offsets, np.ones(k), steps, normalised=False, n_threads=self.n_threads
            )
        share, values = np.zeros(table.shape), np.zeros(len(self.offsets) - 1)
        for s, (first, last) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
            for t in range(first, last):
                # Only a first slice has a table of its own.
                ahead = np.exp(table[t]) if t == first else share[t - 1] @ steps[t - 1]
                mass = float(ahead.sum())
                if not mass > 0:
                    values[s] = -np.inf
                    break
                share[t] = ahead / mass
                values[s] += np.log(mass)
        return share, values

    def families(self, at: Tables, smoothed: Smoothed) -> Tables:
        """Expected counts of every family; those of all slices where a table serves in all."""
        s = self.slices
        shares = self._sums(self.starts, smoothed.share)
        tables, scopes = list(at.first), list(s.first_scopes)
        all_of_them = tuple(range(s.n))
        first = self._counts(all_of_them, tables, scopes, shares, self.over_first(at), s.interface)
        later = [np.zeros_like(table) for table in at.later]
        tables, scopes = [at.later[v] for v in self.within], [s.scopes[v] for v in self.within]
        if smoothed.counts is not None:
            shares, out = self._sums(self.inner, smoothed.share), s.interface
            moved = self._moved(at, smoothed.counts)
        else:
            assert smoothed.pairs is not None
            out, moved = (*s.before, *s.interface), {}
            shares = self._sums(self.inner, smoothed.pairs[self.inner - 1], aligned=True)
        counts = self._counts(self.within, tables, scopes, shares, self.over_later(at), out)
        for v, table in [*zip(self.within, counts, strict=True), *moved.items()]:
            later[v] = table
        for v in range(s.n):
            if not s.lagged[v]:
                first[v] = later[v] = first[v] + later[v]
        return Tables(tuple(first), tuple(later))

    def marginals(self, at: Tables, share: Floats, rows: Indices, targets: Scope) -> Floats:
        """Joint distribution of some variables of the slices ``rows``, given the interface.

        ``share`` are probabilities of the interface there, (rows, S), or of the interface before
        and there, (rows, S, S).
        """
        s, starts = self.slices, np.isin(rows, self.starts)
        answer = np.empty((len(rows), *(s.cards[v] for v in targets)))
        for here, first in ((np.flatnonzero(starts), True), (np.flatnonzero(~starts), False)):
            if not len(here):
                continue
            sub = self._alone(rows[here])
            if first:
                tables, scopes, whole = list(at.first), list(s.first_scopes), sub.over_first(at)
                out, part = s.interface, share[here]
                part = part.sum(axis=1) if part.ndim == 3 else part
            else:
                tables = [at.later[v] for v in sub.within]
                scopes = [s.scopes[v] for v in sub.within]
                whole, part = sub.over_later(at), share[here]
                out = s.interface if part.ndim == 2 else (*s.before, *s.interface)
            weight = _ratio(part, whole).reshape(len(here), *s.shapes([out])[0])
            batch = 2 * s.n
            marks, seen = indicators(sub.kinds, s.cards)
            ops = [*tables, *marks, weight, *(np.ones(s.cards[v]) for v in targets)]
            labels = [*scopes, *((batch, v) for v in seen), (batch, *out), *((v,) for v in targets)]
            joint = contract(ops, labels, targets, batch)
            total = joint.reshape(len(here), -1).sum(axis=1)
            answer[here] = joint / total.reshape(-1, *[1] * len(targets))
        return answer

    def _alone(self, rows: Indices) -> "Seen":
        """Some slices, each a kind of its own."""
        kinds = self.kinds[self.which[rows]]
        none = np.zeros(1, dtype=np.int64)
        return Seen(self.slices, kinds, np.arange(len(rows)), none, self.n_threads)

    def _chain(self, at: Tables) -> tuple[Floats, Floats]:
        """Log likelihoods of the interface in every slice, and its matrix, or one for each row."""
        later = self.over_later(at)
        with np.errstate(divide="ignore"):
            begin = np.log(self.over_first(at))[self.which[self.starts]]
        if self.slices.separable:
            with np.errstate(divide="ignore"):
                table = np.log(later)[self.which]
            steps = self.matrix(at)
        else:
            table = np.zeros((len(self.which), self.slices.n_states))
            steps = np.ones((len(table), *later.shape[1:]))
            steps[self.inner - 1] = later[self.which[self.inner]]
        table[self.starts] = begin
        return np.ascontiguousarray(table), np.ascontiguousarray(steps)

    def _by_kind(self, tables: list[Floats], scopes: object, out: Scope) -> Floats:
        s, batch = self.slices, 2 * self.slices.n
        shape = s.shapes([out])[0]
        size = max(1, _ENTRIES // max(1, int(np.prod(shape))))
        parts = []
        for first in range(0, len(self.kinds), size):
            kinds = self.kinds[first : first + size]
            marks, seen = indicators(kinds, s.cards)
            ops = [*tables, *marks, np.ones(len(kinds)), np.ones(shape)]
            labels = [*scopes, *((batch, v) for v in seen), (batch,), out]  # type: ignore[misc]
            parts.append(contract(ops, labels, out, batch))
        return np.concatenate(parts)

    def _sums(self, rows: Indices, share: Floats, aligned: bool = False) -> Floats:
        """Posteriors of the interface, added up by kind."""
        part = share if aligned else share[rows]
        sums = np.zeros((len(self.kinds), *part.shape[1:]))
        np.add.at(sums, self.which[rows], part)
        return sums

    def _counts(
        self,
        variables: Scope,
        tables: list[Floats],
        scopes: object,
        shares: Floats,
        whole: Floats,
        out: Scope,
    ) -> list[Floats]:
        """Expected counts of families: each table times the derivative of what it is part of."""
        s, batch = self.slices, 2 * self.slices.n
        kept: list[Scope] = list(scopes)  # type: ignore[call-overload]
        weight = _ratio(shares, whole).reshape(len(whole), *s.shapes([out])[0])
        used = np.flatnonzero(weight.reshape(len(weight), -1).any(axis=1))
        totals, tells = [np.zeros_like(table) for table in tables], self.telling
        size = max(1, _ENTRIES // max(1, int(np.prod(weight.shape[1:]))))
        for first in range(0, len(used), size):
            some = used[first : first + size]
            marks, seen = indicators(self.kinds[some], s.cards)
            fixed: list[Floats] = [*marks, weight[some]]
            labels: list[Scope] = [*((batch, v) for v in seen), (batch, *out), (batch,)]
            for f, table in enumerate(tables):
                told = tells[some, variables[f]].astype(np.float64)
                others = [*tables[:f], *tables[f + 1 :], *fixed, told, np.ones(table.shape)]
                named = [*kept[:f], *kept[f + 1 :], *labels, kept[f]]
                totals[f] += table * contract(others, named, kept[f])
        return totals

    def _moved(self, at: Tables, counts: Floats) -> dict[int, Floats]:
        """Counts of the families across time out of transitions of the interface."""
        s = self.slices
        moves = counts.reshape((*s.shape, *s.shape))
        both = (*s.before, *s.interface)
        return {v: contract([moves], [both], s.scopes[v]) for v in s.moving}


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)
