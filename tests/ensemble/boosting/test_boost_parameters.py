import numpy as np
import pytest

from margin.ensemble import GradientBoostingClassifier

X = np.random.default_rng(0).standard_normal((60, 2))
Y = X[:, 0] > 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_samples_split": 1}, "min_samples_split must be an integer of at least 2"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf must be a share"),
        ({"min_impurity_decrease": -1.0}, "min_impurity_decrease must be a number of at least 0"),
        ({"ccp_alpha": -0.1}, "ccp_alpha must be a number of at least 0"),
        ({"criterion": "gini"}, "criterion must be one of 'newton'"),
        ({"n_iter_no_change": 0}, "n_iter_no_change must be None or an integer"),
        ({"early_stopping": "never"}, "early_stopping must be one of"),
        ({"verbose": -1}, "verbose must be True, False or an integer of at least 0"),
        ({"subsample": 0.0}, "subsample must be a number above 0 and at most 1"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"GradientBoostingClassifier: {message}"):
        GradientBoostingClassifier(**settings).fit(X, Y)


def test_shares_of_weights_and_directions_do_not_go_together():
    model = GradientBoostingClassifier(monotonic_cst=[1, 0], min_weight_fraction_leaf=0.1)
    model.fit(X, Y)
    with pytest.raises(ValueError, match="min_weight_fraction_leaf must be 0 with monotonic_cst"):
        model.fit(X, Y, sample_weight=np.linspace(1, 2, 60))


@pytest.mark.parametrize(
    ("settings", "stops"),
    [
        ({}, False),
        ({"n_iter_no_change": 2}, True),
        ({"early_stopping": True}, True),
        ({"early_stopping": False, "n_iter_no_change": 2}, False),
        ({"early_stopping": "auto", "n_iter_no_change": 2}, False),
    ],
)
def test_what_asks_to_stop_early(settings, stops):
    labels = np.random.default_rng(1).integers(0, 2, 60)
    model = GradientBoostingClassifier(n_estimators=60, random_state=0, **settings)
    assert (model.fit(X, labels).n_iter_ < 60) == stops
