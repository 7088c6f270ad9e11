"""Expectation maximisation of the tables of a dynamic network."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import FitError, check
from margin.core.types import Floats
from margin.inference import Expectation
from margin.sequence.dynamic_network._slices import Scope, Slices
from margin.sequence.dynamic_network._tables import Seen, Tables


@dataclass(frozen=True, eq=False)
class TableLearning:
    """Data and settings of a fit.

    Parameters
    ----------
    seen : Seen
    weight : ndarray of shape (n,) or None
        Of the sequences.
    prior : float
        Dirichlet concentration of all rows; 1 is maximum likelihood.
    fixed : tuple of int
        Variables whose tables are not learned.
    """

    seen: Seen
    weight: Floats | None
    prior: float
    fixed: tuple[int, ...]

    def expect(self, at: Tables) -> Expectation[Tables]:
        """Step E: log likelihood and expected counts of all families."""
        smoothed = self.seen.smooth(at, self.weight)
        bad = np.flatnonzero(~(smoothed.log_likelihood > -np.inf))
        if len(bad):
            raise FitError(
                f"sequence {bad[0]} has probability 0 under the tables ({len(bad)} of "
                f"{len(smoothed.log_likelihood)} sequences); give tables_init fewer zeros"
            )
        values = smoothed.log_likelihood
        total = float(values.sum() if self.weight is None else self.weight @ values)
        return Expectation(total + self._log_prior(at), self.seen.families(at, smoothed))

    def maximise(self, counts: Tables, at: Tables) -> Tables:
        """Step M: rows of counts, with the prior, as probabilities."""
        first, later = list(at.first), list(at.later)
        for v in range(self.seen.slices.n):
            if v in self.fixed:
                continue
            first[v] = self._shares(counts.first[v], at.first[v])
            later[v] = self._shares(counts.later[v], at.later[v])
        return Tables(tuple(first), tuple(later))

    def starts(
        self, n_init: int, given: Tables | None, rng: np.random.Generator
    ) -> Iterator[Tables]:
        """Tables at random, away from the saddle of equal rows; given ones in their place."""
        s = self.seen.slices
        for _ in range(1 if given is not None and not s.n else n_init):
            later = [_drawn(shape, rng) for shape in s.shapes(s.scopes)]
            first = [
                _drawn(shape, rng) if s.lagged[v] else later[v]
                for v, shape in enumerate(s.shapes(s.first_scopes))
            ]
            if given is not None:
                later = [b if a is None else a for a, b in zip(given.later, later, strict=True)]
                first = [
                    (b if a is None else a) if s.lagged[v] else later[v]
                    for v, (a, b) in enumerate(zip(given.first, first, strict=True))
                ]
            yield Tables(tuple(first), tuple(later))

    def _shares(self, counts: Floats, before: Floats) -> Floats:
        more = np.where(before > 0, counts + (self.prior - 1.0), 0.0)
        total = more.sum(axis=-1, keepdims=True)
        return np.where(total > 0, more / np.where(total > 0, total, 1.0), before)

    def _log_prior(self, at: Tables) -> float:
        if self.prior == 1.0:
            return 0.0
        s = self.seen.slices
        tables = [*at.later, *(at.first[v] for v in s.moving)]
        return float(sum((self.prior - 1.0) * np.log(p[p > 0]).sum() for p in tables))


def given_tables(
    owner: object, s: Slices, names: tuple[Any, ...], tables: Any, initial: Any
) -> Tables:
    """Tables that a person gave, None where there is none; zeros are structural and stay."""
    parts = []
    for parameter, given, scopes in (
        ("initial_init", initial, s.first_scopes),
        ("tables_init", tables, s.scopes),
    ):
        parts.append(_checked(owner, parameter, given or {}, names, s.shapes(scopes), scopes))
    return Tables(parts[0], parts[1])


def _checked(
    owner: object,
    parameter: str,
    given: Mapping[Any, Any],
    names: tuple[Any, ...],
    shapes: list[tuple[int, ...]],
    scopes: tuple[Scope, ...],
) -> tuple[Any, ...]:
    unknown = [name for name in given if name not in names]
    if unknown:
        raise check.fail(owner, parameter, f"tables of {list(names)}", f"one of {unknown[0]!r}")
    out: list[Any] = []
    for name, shape in zip(names, shapes, strict=True):
        if name not in given:
            out.append(None)
            continue
        p = np.array(given[name], dtype=np.float64)
        right = p.shape == shape and bool((p >= 0).all())
        if not right or not np.allclose(p.sum(axis=-1), 1.0, atol=1e-6):
            wanted = f"probabilities of shape {shape} that sum to 1 along the last axis"
            raise check.fail(owner, f"{parameter}[{name!r}]", wanted, f"shape {p.shape}")
        out.append(p / p.sum(axis=-1, keepdims=True))
    return tuple(out)


def _drawn(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return np.asarray(0.5 / shape[-1] + 0.5 * rng.dirichlet(np.ones(shape[-1]), shape[:-1]))
