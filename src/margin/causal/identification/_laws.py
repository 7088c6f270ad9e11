"""Tables of probabilities from networks, from tables, and from frames."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from margin.causal.graph._types import Node
from margin.causal.identification._expressions import OBSERVED, Expression, Joint, Source
from margin.core import check
from margin.core.types import Floats

Names = tuple[Node, ...]
Levels = dict[Node, tuple[Any, ...]]
OWNER = "Estimand.evaluate"


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
    return Joint(order, tables.pop(first), tables), levels


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
        if isinstance(held, tuple) or (hasattr(held, "query") and not hasattr(held, "columns")):
            continue
        for node in needed[source]:
            values.setdefault(node, set()).update(np.unique(_column(held, node)).tolist())
    return {node: tuple(sorted(part, key=_order)) for node, part in values.items()}


def _order(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def _column(frame: Any, name: Node) -> Any:
    try:
        return np.asarray(frame[name])
    except (KeyError, TypeError, IndexError):
        raise check.fail(OWNER, "model", f"with a column {name!r}", frame) from None


def law(
    model: Any, names: Iterable[Node], levels: Mapping[Node, tuple[Any, ...]]
) -> tuple[Floats, Levels]:
    """The joint law of named variables from a network, a table or a frame, and its levels."""
    names = tuple(names)
    if isinstance(model, tuple) and len(model) == 2:
        return _from_table(tuple(model[0]), np.asarray(model[1], dtype=np.float64), names), {}
    if hasattr(model, "query") and not hasattr(model, "columns"):
        answer = model.query(list(names))
        states = dict(zip(answer.variables, map(tuple, answer.states), strict=True))
        axes = [answer.variables.index(name) for name in names]
        return np.asarray(answer.values).transpose(axes), states
    codes = []
    for name in names:
        distinct, inverse = np.unique(_column(model, name), return_inverse=True)
        place = np.array([levels[name].index(value) for value in distinct.tolist()])
        codes.append(place[inverse])
    shape = tuple(len(levels[name]) for name in names)
    counts = np.bincount(np.ravel_multi_index(tuple(codes), shape), minlength=int(np.prod(shape)))
    return counts.reshape(shape) / counts.sum(), {}


def _from_table(held: Names, table: Floats, names: Names) -> Floats:
    if table.ndim != len(held) or not set(names) <= set(held):
        raise check.fail(OWNER, "model", f"a table over {names}", held)
    if (table < 0).any() or not abs(table.sum() - 1) < 1e-6:
        raise check.fail(OWNER, "model", "probabilities of sum 1", table.sum())
    away = tuple(i for i, name in enumerate(held) if name not in names)
    kept = [name for name in held if name in names]
    return np.asarray(table.sum(axis=away).transpose([kept.index(name) for name in names]))
