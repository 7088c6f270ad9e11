import numpy as np
import pytest

from margin.search import ClassTargets, NumberTargets
from margin.search.growing._constraints import (
    directions_of,
    flags_of,
    interaction_sets,
    refuse_directions,
)

NAMES = np.array(["a", "b", "c"], dtype=object)


def test_directions_by_number_and_name():
    assert directions_of("Model", None, 2) == ()
    assert directions_of("Model", [0, 0], 2) == ()
    assert directions_of("Model", np.array([1, -1]), 2) == (1, -1)
    assert directions_of("Model", {"c": 1, "a": -1}, 3, names=NAMES) == (-1, 0, 1)


@pytest.mark.parametrize(
    ("value", "names", "message"),
    [
        ([1], None, "must be a mapping or 2 numbers"),
        ([1], None, "monotonic_cst has shape 1 but the input data X has 2 features"),
        ([2, 0], None, "-1, 0 or 1"),
        ({"a": 1}, None, "numbers of columns where X has no names"),
        ({"z": 1}, ["a", "b"], "a mapping of names of columns, got 'z'"),
    ],
)
def test_directions_refused(value, names, message):
    with pytest.raises(ValueError, match=f"Model: .*{message}"):
        directions_of("Model", value, 2, names=names)


def test_categories_have_no_direction():
    categorical = np.array([True, False])
    assert directions_of("Model", [0, 1], 2, categorical=categorical) == (0, 1)
    with pytest.raises(ValueError, match="monotonic_cst must be 0 for categorical columns"):
        directions_of("Model", [1, 0], 2, categorical=categorical)


def test_only_one_answer_has_a_direction():
    numbers = NumberTargets(np.zeros((2, 3)))
    refuse_directions("Model", None, numbers)
    with pytest.raises(ValueError, match="multiple outputs"):
        refuse_directions("Model", [1], numbers)
    classes = ClassTargets(np.zeros((1, 3), dtype=np.int32), np.array([3]))
    with pytest.raises(ValueError, match="multiclass"):
        refuse_directions("Model", [1], classes)


def test_sets_by_number_and_name():
    assert interaction_sets("Model", None, 3) == ()
    assert interaction_sets("Model", "no_interactions", 2) == ((0,), (1,))
    assert interaction_sets("Model", "pairwise", 3) == ((0, 1), (0, 2), (1, 2))
    assert interaction_sets("Model", [[2, 0], [1]], 3) == ((0, 2), (1,))
    assert interaction_sets("Model", [{"c", "a"}], 3, names=NAMES) == ((0, 2), (1,))
    for value in ("triples", [{3}], [set()], 7, ["a"], [{0.5}]):
        with pytest.raises(ValueError, match="Model: interaction_cst must be"):
            interaction_sets("Model", value, 3, names=NAMES)
    with pytest.raises(ValueError, match="sets of names of columns, got 'z'"):
        interaction_sets("Model", [{"z"}], 3, names=NAMES)
    with pytest.raises(ValueError, match="numbers of columns where X has no names"):
        interaction_sets("Model", [{"a"}], 3)


def test_flags():
    assert flags_of((), 3) is None
    np.testing.assert_array_equal(flags_of(((0, 1), (2,)), 3), [[1, 1, 0], [0, 0, 1]])
