"""Which models take part."""

import pytest

from margin.core import Card
from margin.evaluation import all_estimators
from margin.evaluation._entrants import Entrant, afford, entrants


def names(field):
    return [entrant.name for entrant in field]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_all_suitable_models_and_the_baselines_take_part(task):
    field, skipped = entrants(task, None, 100)
    models = [name for name, _ in all_estimators(task=task, input="table")]
    assert names(field)[2:] + [name for name, _ in skipped] == models
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
        "margin.evaluation._entrants.all_estimators", lambda **_: [("Shrunk", fake.Shrunk)]
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
    # 7 settings on 3 inner folds of 2/3 of the rows cost 14 fits besides the last: 45 for 3 folds.
    [(46.0, 7, ""), (44.0, 1, "not tuned, to keep to the budget"), (2.9, None, None)],
)
def test_tuning_then_the_model_gives_way_to_the_budget(fake, seconds, settings, note):
    model = Entrant("mine", "x", fake.Shrunk(), fake.Shrunk.card)
    kept, skipped = afford([model], lambda _: 1.0, n_rows=1000, seconds=seconds)
    if settings is None:
        assert skipped == [("mine", "needs about 1 s per fold, over the budget")]
    else:
        assert len(kept[0].settings(0)) == settings
        assert kept[0].note == note


def test_baselines_are_always_affordable():
    field, _ = entrants("regression", [], 100)
    assert afford(field, lambda _: 1e9, n_rows=100, seconds=0.1) == (field, [])
