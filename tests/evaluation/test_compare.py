"""The comparison from end to end."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

from margin.core import Card
from margin.evaluation import compare, prediction_interval
from margin.evaluation.table import _problem, _transformers


@pytest.fixture
def quick(monkeypatch):
    """Five folds and a short learning curve, where neither matters."""
    monkeypatch.setattr("margin.evaluation.table._folds._REPEATS", 1)
    monkeypatch.setattr("margin.evaluation.verdict._learning_curve._SHARES", (0.5, 1.0))


@pytest.fixture
def heard():
    return []


@pytest.fixture
def listener(heard):
    return SimpleNamespace(
        start=lambda models, n_folds: heard.append(("start", models, n_folds)),
        update=lambda *args: heard.append(("update", *args[:2])),
        phase=lambda text: heard.append(("phase", text)),
        finish=lambda: heard.append(("finish",)),
    )


def test_a_regression_from_end_to_end(line, fake, heard, listener):
    models = [("Shrunk", fake.Shrunk)]
    comparison = compare(
        line, "y", models=models, budget=None, jobs=1, source="here", progress=listener
    )
    assert (comparison.task, comparison.target, comparison.metric) == ("regression", "y", "R²")
    assert (comparison.n_rows, comparison.n_train, comparison.n_test) == (120, 90, 30)
    assert max(map(len, repr(comparison).splitlines())) < 80
    for words in (repr(comparison), comparison._repr_html_()):
        assert "Shrunk" in words
        assert comparison.verdict[:40] in words
        assert len(words) < 3000
    assert [r.model for r in comparison.results] == ["Shrunk", "depth-1 rule", "mean"]
    assert comparison.winner == "Shrunk"
    assert comparison.results[0].score > 0.9
    assert all(len(r.scores) == 10 for r in comparison.results)
    assert comparison.results[1].p_value < 0.01
    assert comparison.test_interval[0] < comparison.test_score < comparison.test_interval[1]
    assert comparison.baseline.model == "depth-1 rule"
    assert comparison.baseline.score < comparison.test_score
    assert comparison.importances[0].feature == "x"
    assert {i.feature for i in comparison.importances} == {"x", "z", "kind"}
    assert comparison.learning_curve.sizes[-1] == 72
    assert comparison.folds == "2 × 5-fold cross-validation"
    assert comparison.fit_report.startswith("Shrunk fit: converged")
    assert (comparison.source, comparison.seed, comparison.classes) == ("here", 0, ())
    assert not comparison.interrupted
    assert not comparison.out_of_budget
    np.testing.assert_array_equal(
        comparison.model.predict(line)[:5], comparison.model.predict(line[:5])
    )
    assert comparison.y_interval.shape == (30, 2)
    inside = (comparison.y_interval[:, 0] <= comparison.y_test) & (
        comparison.y_test <= comparison.y_interval[:, 1]
    )
    assert inside.mean() > 0.7
    assert prediction_interval(comparison.model, line).shape == (120, 2)
    assert ("start", ["mean", "depth-1 rule", "Shrunk"], 10) in heard
    assert sum(item[0] == "update" for item in heard) == 30
    assert heard[0] == ("phase", "looking at the columns")
    assert heard[-1] == ("finish",)
    assert heard.count(("finish",)) == 1


@pytest.mark.usefixtures("quick")
def test_a_classification_from_end_to_end(two_classes, fake):
    comparison = compare(two_classes, "label", models=[("Logit", fake.Logit)], budget=None, jobs=1)
    assert (comparison.task, comparison.metric, comparison.classes) == (
        "classification",
        "accuracy",
        ("no", "yes"),
    )
    assert comparison.y_proba.shape == (comparison.n_test, 2)
    assert comparison.test_score == np.mean(comparison.y_pred == comparison.y_test)
    logit = next(r for r in comparison.results if r.model == "Logit")
    assert logit.status == "max_iter"
    assert set(logit.params) <= {"C"}
    assert "stopped before convergence" in logit.fit_report


@pytest.mark.usefixtures("quick")
def test_test_rows_are_touched_once(line, fake, monkeypatch):
    """evaluation.01: until the winner is chosen nothing has seen a test row."""
    seen: list[set[float]] = []
    fit, transform = _transformers.AsNumbers.fit, _transformers.AsNumbers.transform

    def watch_fit(self, X, y=None):
        seen.append(set(X["x"]))
        return fit(self, X, y)

    def watch_transform(self, X):
        seen.append(set(X["x"]))
        return transform(self, X)

    monkeypatch.setattr(_transformers.AsNumbers, "fit", watch_fit)
    monkeypatch.setattr(_transformers.AsNumbers, "transform", watch_transform)
    marks = {}
    listener = SimpleNamespace(phase=lambda text: marks.setdefault(text, len(seen)))
    comparison = compare(
        line, "y", models=[("Shrunk", fake.Shrunk)], budget=None, jobs=1, progress=listener
    )
    place = {y: x for x, y in zip(line["x"], line["y"], strict=True)}
    test = {place[y] for y in comparison.y_test}
    chosen = marks["fitting Shrunk on all training rows"]
    assert chosen > 20
    assert not any(test & rows for rows in seen[:chosen])
    assert any(test & rows for rows in seen[chosen:])


@pytest.mark.usefixtures("quick")
def test_shuffled_labels_are_not_learned(two_classes, fake):
    rng = np.random.default_rng(0)
    two_classes["label"] = rng.permutation(np.repeat(["no", "yes"], [90, 60]))
    comparison = compare(two_classes, "label", models=[("Logit", fake.Logit)], budget=None, jobs=1)
    assert "does not clearly beat" in comparison.verdict or "No model beats" in comparison.verdict


@pytest.mark.usefixtures("quick")
def test_a_baseline_can_win():
    noise = np.random.default_rng(0).normal(size=(60, 21))
    table = pd.DataFrame(noise).add_prefix("g")
    comparison = compare(table, "g20", models=[("L", LinearRegression)], budget=None, jobs=1)
    assert comparison.winner == comparison.baseline.model == "mean"
    assert comparison.results[0].is_baseline
    assert "No model beats the baseline" in comparison.verdict


@pytest.mark.usefixtures("quick")
def test_same_seed_same_answer_whatever_the_jobs(two_classes):
    models = [("LogisticRegression", LogisticRegression), ("Prior", DummyClassifier)]
    runs = [
        compare(two_classes, "label", models=models, budget=None, jobs=jobs, seed=3)
        for jobs in (1, 2)
    ]
    one, other = runs
    scores = [[(r.model, r.scores) for r in run.results] for run in runs]
    assert scores[0] == scores[1]
    assert one.test_score == other.test_score
    assert one.importances == other.importances
    assert one.learning_curve == other.learning_curve
    assert one.verdict == other.verdict
    other_seed = compare(two_classes, "label", models=models, budget=None, jobs=1, seed=4)
    assert other_seed.results[0].scores != runs[0].results[0].scores


@pytest.mark.usefixtures("quick")
def test_a_failing_model_is_reported_and_kills_nothing(line, fake):
    models = [("Broken", fake.Failing), ("Shrunk", fake.Shrunk)]
    comparison = compare(line, "y", models=models, jobs=1)
    assert comparison.winner == "Shrunk"
    assert comparison.results[-1].model == "Broken"
    assert comparison.results[-1].status == "failed: cannot do this"
    assert np.isnan(comparison.results[-1].score)


@pytest.mark.usefixtures("quick")
def test_a_winner_that_fails_on_all_rows_gives_way(line, fake):
    class Picky(LinearRegression):
        # as simple as can be, so that it comes first of two that score the same
        card = Card(tasks=("regression",))

        def fit(self, X, y):
            if len(X) == 90:
                raise ValueError("too many")
            return super().fit(X, y)

    models = [("Picky", Picky), ("Shrunk", fake.Shrunk)]
    comparison = compare(line[["x", "y"]], "y", models=models, budget=None, jobs=1)
    assert comparison.winner == comparison.results[0].model == "Shrunk"
    assert comparison.results[-1].status == "failed: too many"


def test_interruption_reports_on_what_is_finished(line, fake):
    models = [("Shrunk", fake.Shrunk), ("Last", fake.Interrupting)]
    comparison = compare(line, "y", models=models, budget=None, jobs=1)
    assert comparison.interrupted
    assert comparison.winner == "Shrunk"
    assert comparison.folds == "2 × 5-fold cross-validation (3 of 10 folds run)"
    assert comparison.learning_curve is None
    assert np.isfinite(comparison.test_score)


def test_interruption_before_anything_is_finished_is_passed_on(line, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("margin.evaluation.race._pool.evaluate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(line, "y", models=[], budget=None, jobs=1)


def test_in_a_hurry_the_winner_is_not_tuned_again(line, fake, monkeypatch):
    monkeypatch.setattr("margin.evaluation.race._course.Race.longest", lambda race, name: 1e9)
    calls = []
    monkeypatch.setattr("margin.evaluation.verdict._final.tune", lambda *args: calls.append(args))
    comparison = compare(line, "y", models=[("Shrunk", fake.Shrunk)], budget=100, jobs=1)
    assert comparison.winner == "Shrunk"
    assert not calls


def test_a_budget_that_is_too_small_still_gives_an_answer(line, fake):
    comparison = compare(line, "y", models=[("Shrunk", fake.Shrunk)], budget=1e-6, jobs=1)
    assert comparison.winner in {"mean", "depth-1 rule"}
    assert dict(comparison.skipped).keys() == {"Shrunk"}
    assert "No model but the baselines was finished" in comparison.verdict
    assert np.isfinite(comparison.test_score)


def test_progress_is_finished_even_when_all_fails(line, monkeypatch, fake):
    heard = []
    monkeypatch.setattr("margin.evaluation.race._entrants.baselines", lambda task: {})
    with pytest.raises(ValueError, match="every model failed; Broken: cannot do this"):
        compare(
            line, "y", models=[("Broken", fake.Failing)], jobs=1,
            progress=SimpleNamespace(finish=lambda: heard.append("finish")),
        )  # fmt: skip
    assert heard == ["finish"]


@pytest.mark.usefixtures("quick")
def test_the_winner_can_be_saved_and_takes_raw_tables(tmp_path):
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame(
        {
            "mass": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "town": rng.choice(["a", "b", None], n),
            "since": pd.date_range("2023-01-01", periods=n),
            "grade": rng.choice(["low", "high"], n),
        }
    )
    frame["y"] = frame["mass"].fillna(0) + (frame["town"] == "a") + rng.normal(size=n) / 9
    comparison = compare(frame, "y", models=["Ridge"], budget=None, jobs=1)
    path = tmp_path / "model.skops"
    skops.io.dump(comparison.model, path)
    loaded = skops.io.load(path, trusted=skops.io.get_untrusted_types(file=path))
    new = frame.drop(columns="y").iloc[::-1].assign(more=1)
    np.testing.assert_array_equal(loaded.predict(new), comparison.model.predict(new))
    np.testing.assert_array_equal(
        prediction_interval(loaded, new), prediction_interval(comparison.model, new)
    )


@pytest.mark.usefixtures("quick")
# A limit may ring inside a callback of the garbage collector that a test library has set.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_all_of_margin_takes_part_and_beats_the_baseline():
    data = load_breast_cancer(as_frame=True).frame
    comparison = compare(data, "target", budget=15, jobs=1)
    families = {r.family for r in comparison.results}
    assert {"linear", "baseline"} <= families
    assert comparison.test_score > 0.93
    assert comparison.results[0].score > 0.96
    assert not comparison.results[0].is_baseline


@pytest.mark.usefixtures("quick")
def test_more_columns_than_rows(fake):
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.normal(size=(40, 90))).add_prefix("g")
    wide["y"] = 3 * wide["g0"] + wide["g1"]
    comparison = compare(wide, "y", models=[("Shrunk", fake.Shrunk)], budget=None, jobs=1)
    assert any("more columns (90) than rows (40)" in text for text in comparison.warnings)
    assert comparison.importances[0].feature == "g0"


GOOD = pd.DataFrame({"x": np.linspace(0, 1, 30), "y": np.linspace(0, 2, 30) ** 2})
REFUSED = {
    "missing target": (GOOD, {"target": "yy"}, "no column 'yy' in the table; did you mean 'y'"),
    "one class": (GOOD.assign(y="a"), {}, "at least 2 classes, got only 'a'"),
    "all-NaN target": (GOOD.assign(y=np.nan), {}, "known in at least 10 rows, got 0"),
    "all-NaN features": (GOOD.assign(x=np.nan), {}, "no column is left to learn from"),
    "duplicate names": (GOOD.set_axis(["y", "y"], axis=1), {}, "got 'y' more than once"),
    "no rows": (GOOD.iloc[:0], {}, "the table has no rows"),
    "no columns": (GOOD[[]], {}, "the table has no columns"),
    "few rows": (GOOD.iloc[:5], {}, "known in at least 10 rows, got 5"),
    "mixed types": (GOOD.assign(x=[1, "a"] * 15), {}, "column 'x' mixes types"),
    "infinity": (GOOD.assign(x=np.inf), {}, "column 'x' must be finite"),
    "infinite target": (GOOD.assign(y=[np.inf] * 30), {}, "column 'y' must be finite"),
    "only keys": (GOOD.assign(x=[f"k{i}" for i in range(30)]), {}, "no column is left"),
    "an array": (np.zeros((30, 2)), {}, "must be a data frame"),
    "unknown model": (GOOD, {"models": ["Magic"]}, "no model 'Magic'"),
    "unknown scale": (GOOD, {"scales": {"x": "odd"}}, "scale of column 'x' must be one of"),
    "budget": (GOOD, {"budget": 0}, "budget must be a number of seconds above 0"),
    "jobs": (GOOD, {"jobs": 0}, "jobs must be None or a whole number other than 0"),
    "seed": (GOOD, {"seed": -1}, "seed must be a whole number"),
    "test size": (GOOD, {"test_size": 1.0}, "test_size must be a share between 0 and 1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_in_one_line(case):
    table, options, message = REFUSED[case]
    with pytest.raises(ValueError, match=message) as caught:
        compare(table, **{"target": "y", **options})
    assert "\n" not in str(caught.value)


def test_a_listener_sees_the_problem_before_any_model(line, fake, heard):
    listener = SimpleNamespace(
        stated=lambda problem: heard.append(problem), start=lambda *args: heard.append("start")
    )
    comparison = compare(
        line, models=[("Shrunk", fake.Shrunk)], budget=None, jobs=1, progress=listener
    )
    problem, start = heard
    assert start == "start"
    assert (problem.target, problem.task, problem.n_rows) == ("y", "regression", 120)
    assert problem.columns is comparison.columns


def test_columns_are_described_and_the_target_chosen_once(line, fake, monkeypatch):
    calls = []
    for name in ("describe", "choose_target", "as_frame"):
        once = getattr(_problem, name)
        monkeypatch.setattr(
            _problem, name, lambda *args, once=once, name=name: calls.append(name) or once(*args)
        )
    compare(line, "y", models=[("Shrunk", fake.Shrunk)], budget=None, jobs=1)
    assert sorted(calls) == ["as_frame", "choose_target", "describe"]


@pytest.mark.usefixtures("quick")
def test_imbalance_groups_and_gaps_together():
    rng = np.random.default_rng(0)
    n = 400
    group = rng.integers(0, 30, n)
    x = rng.normal(size=n) + 0.3 * rng.normal(size=30)[group]
    label = np.where(x + rng.normal(size=n) > 2.2, "bad", "good")
    frame = pd.DataFrame(
        {"x": x, "z": rng.normal(size=n), "shop": group.astype(str), "label": label}
    )
    frame.loc[rng.random(n) < 0.2, "x"] = np.nan
    frame.loc[rng.random(n) < 0.2, "shop"] = None
    models = [("Logit", LogisticRegression)]
    comparison = compare(
        frame, "label", models=models, extra=[DummyClassifier()], group="shop", cost=(1, 8), jobs=1
    )
    assert comparison.metric == "negative cost"
    assert comparison.folds == "10 folds of whole groups (shop)"
    assert {r.model for r in comparison.results} >= {"Logit", "DummyClassifier"}
    assert comparison.curves.positive == "bad"
    assert comparison.curves.threshold < 0.4
    assert not next(c for c in comparison.columns if c.name == "shop").used
    assert "8 for bad answered by good" in comparison.metric_words


@pytest.mark.usefixtures("quick")
def test_a_series_is_told_from_random_rows():
    rng = np.random.default_rng(0)
    n = 300
    level = np.cumsum(rng.normal(size=n))
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=n), "x": rng.normal(size=n)})
    frame["load"] = level + frame["x"]
    models = [("Neighbours", KNeighborsRegressor)]
    random = compare(frame, "load", models=models, budget=None, jobs=1)
    forward = compare(frame, "load", models=models, budget=None, jobs=1, split="time")
    assert random.forward.score < random.test_score - 0.2
    assert random.forward.score == pytest.approx(forward.test_score, abs=1e-9)
    assert "forward in time the winner scores" in random.warnings[0]
    assert forward.forward is None
    assert forward.folds == "5 folds forward in time (day)"


@pytest.mark.usefixtures("quick")
def test_a_skewed_target_is_learned_on_its_logarithm():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2))
    frame = pd.DataFrame(x, columns=["a", "b"]).assign(y=np.exp(1.2 * x[:, 0] + 0.2 * x[:, 1]))
    comparison = compare(frame, "y", models=[LinearRegression()], budget=None, jobs=1)
    assert comparison.results[0].params == {"scale": "log"}
    assert comparison.test_score > 0.99
    assert any("on its logarithm" in words for words in comparison.warnings)
    assert comparison.y_interval.shape == (75, 2)
