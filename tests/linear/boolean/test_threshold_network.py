from itertools import product

import numpy as np
import pytest

from margin.datasets import load_boolean
from margin.linear import BooleanPerceptron
from margin.linear.boolean._formula import all_inputs, truth_table

FORMS = [(form, simplify) for form in ("dnf", "cnf") for simplify in (True, False)]


@pytest.mark.parametrize(("form", "simplify"), FORMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_network_is_the_function_at_every_input(n, form, simplify):
    """neural.19: all functions of up to three variables and many of four, by enumeration."""
    inputs = all_inputs(n)
    rng = np.random.default_rng(0)
    every = product((0, 1), repeat=2**n) if n < 4 else rng.integers(0, 2, size=(200, 16))
    for outputs in every:
        network = BooleanPerceptron.from_table(inputs, outputs, form=form, simplify=simplify)
        np.testing.assert_array_equal(network.predict(inputs), np.array(outputs, dtype=bool))


@pytest.mark.parametrize(("form", "simplify"), FORMS)
@pytest.mark.parametrize("function", ["and", "or", "nand", "xor", "not"])
def test_units_are_thresholds_of_weighted_sums(function, form, simplify):
    """datasets.17: the layers as printed weights give the table, with 0 as the threshold."""
    data = load_boolean(function)
    network = BooleanPerceptron.from_table(data.data, data.target, form=form, simplify=simplify)
    weight, bias = network.hidden_layer
    hidden = (data.data @ weight.T + bias > 0).astype(int)
    top, offset = network.output_layer
    np.testing.assert_array_equal((hidden @ top + offset > 0).astype(int), data.target)
    np.testing.assert_array_equal(network.hidden(data.data), hidden)


def test_xor_takes_two_hidden_units():
    """neural.19: (x1 and not x2) or (not x1 and x2)."""
    for form in ("dnf", "cnf"):
        xor = BooleanPerceptron.from_formula("x1 ^ x2", form=form)
        assert xor.n_hidden == 2
        assert xor.truth_table()[1].astype(int).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_parity_takes_half_of_the_table(n):
    """neural.19: 2^(n-1) terms, which no two can be joined of."""
    formula = " ^ ".join(f"x{k}" for k in range(n))
    for form, simplify in FORMS:
        network = BooleanPerceptron.from_formula(formula, form=form, simplify=simplify)
        assert network.n_hidden == 2 ** (n - 1)
    inputs, outputs = network.truth_table()
    np.testing.assert_array_equal(outputs, inputs.sum(axis=1) % 2 == 1)


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_text_is_the_formula_again(form):
    for formula in ("a & b | ~c", "a ^ b ^ c", "a | ~a & b | c", "a and not a", "a or not a"):
        network = BooleanPerceptron.from_formula(formula, form=form)
        _, _, outputs = truth_table(formula)
        if len(set(outputs)) == 1:
            assert str(network) == str(outputs[0])
        else:
            _, _, again = truth_table(str(network), names=network.names)
            np.testing.assert_array_equal(again, outputs)


def test_rows_of_a_table_may_come_in_any_order():
    inputs = all_inputs(3)
    outputs = np.array([0, 1, 1, 0, 1, 0, 0, 0])
    mixed = np.random.default_rng(1).permutation(8)
    one = BooleanPerceptron.from_table(inputs, outputs, names=["p", "q", "r"])
    assert one == BooleanPerceptron.from_table(inputs[mixed], outputs[mixed], names=["p", "q", "r"])
    assert hash(one) == hash(one.from_table(inputs, outputs, names=["p", "q", "r"]))


def test_bad_input_is_refused():
    inputs = all_inputs(2)
    refused = [
        ("inputs must be zeros and ones", inputs * 2, [0, 1, 1, 0], {}),
        ("inputs must be every row", inputs[:3], [0, 1, 1], {}),
        ("inputs must be every row", inputs[[0, 0, 1, 2]], [0, 1, 1, 0], {}),
        ("outputs must be 4 values", inputs, [0, 1, 1], {}),
        ("outputs must be zeros and ones", inputs, ["f", "t", "t", "f"], {}),
        ("names must be 2 names", inputs, [0, 1, 1, 0], {"names": ["x"]}),
        ("form must be one of 'dnf', 'cnf', got 'anf'", inputs, [0, 1, 1, 0], {"form": "anf"}),
    ]
    for message, rows, values, options in refused:
        with pytest.raises(ValueError, match=f"^BooleanPerceptron: {message}"):
            BooleanPerceptron.from_table(rows, values, **options)
    xor = BooleanPerceptron.from_formula("a ^ b")
    with pytest.raises(ValueError, match="X must be rows of 2 values"):
        xor.predict([[1, 0, 1]])
    with pytest.raises(ValueError, match="X must be zeros and ones"):
        xor.predict([[0.5, 0.0]])
