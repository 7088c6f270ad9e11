"""From the parts of a comparison to the value that is handed out."""

from dataclasses import replace

from sklearn.linear_model import Ridge

from margin.evaluation import compare
from margin.evaluation.race._course import Race
from margin.evaluation.race._entrants import Entrant, entrants
from margin.evaluation.race._fold import Outcome
from margin.evaluation.verdict._examination import examine_winner
from margin.evaluation.verdict._result import NO_TIME
from margin.evaluation.verdict._summary import summarise
from margin.evaluation.verdict._winner import refit_winner


def test_models_that_finished_no_fold_are_named_with_the_reason(line_run):
    baselines, _ = entrants("regression", [], 90)
    field = [*baselines, Entrant("late", "x", Ridge())]
    run = line_run(field, skipped=(("other", "unsuited"),), source="a table")
    for interrupted, why in ((False, "no time left"), (True, "interrupted")):
        raced = Race(tuple(Outcome(e.name, 0, 0.1) for e in baselines), interrupted=interrupted)
        winner = refit_winner(run, raced)
        summary = summarise(run, raced, winner, examine_winner(run, winner))
        assert summary.skipped == (("other", "unsuited"), ("late", why))
        assert (summary.n_rows, summary.n_train, summary.n_test) == (120, 90, 30)
        assert summary.interrupted == interrupted
        assert summary.source == "a table"


def test_a_baseline_taken_because_the_leader_was_late_is_no_model(line_run, fake):
    baselines, _ = entrants("regression", [], 90)
    run = line_run([*baselines, Entrant("slow", "x", fake.Shrunk())])
    raced = Race(tuple(Outcome(e.name, 0, 0.1) for e in (*baselines, *run.entrants[-1:])))
    slow = replace(refit_winner(run, raced).results[-1], model="slow", status=NO_TIME)
    winner = refit_winner(run, Race(raced.outcomes[:-1]))
    winner = replace(winner, results=(*winner.results, slow))
    limits = summarise(run, raced, winner, examine_winner(run, winner)).limits
    assert (limits.only_baselines, limits.out_of_time) == (True, True)


def test_rare_classes_are_reported(two_classes, fake):
    two_classes.loc[:3, "label"] = "odd"
    comparison = compare(two_classes, "label", models=[("Logit", fake.Logit)], budget=None, jobs=1)
    assert any("'odd'" in text for text in comparison.warnings)
    assert comparison.metric == "balanced accuracy"
