"""Factor models and evidence, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Array, Floats, Ints
from margin.graphs import FactorGraph

UNOBSERVED = -1


@dataclass(frozen=True)
class FactorModel:
    r"""An unnormalised distribution that is a product of tables.

    .. math:: p(x) \propto \prod_k \phi_k(x_{S_k})

    The factor graph itself (``inference.09``): variables are numbered, a factor is linked to the
    variables of its scope. The same graph has several factorisations; each is its own model.

    Parameters
    ----------
    cardinalities : tuple of int
        Number of states of each variable.
    scopes : tuple of tuples of int
        Variables of each factor, without repetition; an empty scope is a constant.
    tables : tuple of arrays
        Non-negative; axis ``j`` of table ``k`` runs over the states of ``scopes[k][j]``.

    Examples
    --------
    >>> model = FactorModel((2, 2), ((0,), (0, 1)), ([0.6, 0.4], [[0.9, 0.1], [0.2, 0.8]]))
    >>> model.n_variables, model.flat
    (2, array([0.6, 0.4, 0.9, 0.1, 0.2, 0.8]))
    """

    cardinalities: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]

    def __post_init__(self) -> None:
        cards = check_cardinalities("FactorModel", self.cardinalities)
        scopes = check_scopes("FactorModel", cards, self.scopes)
        if len(self.tables) != len(scopes):
            raise check.fail(self, "tables", f"one per scope ({len(scopes)})", len(self.tables))
        tables = tuple(np.asarray(table, dtype=np.float64) for table in self.tables)
        for k, (scope, table) in enumerate(zip(scopes, tables, strict=True)):
            wanted = tuple(cards[v] for v in scope)
            if table.shape != wanted:
                raise check.fail(self, f"tables[{k}]", f"of shape {wanted}", table.shape)
            if not (np.isfinite(table).all() and (table >= 0).all()):
                raise check.fail(self, f"tables[{k}]", "finite and non-negative", table)
        object.__setattr__(self, "cardinalities", cards)
        object.__setattr__(self, "scopes", scopes)
        object.__setattr__(self, "tables", tables)

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.cardinalities)

    @cached_property
    def flat(self) -> Floats:
        """All table entries, one table after the other."""
        return flatten(self.tables)

    @property
    def factor_graph(self) -> FactorGraph:
        """Which factor touches which variable; converts to and from other graphs."""
        return FactorGraph(self.n_variables, self.scopes)

    def reduced(self, states: Mapping[int, int]) -> "FactorModel":
        """The model with some variables fixed: their axes are gone, their cardinality is one."""
        scopes, tables = [], []
        for scope, table in zip(self.scopes, self.tables, strict=True):
            at = tuple(states.get(v, slice(None)) for v in scope)
            scopes.append(tuple(v for v in scope if v not in states))
            tables.append(table[at])
        cards = tuple(1 if v in states else c for v, c in enumerate(self.cardinalities))
        return FactorModel(cards, tuple(scopes), tuple(tables))

    def log_prob(self, states: ArrayLike) -> Floats:
        """Logarithm of the product of the factors at full assignments of shape (n, variables)."""
        rows = np.atleast_2d(np.asarray(states, dtype=np.intp))
        total = np.zeros(len(rows))
        with np.errstate(divide="ignore"):
            for scope, table in zip(self.scopes, self.tables, strict=True):
                total += np.log(table[tuple(rows[:, v] for v in scope)])
        return total


@runtime_checkable
class Factored(Protocol):
    """What can say which factors it is a product of: a Bayesian or a Markov network."""

    def factor_model(self) -> FactorModel:
        """The factors over numbered variables."""


def factors_of(owner: str, model: FactorModel | Factored) -> FactorModel:
    """The factors of a model, refused by name where it has none.

    Examples
    --------
    >>> factors_of("gibbs", [0.5, 0.5])
    Traceback (most recent call last):
    ValueError: gibbs: model must be a FactorModel or have a factor_model(), got list
    """
    if isinstance(model, FactorModel):
        return model
    if isinstance(model, type) or not isinstance(model, Factored):
        requirement = "a FactorModel or have a factor_model()"
        raise ValueError(f"{owner}: model must be {requirement}, got {type(model).__name__}")
    return model.factor_model()


def check_cardinalities(owner: str, cardinalities: Sequence[int]) -> tuple[int, ...]:
    """Numbers of states, each an integer of at least one."""
    cards = tuple(int(c) for c in cardinalities)
    if any(c < 1 for c in cards):
        raise check.fail(owner, "cardinalities", "integers of at least 1", tuple(cardinalities))
    return cards


def check_scopes(
    owner: str, cards: tuple[int, ...], scopes: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Scopes of known variables, none twice in one scope."""
    checked = []
    for scope in scopes:
        variables = tuple(map(int, scope))
        distinct = len(set(variables)) == len(variables)
        if variables and not (distinct and min(variables) >= 0 and max(variables) < len(cards)):
            raise check.fail(
                owner, "scopes", f"distinct variables among 0..{len(cards) - 1}", variables
            )
        checked.append(variables)
    return tuple(checked)


