"""Everything by enumeration: the oracle that the engines are tested against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array
from margin.inference._model import Factored, FactorModel, factors_of

_LARGEST = 2_000_000


@dataclass(frozen=True)
class Enumeration:
    """A joint table restricted to the evidence.

    Parameters
    ----------
    targets : tuple of int
    table : ndarray
        Posterior of the targets; of :class:`fractions.Fraction` when the enumeration is exact.
    evidence_mass : float or Fraction
        Sum of the product of all factors over the assignments that agree with the evidence.
    """

    targets: tuple[int, ...]
    table: Array
    evidence_mass: Any


def enumerate_model(
    model: FactorModel | Factored,
    targets: Sequence[int] | None = None,
    evidence: Mapping[int, int] | None = None,
    *,
    exact: bool = False,
    tables: Sequence[Any] | None = None,
) -> Enumeration:
    r"""Posterior of some variables by summing over every assignment (``inference.02``).

    .. math:: p(x_T \mid e) = \frac{\sum_{x : x_E = e} \prod_k \phi_k(x_{S_k})}{p(e)}

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    targets : sequence of int, optional
        All variables by default.
    evidence : mapping of int to int, optional
    exact : bool
        Work in exact rational arithmetic; floats are taken at their exact binary value.
    tables : sequence of arrays of Fraction, optional
        Exact tables in place of the model's, where a decimal like 1/7 matters.

    Examples
    --------
    Two children; one of them is a boy (state 1). Are both?

    >>> model = FactorModel((2, 2), ((0, 1),), ([[1, 1], [1, 1]],))
    >>> boy = FactorModel((2, 2), ((0, 1), (0, 1)), ([[1, 1], [1, 1]], [[0, 1], [1, 1]]))
    >>> enumerate_model(boy, exact=True).table[1, 1]
    Fraction(1, 3)
    """
    model = factors_of("enumerate_model", model)
    asked = tuple(range(model.n_variables)) if targets is None else tuple(targets)
    given = dict(evidence or {})
    size = float(np.prod([1.0 if v in given else c for v, c in enumerate(model.cardinalities)]))
    if size > _LARGEST:
        raise check.fail(
            "enumerate_model", "model", f"at most {_LARGEST:,} assignments", f"{size:.3g}"
        )
    if exact or tables is not None:
        return _exact(model, asked, given, tables)
    operands: list[Any] = []
    for scope, table in zip(model.scopes, model.tables, strict=True):
        at = tuple(slice(given[v], given[v] + 1) if v in given else slice(None) for v in scope)
        operands += [_aligned(table[at], scope, model.n_variables)]
    shape = tuple(1 if v in given else c for v, c in enumerate(model.cardinalities))
    joint = np.ones(shape)
    for operand in operands:
        joint = joint * operand
    mass = float(joint.sum())
    others = tuple(v for v in range(model.n_variables) if v not in asked)
    kept = joint.sum(axis=others)
    ordered = np.moveaxis(kept, np.argsort(np.argsort(asked)), range(len(asked)))
    full = np.zeros(tuple(model.cardinalities[v] for v in asked))
    place = tuple(slice(given[v], given[v] + 1) if v in given else slice(None) for v in asked)
    full[place] = ordered / mass if mass > 0 else 0.0
    return Enumeration(asked, full, mass)


def _aligned(table: Array, scope: Sequence[int], n: int) -> Array:
    order = np.argsort(scope)
    shape = [1] * n
    for v, size in zip(np.asarray(scope)[order], np.array(table.shape)[order], strict=True):
        shape[int(v)] = int(size)
    return table.transpose(tuple(order)).reshape(shape)


def _exact(
    model: FactorModel,
    asked: tuple[int, ...],
    given: dict[int, int],
    tables: Sequence[Any] | None,
) -> Enumeration:
    source = model.tables if tables is None else [np.asarray(t, dtype=object) for t in tables]
    rational = [np.vectorize(Fraction, otypes=[object])(table) for table in source]
    ranges = [
        (given[v],) if v in given else range(card) for v, card in enumerate(model.cardinalities)
    ]
    out = np.full(tuple(model.cardinalities[v] for v in asked), Fraction(0), dtype=object)
    for states in product(*ranges):
        value = Fraction(1)
        for scope, table in zip(model.scopes, rational, strict=True):
            value *= table[tuple(states[v] for v in scope)]
        out[tuple(states[v] for v in asked)] += value
    mass = sum(out.ravel().tolist(), Fraction(0)) if asked else out[()]
    return Enumeration(asked, out / mass if mass else out, mass)
