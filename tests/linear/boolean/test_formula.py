from itertools import product

import numpy as np
import pytest

from margin.linear.boolean._formula import all_inputs, truth_table


@pytest.mark.parametrize(
    "formula",
    [
        "a and b or not c",
        "a & b | ~c",
        "(a ^ b) ^ c",
        "not (a or b) and c",
        "True and a | b & False ^ c",
        "~(a & ~(b | c))",
    ],
)
def test_value_is_python_s_own(formula):
    names, inputs, outputs = truth_table(formula)
    assert names == ("a", "b", "c")
    assert [tuple(row) for row in inputs.tolist()] == list(product((False, True), repeat=3))
    for row, output in zip(inputs, outputs, strict=True):
        # Python's ~ is arithmetic: ~False is -1; `not` is the same on truth values.
        value = dict(zip(names, row, strict=True))
        assert output == bool(eval(formula, {}, value))


def test_variables_are_sorted_as_people_do_and_may_be_given():
    assert truth_table("x10 & x2 | x1")[0] == ("x1", "x2", "x10")
    names, inputs, outputs = truth_table("b", names=["b", "a"])
    assert names == ("b", "a")
    np.testing.assert_array_equal(outputs, inputs[:, 0])


def test_all_inputs_count_up():
    inputs = all_inputs(4)
    np.testing.assert_array_equal(inputs @ [8, 4, 2, 1], np.arange(16))


@pytest.mark.parametrize(
    "formula",
    ["a +", "a + b", "f(a)", "a.b", "a == b", "a if b else c", "1 & a", "__import__('os')"],
)
def test_anything_else_is_refused(formula):
    with pytest.raises(ValueError, match=r"^truth_table: formula must be "):
        truth_table(formula)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="formula must be of 1 to 16 variables, got 0"):
        truth_table("True")
    with pytest.raises(ValueError, match="formula must be of 1 to 16 variables, got 17"):
        truth_table(" ^ ".join(f"x{i}" for i in range(17)))
    with pytest.raises(ValueError, match="names must be different and include"):
        truth_table("a & b", names=["a"])
    with pytest.raises(TypeError, match="formula must be a string"):
        truth_table(3)
