"""Tables of probabilities from networks, from tables, and from frames."""

from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import Any

import numpy as np

from margin.causal.graph._types import Node
from margin.causal.identification._expressions import (
    OBSERVED,
    Expression,
    Joint,
    Probability,
    Source,
)
from margin.causal.tables._columns import column
from margin.causal.tables._columns import levels as level_codes
from margin.core import check
from margin.core.types import Bools, Floats

Names = tuple[Node, ...]
Levels = dict[Node, tuple[Any, ...]]
OWNER = "Estimand.evaluate"
MOST_CELLS = 100_000_000


def observed_laws(
    nodes: Names,
    expression: Expression,
    asked: Names,
    model: Any,
    experiments: Mapping[Any, Any],
    home: Source = OBSERVED,
) -> tuple[Joint, Levels]:
    """What a formula needs: one table of the observations and one of each experiment it names.

    Axes are the variables of the formula in the order of the graph; those that a source need not
    know have length one there.
    """
    needed: dict[Source, set[Node]] = {}
    for symbol in expression.symbols:
        needed.setdefault(symbol.source, set()).update(symbol.free)
    if any(source.seen for source in needed):
        return laws_with_gaps(nodes, needed, asked, model)
    first = home if home in needed or model is not None else next(iter(needed))
    needed.setdefault(first, set()).update(asked)
    models = {
        source: _known(model) if source == home else _of(source, experiments) for source in needed
    }
    every = set().union(*needed.values())
    order = tuple(node for node in nodes if node in every)
    levels = _frame_levels(models, needed)
    tables = {}
    for source, held in models.items():
        kept = tuple(node for node in order if node in needed[source])
        table, states = law(held, kept, levels)
        levels.update(states)
        lengths = iter(table.shape)
        tables[source] = table.reshape([next(lengths) if n in kept else 1 for n in order])
    for node, *lengths_of_node in zip(
        order, *(table.shape for table in tables.values()), strict=True
    ):
        if len(set(lengths_of_node) - {1}) > 1:
            need = f"with as many levels of {node!r} in every table"
            raise check.fail(OWNER, "experiments", need, lengths_of_node)
    return Joint(order, tables.pop(first), tables, np.nan), levels


def _known(model: Any) -> Any:
    if model is None:
        raise check.fail(OWNER, "model", "a network, a table or a frame", model)
    return model


def _of(source: Source, experiments: Mapping[Any, Any]) -> Any:
    for key, held in experiments.items():
        parts = key if isinstance(key, tuple | list | frozenset | set) else (key,)
        if set(parts) == set(source.experiment):
            return held
    need = f"with the law of the experiment on {source.experiment}"
    raise check.fail(OWNER, "experiments", need, tuple(experiments))


def _frame_levels(models: Mapping[Source, Any], needed: Mapping[Source, set[Node]]) -> Levels:
    """Levels of the columns of all frames together."""
    values: dict[Node, set[Any]] = {}
    for source, held in models.items():
        if _is_frame(held):
            for node in needed[source]:
                values.setdefault(node, set()).update(level_codes(OWNER, held, node)[0])
    return {node: tuple(sorted(part, key=_order)) for node, part in values.items()}


def _is_frame(model: Any) -> bool:
    return not isinstance(model, tuple) and (
        hasattr(model, "columns") or not hasattr(model, "query")
    )


