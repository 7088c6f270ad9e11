"""Evidence on nodes of both kinds, taken apart."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD, Soft
from margin.graphical.engines._split_evidence import split_evidence, targets_of

NET = BayesianNetwork.from_edges(
    [("a", "x")], {"a": [0.4, 0.6], "x": ConditionalGaussianCPD([0.0, 1.0], variance=0.5)}
)._model


def test_mappings_and_frames():
    known, values = split_evidence(NET, {"x": 2.0, "a": 1})
    assert known.codes.tolist() == [[1]]
    assert not known.batched
    assert values.tolist() == [[2.0]]
    for library in (pd, pl):
        known, values = split_evidence(NET, library.DataFrame({"x": [2.0, None], "a": [0, 1]}))
        assert known.batched
        assert known.codes.tolist() == [[0], [1]]
        assert_array_equal(values, [[2.0], [np.nan]])
    known, values = split_evidence(NET, pd.DataFrame({"x": [1.0]}))
    assert known.codes.tolist() == [[-1]]
    assert split_evidence(NET, None)[1].shape == (1, 1)


def test_rows_of_soft_evidence_share_a_value():
    known, values = split_evidence(NET, {"a": Soft(np.full((3, 2), 0.5)), "x": 1.5})
    assert len(known) == 3
    assert values.tolist() == [[1.5]] * 3


def test_refusals():
    with pytest.raises(ValueError, match="evidence on 'x' must be a number"):
        split_evidence(NET, {"x": "tall"})
    with pytest.raises(ValueError, match="evidence on 'x' must be finite"):
        split_evidence(NET, pd.DataFrame({"x": [np.inf]}))
    with pytest.raises(ValueError, match="must be None, a mapping or a data frame, got list"):
        split_evidence(NET, [1])


def test_targets():
    assert targets_of(NET, "x") == ["x"]
    assert targets_of(NET, None, every=True) == ["a", "x"]
    with pytest.raises(ValueError, match="targets must be variables to ask for, got None"):
        targets_of(NET, None)
    with pytest.raises(ValueError, match="targets must be nodes, got 'q'"):
        targets_of(NET, ["x", "q"])
    with pytest.raises(ValueError, match="variables must differ"):
        targets_of(NET, ["x", "x"])
