import operator
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from margin.datasets import load_boolean

PYTHON = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "nand": lambda a, b: 1 - (a & b),
}


@pytest.mark.parametrize("name", PYTHON)
def test_tables(name):
    """datasets.17: all four two-input functions."""
    table = load_boolean(name)
    assert table.data.tolist() == [list(pair) for pair in product((0, 1), repeat=2)]
    assert table.target.tolist() == [PYTHON[name](a, b) for a, b in table.data.tolist()]


def test_not():
    """datasets.17: one input."""
    table = load_boolean("not")
    assert table.data.tolist() == [[0], [1]]
    assert table.target.tolist() == [1, 0]


@pytest.mark.parametrize("name", [*PYTHON, "not"])
def test_separability_by_linear_programming(name):
    """datasets.17: a separating unit exists exactly where the table says so."""
    table = load_boolean(name, signed=True)
    rows = -table.target[:, None] * np.column_stack([table.data, np.ones(len(table.data))])
    found = linprog(
        np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(rows)), bounds=(None, None)
    )
    assert (found.status == 0) == table.separable
    plain = load_boolean(name)
    if plain.separable:
        output = plain.data @ plain.weights + plain.bias > 0
        assert output.astype(int).tolist() == plain.target.tolist()
    else:
        assert plain.weights is None


def test_xor_is_and_of_or_and_nand():
    """datasets.17: two layers suffice."""
    layers = [load_boolean(name).target for name in ("or", "nand")]
    assert (layers[0] & layers[1]).tolist() == load_boolean("xor").target.tolist()
    with pytest.raises(ValueError, match="load_boolean: function must be one of"):
        load_boolean("implies")
