"""One model on one fold."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import evaluate
from margin.evaluation.race._prepared import prepare


def test_score_is_that_of_the_tuned_pipeline(line_training, fake):
    outcome = evaluate(
        prepare(line_training, 2),
        Entrant("m", "x", fake.Shrunk(), fake.Shrunk.card),
        line_training.metric,
    )
    train, test = line_training.folds[2]
    model = make_pipeline(line_training.preprocessor, Ridge(**outcome.setting))
    model.fit(line_training.X.iloc[train], line_training.y[train])
    expected = model.score(line_training.X.iloc[test], line_training.y[test])
    assert outcome.score == pytest.approx(expected, rel=1e-12)
    assert outcome.status == "converged"
    assert outcome.report.startswith("Shrunk fit: converged")
    assert outcome.seconds >= outcome.fit_seconds > 0


def test_failure_is_an_outcome_of_one_line(line_training, fake):
    outcome = evaluate(
        prepare(line_training, 0), Entrant("m", "x", fake.Failing()), line_training.metric
    )
    assert outcome.error == "cannot do this"
    assert np.isnan(outcome.score)


def test_interruption_is_not_a_failure(line_training, fake):
    fake.Interrupting.fits = 2
    with pytest.raises(KeyboardInterrupt):
        evaluate(
            prepare(line_training, 0), Entrant("m", "x", fake.Interrupting()), line_training.metric
        )


def test_outcomes_repeat(class_training, fake):
    coin = Entrant("coin", "x", fake.Coin())
    first, second = (
        evaluate(prepare(class_training, 1), coin, class_training.metric).score for _ in range(2)
    )
    assert first == second


def test_a_fit_that_reaches_its_limit_is_no_failure(line_training, fake, clock):
    slow = Entrant("slow", "x", fake.Costly(unit=1.0, power=0))
    fold = prepare(line_training, 0)
    outcome = evaluate(fold, slow, line_training.metric, 0.5)
    assert outcome.stopped
    assert (outcome.error, outcome.seconds, outcome.rows) == ("", 0.5, 72)
    assert not evaluate(fold, slow, line_training.metric, 1.5).stopped


def test_blocks_are_those_of_the_held_out_rows(line_training, fake):
    outcome = evaluate(
        prepare(line_training, 0), Entrant("m", "x", fake.Shrunk()), line_training.metric
    )
    assert len(outcome.blocks) == 10
    assert np.mean(outcome.blocks) == pytest.approx(outcome.score, abs=0.02)