def flatten(tables: Sequence[Any]) -> Floats:
    """Tables one after the other, in C order."""
    if not tables:
        return np.empty(0)
    return np.concatenate([np.asarray(table, dtype=np.float64).ravel() for table in tables])


def check_evidence(
    owner: str, cards: tuple[int, ...], evidence: ArrayLike | Mapping[Any, Any] | None
) -> Ints:
    """Evidence as an integer array of shape (rows, variables), -1 where unobserved.

    ``None`` is one row without evidence, a mapping one row.
    """
    n = len(cards)
    if evidence is None:
        return np.full((1, n), UNOBSERVED, dtype=np.int32)
    if isinstance(evidence, Mapping):
        row = np.full((1, n), UNOBSERVED, dtype=np.int32)
        for variable, state in evidence.items():
            if not (isinstance(variable, int | np.integer) and 0 <= variable < n):
                raise check.fail(owner, "evidence", f"about variables 0..{n - 1}", variable)
            if not isinstance(state, int | np.integer):
                requirement = f"-1 or a state 0..{cards[variable] - 1}"
                raise check.fail(owner, f"evidence on {variable}", requirement, state)
            row[0, variable] = state
        given = row
    else:
        given = np.atleast_2d(np.asarray(evidence))
        if given.ndim != 2 or given.shape[1] != n:
            raise check.fail(owner, "evidence", f"of shape (rows, {n})", given.shape)
        if given.dtype.kind not in "iu":
            raise check.fail(owner, "evidence", "an array of integers", given.dtype)
        if given.size and (given.min() < UNOBSERVED or given.max() >= max(cards)):
            _refuse_state(owner, cards, given)
        given = np.ascontiguousarray(given, dtype=np.int32)
    if ((given < UNOBSERVED) | (given >= np.array(cards, dtype=np.int64))).any():
        _refuse_state(owner, cards, given)
    return given


def _refuse_state(owner: str, cards: tuple[int, ...], given: Array) -> None:
    bad = (given < UNOBSERVED) | (given >= np.array(cards, dtype=np.int64))
    row, variable = map(int, np.argwhere(bad)[0])
    raise check.fail(
        owner,
        f"evidence[{row}, {variable}]",
        f"-1 or a state 0..{cards[variable] - 1}",
        int(given[row, variable]),
    )


def check_likelihoods(
    owner: str,
    cards: tuple[int, ...],
    n_rows: int,
    likelihoods: Mapping[int, ArrayLike] | None,
) -> dict[int, Floats]:
    """Virtual evidence as non-negative arrays of shape (rows, states) by variable."""
    checked: dict[int, Floats] = {}
    for variable, values in (likelihoods or {}).items():
        if not 0 <= variable < len(cards):
            raise check.fail(owner, "likelihoods", f"of variables 0..{len(cards) - 1}", variable)
        table = np.asarray(values, dtype=np.float64)
        if table.ndim == 1:
            table = np.broadcast_to(table, (n_rows, len(table)))
        if table.shape != (n_rows, cards[variable]):
            wanted = f"of shape {(n_rows, cards[variable])}"
            raise check.fail(owner, f"likelihoods[{variable}]", wanted, table.shape)
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise check.fail(owner, f"likelihoods[{variable}]", "finite and non-negative", table)
        checked[int(variable)] = np.ascontiguousarray(table)
    return checked
