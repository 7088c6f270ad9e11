"""The winner on all training rows and on the test rows."""

import numpy as np
import pytest

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.verdict._final import refit, verify
from margin.evaluation.verdict._held_out import held_out_residuals, with_residuals


def entrant(cls):
    return Entrant(cls.__name__, "x", cls(), cls.card)


def test_refit_tunes_on_all_training_rows(line_training, fake):
    final = refit(line_training, entrant(fake.Shrunk))
    assert final.setting in entrant(fake.Shrunk).settings(0)
    assert final.model[-1].alpha == final.setting.get("alpha", 1.0)
    assert (final.name, final.status) == ("Shrunk", "converged")
    assert final.report.startswith("Shrunk fit")


def test_refit_takes_a_given_setting(line_training, fake):
    assert refit(line_training, entrant(fake.Shrunk), {"alpha": 7.0}).model[-1].alpha == 7.0


def test_test_rows_of_a_regression(line_training, line, fake):
    final = refit(line_training, entrant(fake.Shrunk), {})
    X, y = line.iloc[90:], line["y"].to_numpy()[90:]
    assert verify(line_training, final.model, X, y).y_interval is None
    model = with_residuals(final, held_out_residuals(line_training, final.model)).model
    assert not hasattr(final.model, "residual_quantiles_")
    verified = verify(line_training, model, X, y)
    assert verified.score == model.score(X, y)
    assert verified.interval[0] < verified.score < verified.interval[1]
    assert verified.y_proba is None
    low, high = verified.y_interval.T
    assert np.all(low < high)
    assert np.mean((low <= y) & (y <= high)) > 0.6


def test_test_rows_of_a_classification(class_training, two_classes, fake):
    model = refit(class_training, entrant(fake.Logit)).model
    X, y = two_classes.iloc[120:], two_classes["label"].to_numpy().astype(str)[120:]
    verified = verify(class_training, model, X, y)
    assert verified.y_interval is None
    assert verified.y_proba.shape == (30, 2)
    np.testing.assert_allclose(verified.y_proba.sum(axis=1), 1.0)
    predicted = model.classes_[verified.y_proba.argmax(axis=1)]
    assert predicted.tolist() == verified.y_pred.tolist()
    assert verified.score == pytest.approx(np.mean(verified.y_pred == y))
