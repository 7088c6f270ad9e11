"""Fitting a network of known structure to a frame: states, tables and regressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Certificate, Solution, Status, check
from margin.core.types import Floats, Ints
from margin.graphical._domain import UNOBSERVED, Domain, factorise, shorten
from margin.graphical._network import Network
from margin.graphical.cpds._cpd import CPD
from margin.graphical.cpds._table_cpd import TableCPD
from margin.graphical.network._build import refuse_continuous_parents
from margin.graphical.network._gaussian_fit import fit_gaussian
from margin.graphical.network._parameter_fit import Prior, as_tables, fit_tables
from margin.search import is_continuous


@dataclass(frozen=True)
class FitSettings:
    """How distributions are learned; see :class:`BayesianNetwork`."""

    continuous: frozenset[str]
    prior: Prior
    tol: float
    max_iter: int
    n_threads: int


def fit(
    structure: Network, frame: Any, sample_weight: Any, settings: FitSettings
) -> tuple[Network, Solution]:
    """Network with learned distributions, and how they were found."""
    weight = _checked(structure, frame, sample_weight)
    continuous = _continuous(structure, frame, settings)
    domain = _learned_domain(structure, frame, continuous)
    network = replace(structure, domain=domain, cpds={})
    refuse_continuous_parents(network, continuous)
    codes = _codes(domain, frame)
    columns = {
        name: _numbers(network.owner, name, frame)
        if name in frame.columns
        else np.full(len(frame), np.nan)
        for name in network.names
        if name in continuous
    }
    solution = (
        fit_tables(
            network,
            codes,
            weight,
            settings.prior,
            tol=settings.tol,
            max_iter=settings.max_iter,
            n_threads=settings.n_threads,
        )
        if domain.names
        else _nothing_discrete()
    )
    cpds: dict[str, CPD] = {
        name: TableCPD(table, network.parents[name])
        for name, table in as_tables(network, solution).items()
    }
    for name in columns:
        cpds[name] = fit_gaussian(network, name, columns, codes, weight)
    return replace(network, cpds=cpds), solution


def _checked(structure: Network, frame: Any, sample_weight: Any) -> Floats | None:
    """Weights of the rows of a frame that fits the network."""
    owner = structure.owner
    if not hasattr(frame, "columns"):
        raise check.fail(owner, "frame", "a data frame", type(frame).__name__)
    names = list(frame.columns)
    unknown = [name for name in names if name not in structure.parents]
    if unknown or len(set(names)) != len(names):
        raise check.fail(
            owner, "columns", f"different nodes of {shorten(structure.names)}", unknown or names
        )
    if not len(frame):
        raise check.fail(owner, "frame", "of at least one row", "an empty frame")
    return check.weights(owner, sample_weight, len(frame))


def _continuous(structure: Network, frame: Any, settings: FitSettings) -> set[str]:
    """Nodes that were called continuous, and columns of numbers that are not whole."""
    told = {*settings.continuous, *(n for n, c in structure.cpds.items() if not c.discrete)}
    states = structure.domain.states
    return told | {n for n in frame.columns if n not in states and is_continuous(frame[n])}


def _learned_domain(structure: Network, frame: Any, continuous: set[str]) -> Domain:
    """States as given, otherwise the distinct values of the column in order."""
    states: dict[str, tuple[Any, ...]] = {}
    for name in structure.names:
        if name in continuous:
            continue
        if name in structure.domain.states:
            states[name] = structure.domain.states[name]
        elif name in frame.columns:
            distinct = factorise(frame[name])[1]
            if not distinct:
                raise check.fail(
                    structure.owner, f"column {name!r}", "observed somewhere", "no value"
                )
            states[name] = tuple(_sorted(distinct))
        else:
            label = f"states of the latent node {name!r}"
            raise check.fail(structure.owner, label, "given", None)
    return Domain(structure.owner, states)


def _sorted(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=str)


def _codes(domain: Domain, frame: Any) -> Ints:
    codes = np.full((len(frame), len(domain.names)), UNOBSERVED, dtype=np.int32)
    for at, name in enumerate(domain.names):
        if name in frame.columns:
            codes[:, at] = domain.encode(name, frame[name])
    return codes


def _numbers(owner: str, name: str, frame: Any) -> Floats:
    try:
        values = np.asarray(frame[name], dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, f"column {name!r}", "numbers", "something else") from None
    if np.isinf(values).any():
        raise check.fail(owner, f"column {name!r}", "finite or NaN", "infinity")
    return values


def _nothing_discrete() -> Solution:
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=0.0,
        trace={"objective": np.zeros(1)},
        certificate=Certificate("closed form", 0.0, 0.0),
        solver="least squares",
        extras={"tables": []},
    )
