"""Models put to the question."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from margin.core import Card
from margin.evaluation import OrderedClassifier, ScaledTarget, TunedClassifier
from margin.evaluation._posed import posed
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.table._problem import state_problem

RNG = np.random.default_rng(0)
CARD = Card(tasks=("classification",), cost="cubic", search_space={"C": [0.1, 1.0]})
FIELD = [
    Entrant("base", "baseline", LogisticRegression(), is_baseline=True),
    Entrant("logit", "x", LogisticRegression(), CARD),
    Entrant("machine", "x", LinearSVC()),
]


def problem(y, **options):
    return state_problem(pd.DataFrame({"x": RNG.normal(size=len(y)), "y": y}), "y", **options)


def test_balanced_classes_leave_models_alone():
    kept, refused = posed(FIELD, problem(np.tile([0, 1], 40)))
    assert list(kept) == FIELD
    assert refused == ()


def test_imbalance_tunes_all_but_baselines():
    kept, _ = posed(FIELD, problem(np.repeat([0, 1], [90, 10])))
    assert kept[0] is FIELD[0]
    assert all(isinstance(e.estimator, TunedClassifier) for e in kept[1:])
    assert kept[1].card.search_space == {
        "weights": ["none", "balanced"],
        "estimator__C": [0.1, 1.0],
    }
    assert kept[1].card.cost == "cubic"
    model = kept[1].seeded(3).set_params(estimator__C=0.5, weights="balanced")
    assert model.estimator.C == 0.5


def test_a_score_of_probabilities_refuses_models_without():
    kept, refused = posed(FIELD, problem(np.tile([0, 1], 40), metric="log loss"))
    assert [e.name for e in kept] == ["base", "logit"]
    assert refused == (("machine", "has no probabilities, which log loss judges"),)


def test_ordered_classes_get_a_model_of_their_own():
    kept, _ = posed(FIELD, problem(np.tile(["low", "medium", "high"], 30)))
    assert isinstance(kept[-1].estimator, OrderedClassifier)
    assert kept[-1].estimator.levels == ["low", "medium", "high"]


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (np.exp(RNG.normal(size=300)), {"scale": ["none", "log"]}),
        (np.minimum(RNG.normal(size=300), 0.5), {}),
        (RNG.normal(size=300), None),
    ],
)
def test_targets_on_their_scale(y, expected):
    field = [Entrant("line", "x", LinearRegression())]
    (entrant,), _ = posed(field, problem(y))
    assert isinstance(entrant.estimator, ScaledTarget) == (expected is not None)
    if expected is not None:
        assert entrant.card.search_space == expected
