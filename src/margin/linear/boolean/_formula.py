"""Boolean formulas as truth tables."""

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from margin.core.types import Bools

MOST_INPUTS = 16

_BINARY: dict[type, Callable[[Bools, Bools], Bools]] = {
    ast.BitAnd: np.logical_and,
    ast.And: np.logical_and,
    ast.BitOr: np.logical_or,
    ast.Or: np.logical_or,
    ast.BitXor: np.logical_xor,
}


def all_inputs(n_inputs: int) -> Bools:
    """All rows of truth values, counting up, the first column slowest.

    Examples
    --------
    >>> all_inputs(2).astype(int).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    number = np.arange(2**n_inputs)[:, None]
    return np.asarray(number >> np.arange(n_inputs - 1, -1, -1) & 1, dtype=np.bool_)


def truth_table(
    formula: str, names: Sequence[str] | None = None
) -> tuple[tuple[str, ...], Bools, Bools]:
    """Variables of a formula, every assignment of them, and the value of the formula at each.

    Parameters
    ----------
    formula : str
        Variables joined by ``and``, ``or``, ``not``, or by ``&``, ``|``, ``^`` (exclusive or) and
        ``~``, with parentheses; ``True`` and ``False``. As in Python, ``not`` binds less tightly
        than ``&``.
    names : sequence of str, optional
        Order of the variables, which may hold more than occur; sorted by default.

    Returns
    -------
    names : tuple of str
    inputs : ndarray of bool, shape (2 ** n, n)
    outputs : ndarray of bool, shape (2 ** n,)

    Examples
    --------
    >>> names, inputs, outputs = truth_table("a and not b or not a and b")
    >>> names, outputs.astype(int).tolist()
    (('a', 'b'), [0, 1, 1, 0])
    """
    if not isinstance(formula, str):
        raise TypeError(f"truth_table: formula must be a string, got {formula!r}")
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"truth_table: formula must be well formed, got {formula!r}") from error
    variables = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    order = tuple(sorted(variables, key=_natural)) if names is None else tuple(names)
    missing = sorted(variables - set(order))
    if missing or len(set(order)) < len(order):
        raise ValueError(
            f"truth_table: names must be different and include {sorted(variables)}, got {order}"
        )
    if not 1 <= len(order) <= MOST_INPUTS:
        raise ValueError(
            f"truth_table: formula must be of 1 to {MOST_INPUTS} variables, got {len(order)}"
        )
    inputs = all_inputs(len(order))
    columns = dict(zip(order, inputs.T, strict=True))
    return order, inputs, np.broadcast_to(_value(tree, columns), len(inputs)).copy()


def _value(node: Any, columns: dict[str, Bools]) -> Bools:
    """Value of a node at all assignments; nothing but boolean operations is understood."""
    if isinstance(node, ast.Name):
        return columns[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return np.array(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        return np.logical_not(_value(node.operand, columns))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, columns), _value(node.right, columns))
    if isinstance(node, ast.BoolOp):
        value = _value(node.values[0], columns)
        for other in node.values[1:]:
            value = _BINARY[type(node.op)](value, _value(other, columns))
        return value
    raise ValueError(
        "truth_table: formula must be of variables, True, False, and, or, not, &, |, ^ and ~, "
        f"got {ast.unparse(node)!r}"
    )


def _natural(name: str) -> list[Any]:
    """Key that sorts x2 before x10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
