"""The features that combined models have seen."""

import pytest

from margin.ensemble import VotingRegressor
from margin.linear import Ridge


def test_features_are_known_after_the_fit_only():
    model = VotingRegressor([("ridge", Ridge())])
    with pytest.raises(AttributeError, match="n_features_in_"):
        _ = model.n_features_in_
    assert model.fit([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0]).n_features_in_ == 2
