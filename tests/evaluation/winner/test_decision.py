"""Thresholds on the scale that predictions show."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from margin.evaluation import Calibration, Metric, TunedClassifier
from margin.evaluation.winner._calibration import calibrated
from margin.evaluation.winner._decision import decision_of

RNG = np.random.default_rng(5)
X = RNG.normal(size=(600, 2))
Y = (X[:, 0] + RNG.normal(size=600) > 1.6).astype(int)

FLAT = ((0.0, 0.05, 0.3, 1.0), (0.0, 0.0, 0.0, 0.5))
MAPS = [
    None,
    Calibration(),
    Calibration("isotonic", (FLAT,)),
    Calibration("sigmoid", (((0.0,), (-3.0,)),)),
    Calibration("sigmoid", (((1.7,), (-0.4,)),)),
]


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("mapping", MAPS)
def test_answers_are_those_of_the_probabilities_above_it(mapping, positive):
    metric = Metric("balanced accuracy", (0, 1), positive)
    model = make_pipeline(StandardScaler(), TunedClassifier(LogisticRegression(), metric))
    model.fit(X, Y)
    decision = decision_of(model, mapping)
    shown = model.predict_proba(X)
    shown = shown if mapping is None else mapping(shown)
    assert decision.label == positive
    np.testing.assert_array_equal(decision.answers(shown), model.predict(X) == positive)


def test_a_learned_calibration_keeps_every_answer():
    metric = Metric("F1", (0, 1), 1)
    model = make_pipeline(TunedClassifier(LogisticRegression(), metric, weights="balanced"))
    model.fit(X, Y)
    mapping = calibrated(Y, model.predict_proba(X), np.array([0, 1]))
    assert mapping.method != "none"
    decision = decision_of(model, mapping)
    assert decision.threshold < model[-1].rule_.threshold
    answers = decision.answers(mapping(model.predict_proba(X)))
    np.testing.assert_array_equal(answers, model.predict(X) == 1)


def test_without_a_rule_it_is_one_half_mapped():
    model = make_pipeline(LogisticRegression()).fit(X, Y)
    assert decision_of(model, None).threshold == 0.5
    raised = Calibration("sigmoid", (((1.0,), (1.0,)),))
    assert decision_of(model, raised).threshold == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-5)


def test_other_than_two_classes_have_none():
    three = make_pipeline(LogisticRegression()).fit(X, np.arange(600) % 3)
    assert decision_of(three, None) is None
