"""One model on one fold."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import evaluate, fit, one_line, report_of


def test_score_is_that_of_the_tuned_pipeline(line_arena, fake):
    outcome = evaluate(line_arena, Entrant("m", "x", fake.Shrunk(), fake.Shrunk.card), 2)
    train, test = line_arena.folds[2]
    model = make_pipeline(line_arena.preprocessor, Ridge(**outcome.setting))
    model.fit(line_arena.X.iloc[train], line_arena.y[train])
    expected = model.score(line_arena.X.iloc[test], line_arena.y[test])
    assert outcome.score == pytest.approx(expected, rel=1e-12)
    assert outcome.status == "converged"
    assert outcome.report.startswith("Shrunk fit: converged")
    assert outcome.seconds >= outcome.fit_seconds > 0


def test_failure_is_an_outcome_of_one_line(line_arena, fake):
    outcome = evaluate(line_arena, Entrant("m", "x", fake.Failing()), 0)
    assert outcome.error == "cannot do this"
    assert np.isnan(outcome.score)


def test_interruption_is_not_a_failure(line_arena, fake):
    fake.Interrupting.fits = 2
    with pytest.raises(KeyboardInterrupt):
        evaluate(line_arena, Entrant("m", "x", fake.Interrupting()), 0)


def test_outcomes_repeat(class_arena, fake):
    coin = Entrant("coin", "x", fake.Coin())
    first, second = (evaluate(class_arena, coin, 1).score for _ in range(2))
    assert first == second


def test_a_warning_tells_of_trouble_where_there_is_no_report():
    class Warns(Ridge):
        def fit(self, X, y):
            warnings.warn("far from it", ConvergenceWarning, stacklevel=2)
            return super().fit(X, y)

    X, y = np.eye(3), np.arange(3.0)
    assert fit(Warns(), X, y) == "not converged"
    assert fit(Ridge(), X, y) == "ok"
    assert report_of(Ridge().fit(X, y)) == ""


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("a\nb"), "a"),
        (KeyError("k"), "KeyError: 'k'"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_errors_in_one_line(error, text):
    assert one_line(error) == text
