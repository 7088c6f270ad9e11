"""Rows of evidence are split so that each part suits one program."""

import numpy as np
import pytest

from margin.inference import JunctionTree, ZeroProbabilityError
from margin.inference.exact._question import Question, places
from margin.native.junction.junction import HIDDEN, SLICED, UNARY

TREE = JunctionTree.compile((2, 2, 2), ((0, 1), (1, 2)))


def parts(evidence, likelihoods=None, table_bytes=100.0):
    question = Question(TREE, evidence, likelihoods, "raise", 1)
    return list(question.parts(table_bytes))


def test_one_pattern_is_sliced():
    ((rows, roles, batch),) = parts(np.array([[0, -1, 1]] * 30))
    assert rows.tolist() == list(range(30))
    assert roles.tolist() == [SLICED, HIDDEN, SLICED]
    assert batch


def test_few_patterns_go_apart_and_many_together():
    few = parts(np.array([[0, -1, 1], [0, 0, 1]] * 40))
    assert sorted(len(rows) for rows, _, _ in few) == [40, 40]
    assert sorted(np.concatenate([rows for rows, _, _ in few]).tolist()) == list(range(80))
    ((_, roles, batch),) = parts(np.array([[0, -1, 1], [0, 0, -1], [0, -1, -1]]))
    assert roles.tolist() == [SLICED, UNARY, UNARY]
    assert batch


def test_single_rows_and_large_tables_are_not_batched():
    assert not parts({0: 1})[0][2]
    assert not any(batch for _, _, batch in parts(np.array([[0, -1, 1]] * 30), None, 1e12))


def test_likelihoods_make_their_variable_a_unary_factor():
    ((_, roles, _),) = parts(None, {2: [[0.5, 0.5], [1.0, 0.0]]})
    assert roles.tolist() == [HIDDEN, HIDDEN, UNARY]


def test_judgement_of_impossible_rows():
    question = Question(TREE, np.full((3, 3), -1), None, "raise", 1)
    question.judge()
    question.log_mass[1] = -np.inf
    with pytest.raises(ZeroProbabilityError, match="row 1"):
        question.judge()


def test_places_are_the_entries_that_agree_with_the_observed_variables():
    roles = np.array([SLICED, HIDDEN, SLICED], dtype=np.uint8)
    states = np.array([[1, -1, 0], [0, -1, 1]], dtype=np.int32)
    out = np.zeros((3, 2, 2))
    out[places((2, 1), roles, np.array([0, 2]), states, (2, 2))] = [[0.3, 0.7], [0.6, 0.4]]
    assert out.tolist() == [[[0.3, 0.7], [0, 0]], [[0, 0], [0, 0]], [[0, 0], [0.6, 0.4]]]
