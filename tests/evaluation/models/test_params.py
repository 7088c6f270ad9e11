"""Names of parameters."""

from margin.evaluation.models._params import plain_params


def test_names_without_the_wrapping():
    assert plain_params({"estimator__C": 1.0, "weights": "none"}) == {"C": 1.0, "weights": "none"}
