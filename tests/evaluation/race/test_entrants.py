"""Which models take part."""

import pytest

from margin.core import Card
from margin.evaluation import all_estimators
from margin.evaluation.race._entrants import Entrant, afford, entrants


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
    ("seconds", "settings", "note"),
    # On 3 inner folds of 2/3 of the rows 7 settings cost 14 fits besides the last, 5 cost 10.
    [
        (45.1, 7, ""),
        (44.9, 5, "tuned less, to keep to the budget"),
        (32.9, 1, "not tuned, to keep to the budget"),
        (3.1, 1, "not tuned, to keep to the budget"),
    ],
)
def test_tuning_gives_way_to_the_budget(fake, seconds, settings, note):
    model = Entrant("mine", "x", fake.Shrunk(), fake.Shrunk.card)
    (kept,), skipped = afford([model], {"mine": 1.0}, n_rows=1000, seconds=seconds)
    assert len(kept.settings(0)) == settings
    assert kept.note == note
    assert kept.seconds == pytest.approx(1 + (2 * settings if settings > 1 else 0))
    assert skipped == []


def test_a_model_that_is_too_slow_even_so_is_left_out(fake):
    model = Entrant("mine", "x", fake.Shrunk(), fake.Shrunk.card)
    kept, skipped = afford([model], {"mine": 1.0}, n_rows=1000, seconds=2.9)
    assert kept == []
    assert skipped == [("mine", "needs about 1 s per fold, over the budget")]


def test_the_dearest_is_cut_first_and_workers_help(fake):
    cheap, dear = (Entrant(n, "x", fake.Shrunk(), fake.Shrunk.card) for n in ("cheap", "dear"))
    cost = {"cheap": 0.1, "dear": 1.0}
    one, _ = afford([cheap, dear], cost, n_rows=1000, seconds=40)
    assert [e.note for e in one] == ["", "tuned less, to keep to the budget"]
    two, _ = afford([cheap, dear], cost, n_rows=1000, seconds=40, workers=2)
    assert [e.note for e in two] == ["", ""]


def test_baselines_are_always_affordable():
    field, _ = entrants("regression", [], 100)
    kept, skipped = afford(field, dict.fromkeys(names(field), 0.0), n_rows=100, seconds=-1.0)
    assert (kept, skipped) == (field, [])


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