def _order(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def law(
    model: Any, names: Iterable[Node], levels: Mapping[Node, tuple[Any, ...]]
) -> tuple[Floats, Levels]:
    """The joint law of named variables from a network, a table or a frame, and its levels."""
    names = tuple(names)
    if isinstance(model, tuple) and len(model) == 2:
        return _from_table(tuple(model[0]), np.asarray(model[1], dtype=np.float64), names), {}
    if not _is_frame(model):
        answer = model.query(list(names))
        states = dict(zip(answer.variables, map(tuple, answer.states), strict=True))
        axes = [answer.variables.index(name) for name in names]
        return np.asarray(answer.values).transpose(axes), states
    return _frequencies(model, names, levels), {}


def _frequencies(frame: Any, names: Names, levels: Mapping[Node, tuple[Any, ...]]) -> Floats:
    """Shares of the rows of a frame; unknown values are refused."""
    codes = []
    for name in names:
        distinct, inverse = level_codes(OWNER, frame, name)
        place = np.array([levels[name].index(value) for value in distinct], dtype=np.int64)
        codes.append(place[inverse])
    shape = tuple(len(levels[name]) for name in names)
    size = prod(shape)
    if size > MOST_CELLS:
        need = f"with at most {MOST_CELLS} combinations of levels of {names}"
        raise check.fail(OWNER, "model", need, size)
    if len({len(code) for code in codes}) > 1 or not len(codes[0]):
        lengths = [len(code) for code in codes]
        raise check.fail(OWNER, "model", "with columns of one length above 0", lengths)
    counts = np.bincount(np.ravel_multi_index(tuple(codes), shape), minlength=size)
    return np.asarray(counts.reshape(shape) / counts.sum())


def _from_table(held: Names, table: Floats, names: Names) -> Floats:
    if table.ndim != len(held) or not set(names) <= set(held):
        raise check.fail(OWNER, "model", f"a table over {names}", held)
    if not np.isfinite(table).all() or (table < 0).any() or not abs(table.sum() - 1) < 1e-6:
        raise check.fail(OWNER, "model", "probabilities of sum 1", table.sum())
    away = tuple(i for i, name in enumerate(held) if name not in names)
    kept = [name for name in held if name in names]
    return np.asarray(table.sum(axis=away).transpose([kept.index(name) for name in names]))


def laws_with_gaps(
    nodes: Names, needed: Mapping[Source, set[Node]], asked: Names, model: Any
) -> tuple[Joint, Levels]:
    """A table for every set of variables that a formula wants to be seen together."""
    every = set(asked).union(*needed.values())
    order = tuple(node for node in nodes if node in every)
    whole = isinstance(_known(model), tuple)
    if not whole and not _is_frame(model):
        raise check.fail(OWNER, "model", "a frame with gaps or a table with indicators", model)
    gaps = {} if whole else {node: _gaps(model, node) for node in order}
    levels = {} if whole else {
        node: level_codes(OWNER, {node: column(OWNER, model, node)[~gaps[node]]}, node)[0]
        for node in order
    }  # fmt: skip
    known = dict(zip(*_names_and_shape(model), strict=True)) if whole else {}
    tables, lengths = {}, {n: known.get(n, len(levels.get(n, ()))) for n in order}
    for source, names in needed.items():
        kept = tuple(node for node in order if node in names)
        if whole:
            table = _where_seen(model, source, kept)
        else:
            hidden = [gaps[node] for node, _ in source.seen if node in gaps]
            rows = ~np.any([np.zeros_like(gaps[order[0]]), *hidden], axis=0)
            part = {node: column(OWNER, model, node)[rows] for node in kept}
            table = _frequencies(part, kept, levels)
        sizes = iter(table.shape)
        tables[source] = table.reshape([next(sizes) if n in kept else 1 for n in order])
    shape = [lengths[node] for node in order]
    return Joint(order, np.ones(shape), tables, np.nan), levels


def _gaps(frame: Any, name: Node) -> Bools:
    values = column(OWNER, frame, name)
    if values.dtype.kind == "O":
        return np.array([v is None or v != v for v in values.tolist()], dtype=bool)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _names_and_shape(model: Any) -> tuple[Names, tuple[int, ...]]:
    names, shape = tuple(model[0]), np.shape(model[1])
    if len(names) != len(shape):
        raise check.fail(OWNER, "model", f"a table with an axis for each of {names}", shape)
    return names, shape


def _where_seen(model: Any, source: Source, kept: Names) -> Floats:
    """Law of some variables in the rows that a source is, from a table with indicators."""
    held, table = tuple(model[0]), np.asarray(model[1], dtype=np.float64)
    for _, sign in source.seen:
        if sign not in held or table.shape[held.index(sign)] != 2:
            raise check.fail(OWNER, "model", f"a table with the indicator {sign!r}", held)
        at = held.index(sign)
        table, held = np.asarray(table.take(1, axis=at)), held[:at] + held[at + 1 :]
    if not table.sum() > 0:
        signs = tuple(sign for _, sign in source.seen)
        raise check.fail(OWNER, "model", f"with {signs} together equal to 1 somewhere", 0.0)
    return _from_table(held, table / table.sum(), kept)


def refuse_undefined(
    expression: Expression, joint: Joint, values: Floats, asked: Names, levels: Levels
) -> None:
    """Refuse values that hang on a condition that never occurs, and name it."""
    unknown = np.argwhere(np.isnan(values))
    if not len(unknown):
        return
    setting = dict(zip(asked, unknown[0].tolist(), strict=True))
    empty = [cell for symbol in expression.symbols for cell in _empty_cells(symbol, joint, setting)]
    symbol, cell = max(empty, key=lambda part: part[2], default=(None, setting, 0))[:2]
    said = ", ".join(
        f"{name} = {levels[name][at] if name in levels else at!r}" for name, at in cell.items()
    )
    what = "the effect" if symbol is None else str(symbol)
    raise ValueError(f"{OWNER}: model must have cases of {said}: {what} is not defined there")


def _empty_cells(
    symbol: Probability, joint: Joint, setting: Mapping[Node, int]
) -> Iterator[tuple[Probability, dict[Node, int], float]]:
    """Conditions that never occur, and how often they would but for what is set."""
    if not symbol.given:
        return
    chance = joint.marginal(symbol.given, symbol.source)
    fixed = [n for n in symbol.given if n in setting]
    away = joint.axes(fixed)
    weight = np.broadcast_to(chance.sum(axis=away, keepdims=True), chance.shape)
    for place in np.argwhere(chance == 0):
        cell = {n: int(place[joint.names.index(n)]) for n in symbol.given}
        if all(cell[n] == setting[n] for n in fixed):
            yield symbol, cell, float(weight[tuple(place)])
