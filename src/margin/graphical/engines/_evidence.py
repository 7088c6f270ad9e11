"""What has been observed: hard, soft and virtual evidence, for one query or for many rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats, Ints
from margin.graphical._domain import UNOBSERVED, Domain


def _numbers(label: str, values: ArrayLike) -> Floats:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{label} must be numbers, got {values!r}") from None


@dataclass(frozen=True, eq=False)
class Soft:
    r"""Uncertain observation: the variable has this distribution now (Jeffrey's rule).

    :math:`p(x \mid \tilde y) = \sum_y p(x \mid y)\, q(y)`, with :math:`q` what is believed of
    :math:`y` after the observation.

    Parameters
    ----------
    probabilities : array-like of shape (n_states,) or (n_rows, n_states)
        Distribution :math:`q`, summing to one.

    Examples
    --------
    >>> Soft([0.3, 0.15, 0.55]).probabilities.tolist()
    [0.3, 0.15, 0.55]
    """

    probabilities: ArrayLike

    def __post_init__(self) -> None:
        values = _numbers("Soft: probabilities", self.probabilities)
        if values.ndim == 0 or not np.isfinite(values).all() or values.min(initial=0) < 0:
            raise ValueError(f"Soft: probabilities must be at least 0, got {values.tolist()}")
        if np.abs(values.sum(axis=-1) - 1).max(initial=0) > 1e-6:
            raise ValueError(f"Soft: probabilities must sum to 1, got {values.sum(axis=-1)}")
        object.__setattr__(self, "probabilities", values)


@dataclass(frozen=True, eq=False)
class Virtual:
    r"""Unreliable observation: its likelihood under each state of the variable.

    :math:`p(x \mid \text{obs}) \propto \sum_y p(x, y)\, \lambda(y)`; the scale of
    :math:`\lambda` does not matter for posteriors.

    Parameters
    ----------
    likelihood : array-like of shape (n_states,) or (n_rows, n_states)
        Likelihood :math:`\lambda(y)` of what was seen, at least 0 and not all 0.

    Examples
    --------
    >>> Virtual([0.8, 0.1]).likelihood.tolist()
    [0.8, 0.1]
    """

    likelihood: ArrayLike

    def __post_init__(self) -> None:
        values = _numbers("Virtual: likelihood", self.likelihood)
        if values.ndim == 0 or not np.isfinite(values).all() or values.min(initial=0) < 0:
            raise ValueError(f"Virtual: likelihood must be at least 0, got {values.tolist()}")
        if not values.any(axis=-1).all():
            raise ValueError("Virtual: likelihood must be above 0 for some state, got all zeros")
        object.__setattr__(self, "likelihood", values)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Observations as arrays.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_variables)
        Codes of hard observations, -1 where there is none.
    likelihoods, soft : mapping of position to ndarray of shape (n_rows, n_states)
        Virtual and soft observations.
    batched : bool
        Whether rows were given, as opposed to a single query.
    """

    codes: Ints
    likelihoods: Mapping[int, Floats] = field(default_factory=dict)
    soft: Mapping[int, Floats] = field(default_factory=dict)
    batched: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def observed(self) -> list[int]:
        """Positions of the variables about which something is known in some row."""
        hard = np.flatnonzero((self.codes != UNOBSERVED).any(axis=0)).tolist()
        return sorted({*hard, *self.likelihoods, *self.soft})

    def describe(self, domain: Domain, row: int = 0) -> str:
        """The observations of a row in words, for a message."""
        hard = [
            f"{name}={domain.states[name][code]!r}"
            for name, code in zip(domain.names, self.codes[row], strict=False)
            if code != UNOBSERVED
        ]
        weak = [f"{domain.names[v]} uncertain" for v in sorted({*self.likelihoods, *self.soft})]
        return ", ".join(hard + weak) or "no evidence"


def parse(domain: Domain, evidence: Any) -> Evidence:
    """Evidence from ``None``, a mapping (one query), a frame or a list of mappings (many).

    Examples
    --------
    >>> domain = Domain("Net", {"a": ("no", "yes"), "b": ("no", "yes")})
    >>> parse(domain, {"b": "yes"}).codes.tolist()
    [[-1, 1]]
    >>> parse(domain, [{"a": "no"}, {"b": "yes", "a": None}]).codes.tolist()
    [[0, -1], [-1, 1]]
    """
    if evidence is None:
        return Evidence(_nothing(domain, 1))
    if isinstance(evidence, Evidence):
        return evidence
    if hasattr(evidence, "columns"):
        return _from_frame(domain, evidence)
    if hasattr(evidence, "items"):
        return _from_mapping(domain, dict(evidence.items()))
    if isinstance(evidence, Sequence) and all(isinstance(row, Mapping) for row in evidence):
        codes = _nothing(domain, len(evidence))
        for at, row in enumerate(evidence):
            for name, state in row.items():
                codes[at, domain.position(name)] = _scalar_code(domain, name, state)
        return Evidence(codes, batched=True)
    raise ValueError(
        f"{domain.owner}: evidence must be None, a mapping, a data frame or a list of mappings, "
        f"got {type(evidence).__name__}"
    )


def _nothing(domain: Domain, rows: int) -> Ints:
    return np.full((rows, len(domain.names)), UNOBSERVED, dtype=np.int32)


def _scalar_code(domain: Domain, name: str, state: Any) -> int:
    if isinstance(state, list | np.ndarray) and np.ndim(state) > 0:
        raise ValueError(
            f"{domain.owner}: evidence on {name!r} must be a state, Soft(...) or Virtual(...), "
            f"got {state!r}"
        )
    return domain.code(name, state)


def _from_mapping(domain: Domain, given: Mapping[str, Any]) -> Evidence:
    rows = {len(v) for v in map(_weak_values, given.values()) if v is not None and v.ndim == 2}
    if len(rows) > 1:
        raise ValueError(f"{domain.owner}: evidence must have one number of rows, got {rows}")
    n_rows = rows.pop() if rows else 1
    codes = _nothing(domain, n_rows)
    likelihoods: dict[int, Floats] = {}
    soft: dict[int, Floats] = {}
    for name, value in given.items():
        at = domain.position(name)
        if isinstance(value, Soft):
            soft[at] = _weak(domain, name, value.probabilities, n_rows)
        elif isinstance(value, Virtual):
            likelihoods[at] = _weak(domain, name, value.likelihood, n_rows)
        else:
            codes[:, at] = _scalar_code(domain, name, value)
    batched = any(v is not None and v.ndim == 2 for v in map(_weak_values, given.values()))
    return Evidence(codes, likelihoods, soft, batched)


def _weak_values(value: Any) -> Any:
    if isinstance(value, Soft):
        return value.probabilities
    return value.likelihood if isinstance(value, Virtual) else None


def _weak(domain: Domain, name: str, values: Any, n_rows: int) -> Floats:
    card = len(domain.states[name])
    if values.shape[-1] != card or values.ndim > 2:
        raise ValueError(
            f"{domain.owner}: evidence on {name!r} must have {card} numbers, got {values.shape}"
        )
    return np.ascontiguousarray(np.broadcast_to(values, (n_rows, card)))


def _from_frame(domain: Domain, frame: Any) -> Evidence:
    names = list(frame.columns)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"{domain.owner}: columns of evidence must differ, got {twice!r} twice")
    codes = _nothing(domain, len(frame))
    for name in names:
        codes[:, domain.position(name)] = domain.encode(name, frame[name])
    return Evidence(codes, batched=True)
