"""The UAI format, friendly and hostile."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphical import BayesianNetwork, MarkovNetwork
from margin.graphical.formats._uai import ParsedFactors, directed, parse_uai, write_uai

MARKOV = "MARKOV\n3\n2 2 3\n2\n2 0 1\n2 1 2\n\n4\n 4.0 2.4\n 1.0 0.0\n\n6\n 2 2 2 3 3 3\n"


def test_parts_of_a_file():
    parsed = parse_uai(MARKOV)
    assert parsed.kind == "MARKOV"
    assert parsed.cardinalities == (2, 2, 3)
    assert parsed.scopes == ((0, 1), (1, 2))
    assert_array_equal(parsed.tables[1], [[2, 2, 2], [3, 3, 3]])


def test_round_trips(make_network):
    model = MarkovNetwork.from_uai(io.StringIO(MARKOV))
    again = MarkovNetwork.from_uai(io.StringIO(model.to_uai()))
    assert again.log_partition == model.log_partition
    for seed in range(5):
        network = make_network(np.random.default_rng(seed))
        again = BayesianNetwork.from_uai(io.StringIO(network.to_uai()))
        for name, copy in zip(network.variables, again.variables, strict=True):
            assert_array_equal(again.table(copy), network.table(name))
        copies = again.marginals()
        for at, values in enumerate(network.marginals().values()):
            assert_allclose(copies[f"x{at}"], values, rtol=1e-12)


def test_writing_keeps_every_digit():
    table = np.random.default_rng(0).random((2, 3))
    assert_array_equal(parse_uai(write_uai("MARKOV", [2, 3], [(0, 1)], [table])).tables[0], table)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begin with BAYES or MARKOV"),
        ("SPARSE 1", "begin with BAYES or MARKOV, got 'SPARSE'"),
        ("MARKOV", "number of variables must be a whole number, got 'the end of the file'"),
        ("MARKOV 99999999999999999999", "number of variables must be a whole number"),
        ("MARKOV 100 2", "number of variables must be between"),
        ("MARKOV 1 0", "cardinality must be between 1"),
        ("MARKOV 1 2 1 1 5", "variable of a scope must be between 0 and 0, got 5"),
        ("MARKOV 2 2 2 1 2 0 0", "variables of a scope must differ"),
        ("MARKOV 1 2 1 1 0 3 1 1 1", "size of the table over .* must be between 2 and 2, got 3"),
        ("MARKOV 1 2 1 1 0 2 1", "must hold 2 numbers, got 1"),
        ("MARKOV 1 2 1 1 0 2 1 x", "must hold numbers"),
        ("MARKOV 1 2 1 1 0 2 1 nan", "must be finite and at least 0"),
        ("MARKOV 1 2 1 1 0 2 1 -1", "must be finite and at least 0"),
        ("MARKOV 1 2 1 1 0 2 1 1 7", "must end after the last table, got '7'"),
        ("MARKOV 2 999999999 999999999 1 2 0 1", "entries in all, got 999999998000000001"),
    ],
)
def test_malformed_files_are_refused(text, message):
    with pytest.raises(ValueError, match=f"from_uai: .*{message}"):
        parse_uai(text)


def test_kinds_are_not_mixed_up():
    with pytest.raises(ValueError, match="from_uai: file must be of kind BAYES, got MARKOV"):
        BayesianNetwork.from_uai(io.StringIO(MARKOV))
    with pytest.raises(ValueError, match="every variable must be the last of one scope"):
        BayesianNetwork.from_uai(io.StringIO("BAYES 1 2 2 1 0 1 0 2 1 0 2 1 0"))


def test_directed_reading_of_factors():
    parsed = ParsedFactors("BAYES", (2, 2), ((0, 1), (0,)), (np.eye(2), np.array([0.5, 0.5])))
    network = directed(parsed)
    assert network.parents == {"x0": (), "x1": ("x0",)}
