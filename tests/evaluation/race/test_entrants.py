"""Which models take part."""

import pytest

from margin.core import Card
from margin.evaluation import all_estimators
from margin.evaluation.race._entrants import Entrant, entrants


def names(field):
    return [entrant.name for entrant in field]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_all_suitable_models_and_the_baselines_take_part(task):
    field, skipped = entrants(task, None, 100)
    models = [name for name, _ in all_estimators(task=task, input="table")]
    assert sorted(names(field)[2:] + [name for name, _ in skipped]) == models
    assert [entrant.is_baseline for entrant in field[:3]] == [True, True, False]


def test_models_can_be_named(fake):
    field, _ = entrants("regression", ["Ridge", ("mine", fake.Shrunk)], 100)
    assert names(field)[2:] == ["Ridge", "mine"]
    assert field[2].family == "linear"


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["Rigde"], "no model 'Rigde'; did you mean 'Ridge'"),
        (["LogisticRegression"], "'LogisticRegression' is not made for regression"),
        (["Ridge", "Ridge"], "different, got 'Ridge' more than once"),
    ],
)
def test_names_that_do_not_fit(models, message):
    with pytest.raises(ValueError, match=message):
        entrants("regression", models, 100)


def test_models_for_small_tables_stay_away_unless_asked_for(fake, monkeypatch):
    monkeypatch.setattr(fake.Shrunk, "card", Card(tasks=("regression",), max_rows=50))
    monkeypatch.setattr(
        "margin.evaluation.race._entrants.all_estimators", lambda **_: [("Shrunk", fake.Shrunk)]
    )
    field, skipped = entrants("regression", None, 51)
    assert names(field) == ["mean", "depth-1 rule"]
    assert skipped == [("Shrunk", "made for at most 50 rows")]
    assert names(entrants("regression", [("Shrunk", fake.Shrunk)], 51)[0])[-1] == "Shrunk"


def test_seeds_differ_between_models_and_repeat(fake):
    one, other = (Entrant(name, "x", fake.Coin()) for name in ("one", "other"))
    assert one.seeded(3).random_state == one.seeded(3).random_state
    assert (
        len({one.seeded(3).random_state, one.seeded(4).random_state, other.seeded(3).random_state})
        == 3
    )
    assert one.estimator.random_state is None


@pytest.mark.parametrize(
    ("level", "settings", "note"),
    [
        (9, 7, ""),
        (4, 5, "tuned less, to keep to the budget"),
        (0, 1, "not tuned, to keep to the budget"),
    ],
)
def test_levels_of_tuning(fake, level, settings, note):
    entrant = Entrant("mine", "x", fake.Shrunk(), fake.Shrunk.card).tuned(level)
    assert len(entrant.settings(0)) == settings
    assert entrant.note == note
    assert entrant.tuned(9).note == ""
    assert len(entrant.tuned(9).settings(0)) == 7


def test_a_model_without_a_search_has_no_levels():
    entrant = Entrant("mine", "x", object())
    assert entrant.tuned(0).note == ""
    assert entrant.power == 1


def test_a_setting_that_was_chosen_needs_no_search(fake):
    entrant = Entrant("mine", "x", fake.Shrunk(), fake.Shrunk.card, chosen={"alpha": 3.0})
    assert entrant.settings(5) == [{"alpha": 3.0}]


def test_models_of_counts_are_left_out_below_zero():
    _, skipped = entrants("regression", None, 100, lowest_target=-1.0)
    assert ("PoissonRegressor", "takes no negative targets") in skipped
    assert "PoissonRegressor" in names(entrants("regression", None, 100)[0])


def test_models_of_non_negative_features_are_left_out(fake):
    class Counts(fake.Shrunk):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.positive_only = True
            return tags

    field, skipped = entrants("regression", [("Counts", Counts)], 100)
    assert "Counts" not in names(field)
    assert skipped[0][0] == "Counts"


def test_models_of_two_classes_stay_away_from_three():
    field, skipped = entrants("classification", None, 100, n_classes=3)
    assert ("FisherDiscriminant", "tells two classes apart, not more") in skipped
    assert "FisherDiscriminant" in names(entrants("classification", None, 100)[0])
    assert "LogisticRegression" in names(field)


def test_reductions_to_two_classes_need_three():
    _, skipped = entrants("classification", None, 100, n_classes=2)
    assert ("OneVsRestClassifier", "made for 3 classes or more") in skipped
    assert "OneVsRestClassifier" in names(entrants("classification", None, 100, n_classes=3)[0])


def test_models_that_need_a_person_stay_away_unless_named():
    _, skipped = entrants("regression", None, 100)
    assert ("NonlinearLeastSquares", "needs parameters of yours") in skipped
    field, _ = entrants("regression", ["NonlinearLeastSquares"], 100)
    assert names(field)[-1] == "NonlinearLeastSquares"
