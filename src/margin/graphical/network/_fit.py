"""Fitting a network of known structure to a frame: states, tables and regressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Certificate, Solution, Status, check, threads
from margin.core.types import Floats, Ints
from margin.graphical._domain import UNOBSERVED, Domain, factorise, shorten
from margin.graphical._network import Network
from margin.graphical.cpds._cpd import CPD
from margin.graphical.cpds._table_cpd import TableCPD
from margin.graphical.formats._network_file import ParsedNetwork
from margin.graphical.formats._uai import ParsedFactors
from margin.graphical.network._gaussian_fit import fit_gaussian
from margin.graphical.network._parameter_fit import Prior, as_tables, families, fit_tables

__all__ = ["Arrows", "directed", "families", "fit"]


@dataclass(frozen=True)
class Arrows:
    """Nodes and edges of somebody else's graph."""

    nodes: tuple[Any, ...]
    edges: tuple[Any, ...]


def directed(parsed: ParsedFactors) -> ParsedNetwork:
    """A UAI file of kind BAYES as a network: the last variable of a scope is the node."""
    if parsed.kind != "BAYES":
        raise ValueError(f"from_uai: file must be of kind BAYES, got {parsed.kind}")
    nodes = [scope[-1] for scope in parsed.scopes if scope]
    if sorted(nodes) != list(range(len(parsed.cardinalities))):
        raise ValueError("from_uai: every variable must be the last of one scope, got other scopes")
    order = sorted(range(len(nodes)), key=nodes.__getitem__)
    return ParsedNetwork(
        {f"x{v}": tuple(map(str, range(c))) for v, c in enumerate(parsed.cardinalities)},
        {f"x{nodes[i]}": tuple(f"x{v}" for v in parsed.scopes[i][:-1]) for i in order},
        {f"x{nodes[i]}": parsed.tables[i] for i in order},
    )


def fit(model: Any, structure: Network, frame: Any, sample_weight: Any) -> tuple[Network, Solution]:
    """Network with learned distributions, and how they were found."""
    if not hasattr(frame, "columns"):
        raise check.fail(model, "frame", "a data frame", type(frame).__name__)
    names = list(frame.columns)
    unknown = [name for name in names if name not in structure.parents]
    if unknown or len(set(names)) != len(names):
        raise check.fail(
            model, "columns", f"different nodes of {shorten(structure.names)}", unknown or names
        )
    if not len(frame):
        raise check.fail(model, "frame", "of at least one row", "an empty frame")
    weight = check.weights(model, sample_weight, len(frame))
    continuous = {*model.continuous, *(n for n, c in structure.cpds.items() if not c.discrete)}
    domain = _learned_domain(model, structure, frame, continuous)
    network = replace(structure, domain=domain, cpds={})
    codes = _codes(domain, frame)
    columns = {
        name: _numbers(model, name, frame) if name in names else np.full(len(frame), np.nan)
        for name in network.names
        if name in continuous
    }
    solution = (
        fit_tables(
            network,
            codes,
            weight,
            Prior(model.alpha, model.equivalent_sample_size),
            tol=model.tol,
            max_iter=model.max_iter,
            n_threads=threads.count(model.n_jobs),
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


def _learned_domain(model: Any, structure: Network, frame: Any, continuous: set[str]) -> Domain:
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
                raise check.fail(model, f"column {name!r}", "observed somewhere", "no value")
            states[name] = tuple(_sorted(distinct))
        else:
            raise check.fail(model, f"states of the latent node {name!r}", "given", None)
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


def _numbers(model: Any, name: str, frame: Any) -> Floats:
    try:
        values = np.asarray(frame[name], dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(model, f"column {name!r}", "numbers", "something else") from None
    if np.isinf(values).any():
        raise check.fail(model, f"column {name!r}", "finite or NaN", "infinity")
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
