"""The winner on all training rows and on the test rows."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.verdict._final import keep_residuals, refit, verify


def entrant(cls):
    return Entrant(cls.__name__, "x", cls(), cls.card)


def test_refit_tunes_on_all_training_rows(line_arena, fake):
    final = refit(line_arena, entrant(fake.Shrunk))
    assert final.setting in entrant(fake.Shrunk).settings(0)
    assert final.model[-1].alpha == final.setting.get("alpha", 1.0)
    assert (final.name, final.status) == ("Shrunk", "converged")
    assert final.report.startswith("Shrunk fit")


def test_refit_takes_a_given_setting(line_arena, fake):
    assert refit(line_arena, entrant(fake.Shrunk), {"alpha": 7.0}).model[-1].alpha == 7.0


def test_test_rows_of_a_regression(line_arena, line, fake):
    model = refit(line_arena, entrant(fake.Shrunk), {}).model
    X, y = line.iloc[90:], line["y"].to_numpy()[90:]
    assert verify(line_arena, model, X, y).y_interval is None
    keep_residuals(line_arena, model)
    found = verify(line_arena, model, X, y)
    assert found.score == model.score(X, y)
    assert found.interval[0] < found.score < found.interval[1]
    assert found.y_proba is None
    low, high = found.y_interval.T
    assert np.all(low < high)
    assert np.mean((low <= y) & (y <= high)) > 0.6


def test_residuals_are_those_of_rows_held_out(line_arena, fake):
    model = refit(line_arena, entrant(fake.Shrunk), {}).model
    keep_residuals(line_arena, model)
    residuals = []
    for train, test in line_arena.folds[:5]:
        part = line_arena.part(train, test)
        residuals.extend(part.y_test - Ridge().fit(part.Z_train, part.y_train).predict(part.Z_test))
    assert len(residuals) == 90
    np.testing.assert_allclose(
        model.residual_quantiles_[[0, 100, 200]], np.quantile(residuals, [0, 0.5, 1])
    )


def test_test_rows_of_a_classification(class_arena, two_classes, fake):
    model = refit(class_arena, entrant(fake.Logit)).model
    X, y = two_classes.iloc[120:], two_classes["label"].to_numpy().astype(str)[120:]
    found = verify(class_arena, model, X, y)
    assert found.y_interval is None
    assert found.y_proba.shape == (30, 2)
    np.testing.assert_allclose(found.y_proba.sum(axis=1), 1.0)
    predicted = model.classes_[found.y_proba.argmax(axis=1)]
    assert predicted.tolist() == found.y_pred.tolist()
    assert found.score == pytest.approx(np.mean(found.y_pred == y))
