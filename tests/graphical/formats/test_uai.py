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


COMMENTED = """BAYES # of a student
# a line of its own
3
2 3 2
3
1 0
2 0 1   # the second
3 1 0 2

2
  0.6 0.4
6 # entries
  0.2 0.3 0.5
  0.1 0.1 0.8
12
  0.9 0.1  0.8 0.2
  0.7 0.3  0.6 0.4
  0.5 0.5  0.25 0.75
"""


def test_comments_end_with_the_line():
    parsed = parse_uai(COMMENTED)
    assert parsed.scopes == ((0,), (0, 1), (1, 0, 2))
    assert_array_equal(parsed.tables[2][1], [[0.7, 0.3], [0.6, 0.4]])
    assert_array_equal(parse_uai(COMMENTED.replace("\n", "\r\n")).tables[2], parsed.tables[2])


def test_a_file_in_the_manner_of_pyagrum():
    """Names after the scopes; after the node, the first parent moves fastest."""
    text = """BAYES
3
2 3 2
3
1 0   # a
2 0 1   # b
3 1 0 2   # c


2
  0.6 0.4

6
  0.2 0.3 0.5
  0.1 0.1 0.8

12
  0.9 0.1
  0.7 0.3
  0.5 0.5
  0.8 0.2
  0.6 0.4
  0.25 0.75


"""
    for ending in ("\n", "\r\n"):
        parsed = parse_uai(text.replace("\n", ending))
        for mine, standard in zip(parsed.tables, parse_uai(COMMENTED).tables, strict=True):
            assert_array_equal(mine, standard)


def test_an_undirected_file_in_the_manner_of_pyagrum():
    """The variable of the smallest number moves fastest, whatever the scope says."""
    text = """MARKOV
3 # nbr Nodes
2 3 2
2 # nbr Factors
3 1 0 2
2 0 2

12 # {0, 1, 2}
  1 2
  3 4
  5 6
  7 8
  9 10
  11 12

4 # {0, 2}
  1 2
  3 4
"""
    parsed = parse_uai(text)
    by_number = np.arange(1.0, 13.0).reshape(2, 3, 2)  # axes 2, 1, 0
    assert_array_equal(parsed.tables[0], by_number.transpose(1, 2, 0))
    assert_array_equal(parsed.tables[1], [[1, 3], [2, 4]])


def test_a_comment_after_one_scope_alone_is_no_sign_of_pyagrum():
    plain = "BAYES\n2\n2 2 \n2\n1 0\n2 0 1   # b\n\n2\n 0.6 0.4\n4\n 0.1 0.9 0.2 0.8\n"
    assert_array_equal(parse_uai(plain).tables[1], [[0.1, 0.9], [0.2, 0.8]])
