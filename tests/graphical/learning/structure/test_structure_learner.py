"""What every learner stores."""

import numpy as np
import pandas as pd
import pytest

from margin.graphical import ChowLiu, HillClimb
from margin.graphical.learning.structure._structure_learner import StructureLearner


def test_abstract():
    with pytest.raises(TypeError, match="abstract"):
        StructureLearner()


def test_names_of_the_columns_come_and_go():
    rows = np.random.default_rng(0).integers(0, 2, (30, 2))
    model = ChowLiu().fit(pd.DataFrame(rows, columns=["u", "v"]))
    assert list(model.feature_names_in_) == ["u", "v"]
    assert model.graph_.edges == (("u", "v"),)
    model.fit(rows)
    assert not hasattr(model, "feature_names_in_")
    assert model.graph_.edges == ((0, 1),)
    assert model.score_ == model.fit_report_.objective


def test_refusals():
    rows = [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="HillClimb: max_parents must be an integer"):
        HillClimb(max_parents=0).fit(rows)
    with pytest.raises(ValueError, match="HillClimb: required must be pairs"):
        HillClimb(required=["ab"]).fit(rows)
