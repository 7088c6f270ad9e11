import numpy as np
import pytest

from margin.linear import MixedNB
from margin.linear.naive_bayes._column_kinds import (
    check_kinds,
    check_values,
    column_kinds,
    column_models,
)
from margin.linear.naive_bayes._gaussian_columns import GaussianColumns
from margin.linear.naive_bayes._table_columns import TableColumns


def test_kinds_of_values():
    columns = {
        "categorical": ([0, 1, 1], [7, 0, np.nan], [2, 2, 2]),
        "gaussian": ([0.5, 1, 1], [8, 0, 1], [-1, 0, 1], [np.nan] * 3),
    }
    for kind, examples in columns.items():
        for values in examples:
            X = np.array(values, dtype=float)[:, None]
            assert column_kinds("Model", "auto", X, None, {}) == [kind]


def test_groups_of_columns_share_a_model():
    X = np.array([[0.5, 0.0, 1.5], [0.1, 2.0, 3.5]])
    model = column_models(
        X, None, ["gaussian", "categorical", "gaussian"], alpha=2.0, n_bins="auto"
    )
    assert [c.tolist() for c in model.columns] == [[0, 2], [1]]
    assert isinstance(model.models[0], GaussianColumns)
    assert isinstance(model.models[1], TableColumns)
    assert model.models[1].coder.sizes == (3,)
    assert {part.alpha for part in model.models} == {2.0}
    assert {part.alpha for part in model.smoothed(3.0).models} == {3.0}


@pytest.mark.parametrize("bad", ["normal", ["gaussian", 3], {"a": "normal"}, 7])
def test_refuses_unknown_kinds(bad):
    with pytest.raises(ValueError, match="MixedNB: column_models must be one of 'auto'"):
        check_kinds("MixedNB", bad)
    with pytest.raises(ValueError, match="MixedNB: column_models must be one of 'auto'"):
        MixedNB(column_models=bad).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("bernoulli", [0.0, 2.0], r"0 or 1 for the kind 'bernoulli', got 2\.0"),
        ("poisson", [1.0, 0.5], r"whole numbers for the kind 'poisson', got 0\.5"),
        ("categorical", [1.0, -3.0], r"at least 0 .* for the kind 'categorical', got -3\.0"),
        ("multinomial", [1.0, np.nan], "observed everywhere for the kind 'multinomial', got nan"),
    ],
)
def test_values_that_a_kind_cannot_explain(kind, values, words):
    X = np.array(values)[:, None]
    with pytest.raises(ValueError, match=f"^MixedNB: column 0 must be {words}$"):
        check_values("MixedNB", X, [kind], fitting=True)
    check_values("MixedNB", np.array([[0.0], [1.0]]), [kind], fitting=True)
