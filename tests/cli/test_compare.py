import builtins
import json
import time

import numpy as np
import pandas as pd
import pytest

from margin import evaluation, report
from margin.cli import _compare, main
from margin.cli._errors import CommandError
from margin.evaluation.table import _columns

QUICK = ("--budget", "20s", "--jobs", "1", "--models")


def frame(n=40, **columns):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=n), "y": np.where(rng.normal(size=n) > 0, "a", "b")})
    return table.assign(**columns)


@pytest.fixture
def refused(margin, tmp_path):
    """Run on a table; the one line of the refusal, after a look that nothing was written."""

    def run(table, *options):
        path = tmp_path / "data.csv"
        if isinstance(table, pd.DataFrame):
            table.to_csv(path, index=False)
        else:
            path.write_bytes(table)
        result = tmp_path / "result.json"
        places = ("--out", tmp_path / "out", "--json", result)
        code, _, err = margin("compare", path, *places, *options)
        assert code == 2
        assert err.startswith("margin: error: ")
        assert err.count("\n") == 1
        assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]
        return err.removeprefix("margin: error: ").rstrip()

    return run


def test_run_ends_with_the_places_of_report_and_model(classified):
    assert classified.code == 0
    assert [line.split()[0] for line in classified.text.splitlines()[-3:]] == [
        "report",
        "model",
        "json",
    ]
    assert sorted(p.name for p in classified.out.iterdir()) == ["model.skops", "report.html"]


def test_run_says_what_it_inferred_and_found(classified):
    text = classified.text
    assert "data.csv: 90 rows, 6 columns; classification of label" in text
    assert "identifier" in text
    assert "every row has its own value" in text
    assert "LogisticRegression" in text
    assert "majority class" in text


def test_output_fits_80_columns(classified, regressed):
    for run in (classified, regressed):
        lines = [line for line in run.text.splitlines() if str(run.out.parent) not in line]
        assert max(map(len, lines)) <= 80


def test_column_without_values_is_dropped_and_said(classified):
    assert "column 'nothing' is empty and left out" in classified.text
    assert "not used" in (classified.out / "report.html").read_text(encoding="utf-8")


def test_json_begins_with_the_promised_keys(classified, regressed):
    for run, task, target in (
        (classified, "classification", "label"),
        (regressed, "regression", "price"),
    ):
        found = json.loads(run.json.read_text())
        head = ["task", "target", "results", "winner", "test_score", "baseline_score"]
        assert list(found)[:6] == head
        entry = ["model", "score", "score_se", "fit_seconds", "status"]
        assert all(list(result)[:5] == entry for result in found["results"])
        assert (found["task"], found["target"]) == (task, target)
        scores = [result["score"] for result in found["results"]]
        assert scores == sorted(scores, reverse=True)
        assert found["winner"] == found["results"][0]["model"]
        assert found["baseline_score"] < found["test_score"]


def test_report_tells_the_command(classified):
    page = (classified.out / "report.html").read_text(encoding="utf-8")
    assert "margin compare " in page
    assert "--models LogisticRegression" in page


def test_missing_target_column(refused):
    assert refused(frame(), "--target", "z") == "no column 'z' in the table; there are 'x', 'y'"
    assert "did you mean 'y'" in refused(frame(), "--target", "yy")


def test_target_with_one_class(refused):
    assert "at least 2 classes" in refused(frame(y="only"))


def test_target_without_values(refused):
    assert "target 'y' must be known" in refused(frame(y=np.nan), "--target", "y")


def test_duplicate_column_names(refused):
    assert "repeated: 'x'" in refused(b"x,y,x\n1,a,2\n3,b,4\n")


def test_empty_file(refused):
    assert refused(b"") == "data.csv is empty"


def test_wrong_encoding(refused):
    assert "byte 0xfc at position 5 (line 2)" in refused(
        "x,y\nü,1\n".encode("latin-1").replace(b"\xfc", b"z\xfc")
    )


def test_infinite_values(refused):
    assert "'x' must be finite" in refused(frame(x=np.r_[np.inf, np.ones(39)]))


def test_target_that_mixes_numbers_and_text(refused):
    mixed = np.array([str(i) if i % 2 else f"w{i}" for i in range(40)])
    assert "target 'y'" in refused(frame(y=mixed))


def test_target_with_as_many_classes_as_rows(refused):
    words = refused(frame(3000, y=[f"c{i}" for i in range(3000)]))
    assert "3000 classes in 3000 rows" in words


def test_column_with_as_many_categories_as_rows_is_set_aside(margin, tmp_path):
    path = tmp_path / "wide.csv"
    frame(3000, name=[f"n{i}" for i in range(3000)]).to_csv(path, index=False)
    places = ("--out", tmp_path / "out", "-t", "y")
    code, out, _ = margin("compare", path, *places, *QUICK, "LogisticRegression")
    assert code == 0
    assert "identifier" in out


def test_more_columns_than_rows(margin, tmp_path):
    path = tmp_path / "wide.csv"
    rng = np.random.default_rng(1)
    wide = pd.DataFrame(rng.normal(size=(30, 120))).add_prefix("x")
    wide["y"] = np.where(wide["x0"] > 0, "a", "b")
    wide.to_csv(path, index=False)
    code, out, _ = margin("compare", path, "--out", tmp_path / "out", *QUICK, "LogisticRegression")
    assert code == 0
    assert "120 columns: numbers" in out


def test_table_of_only_constants(refused):
    assert "no column is left" in refused(frame(x=1.0))


def test_too_few_rows(refused):
    assert "at least" in refused(frame(4))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--task", "clustering"), "--task must be classification or regression"),
        (("--task", "regression"), "must hold numbers"),
        (("--scale", "x"), "--scale must be COLUMN=SCALE"),
        (("--scale", "z=nominal"), "no column 'z'"),
        (("--scale", "x=blue"), "must be one of nominal"),
        (("--budget", "soon"), "--budget must be a duration"),
        (("--test-size", "1.5"), "--test-size must be between 0 and 1"),
        (("--jobs", "0"), "--jobs must not be 0"),
        (("--seed", "-1"), "--seed must be at least 0"),
        (("--models", "Rige"), "no model 'Rige'"),
        (("--models", ","), "at least one model"),
    ],
)
def test_bad_options(refused, options, words):
    assert words in refused(frame(), *options)


def test_output_is_refused_before_the_data_are_read(margin, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    code, _, err = margin("compare", "iris", "--out", file / "out")
    assert (code, "is not a folder" in err) == (2, True)
    code, _, err = margin("compare", "no such table", "--json", tmp_path / "a" / "b")
    assert (code, "there is no folder" in err) == (2, True)


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """Replace the engine: no work, only its ending."""

    def use(ending):
        monkeypatch.setattr(evaluation, "compare", ending)
        path = tmp_path / "data.csv"
        frame().to_csv(path, index=False)
        return ["compare", str(path), "--out", str(tmp_path / "out")]

    return use


def test_interruption_before_any_result(margin, stand_in, tmp_path):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    code, _, err = margin(*stand_in(interrupted))
    assert code == 130
    assert err == "margin: error: interrupted before any model was finished, nothing written\n"
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


def test_only_baselines_have_an_exit_code_and_no_model(margin, tmp_path):
    path = tmp_path / "data.csv"
    frame().to_csv(path, index=False)
    out, board = tmp_path / "out", tmp_path / "board.json"
    code, said, _ = margin("compare", path, "--out", out, "--json", board, "--budget", "0.001s")
    assert code == 3
    assert [p.name for p in out.iterdir()] == ["report.html"]
    first = said.index("Only baselines finished")
    assert first < said.index("majority class")
    assert "model   none" in said
    assert json.loads(board.read_text())["only_baselines"]
    assert "only baselines finished" in (out / "report.html").read_text().lower()


def test_failure_of_the_engine_is_not_blamed_on_the_user(margin, stand_in, tmp_path):
    def broken(*args, **kwargs):
        raise ZeroDivisionError("division by zero")

    code, _, err = margin(*stand_in(broken))
    assert code == 1
    assert "internal failure, ZeroDivisionError" in err
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


def test_failure_while_writing_leaves_nothing(margin, monkeypatch, tmp_path):
    def broken(*args, **kwargs):
        raise RuntimeError("no pen")

    monkeypatch.setattr(report, "write_html", broken)
    path = tmp_path / "data.csv"
    frame().to_csv(path, index=False)
    code, _, err = margin(
        "compare", path, "--out", tmp_path / "out", "--quiet", *QUICK, "LogisticRegression"
    )
    assert code == 1
    assert "no pen" in err
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


def test_debug_shows_the_error(tmp_path):
    with pytest.raises(CommandError, match="no such file"):
        main(["compare", str(tmp_path / "none.csv"), "--out", str(tmp_path / "o"), "--debug"])


def test_quiet_prints_nothing(margin, tmp_path):
    path = tmp_path / "data.csv"
    frame().to_csv(path, index=False)
    out = tmp_path / "out"
    options = ("--out", out, "--quiet", *QUICK, "LogisticRegression")
    assert margin("compare", path, *options) == (0, "", "")
    assert (out / "report.html").exists()


def test_columns_are_described_once(margin, tmp_path, monkeypatch):
    described = []
    once = _columns._describe
    monkeypatch.setattr(
        _columns, "_describe", lambda name, *args: described.append(name) or once(name, *args)
    )
    path = tmp_path / "data.csv"
    frame().to_csv(path, index=False)
    code, out, _ = margin("compare", path, "--out", tmp_path / "out", *QUICK, "LogisticRegression")
    assert code == 0
    assert "classification of y" in out
    assert described == ["x", "y"]


def quick(*more):
    return ("--budget", "20s", "--jobs", "1", "--quiet", *more)


def test_an_earlier_model_is_judged_on_the_same_rows(margin, classified, tmp_path):
    result = tmp_path / "new.json"
    code, _, err = margin(
        "compare", classified.data, *quick("--models", "LogisticRegression"),
        "--against", classified.out / "model.skops", "-o", tmp_path / "out", "--json", result,
    )  # fmt: skip
    assert (code, err) == (0, "")
    content = json.loads(result.read_text())
    assert content["target"] == "label"
    assert content["against"]["model"] == json.loads(classified.json.read_text())["winner"]
    assert 0.5 < content["against"]["score"] <= 1.0


def test_an_earlier_model_of_something_else_is_refused(margin, classified, regressed, tmp_path):
    model = classified.out / "model.skops"
    out = ("-o", tmp_path / "out")
    code, _, err = margin("compare", regressed.data, "-t", "price", "--against", model, *out)
    assert code == 2
    assert "predicts 'label', not 'price'" in err
    lean = tmp_path / "lean.csv"
    classified.frame[["size", "label"]].to_csv(lean, index=False)
    code, _, err = margin("compare", lean, "-t", "label", "--against", model, *out)
    assert code == 2
    assert "lean.csv lacks the columns 'weight'" in err
    code, _, err = margin("compare", lean, "--against", tmp_path / "none.skops", *out)
    assert (code, "does not exist" in err) == (2, True)


def test_costs_groups_and_models_of_others(margin, classified, tmp_path):
    data, result = tmp_path / "rare.csv", tmp_path / "result.json"
    frame = pd.concat([classified.frame] * 2, ignore_index=True)
    frame["shop"] = np.arange(len(frame)) % 17
    frame.to_csv(data, index=False)
    code, _, err = margin(
        "compare", data, "-t", "label", *quick("--models", "LogisticRegression"),
        "--with", "sklearn.ensemble:HistGradientBoostingClassifier",
        "--cost", "cheap>dear=5", "--group", "shop", "-o", tmp_path / "out", "--json", result,
    )  # fmt: skip
    assert (code, err) == (0, "")
    content = json.loads(result.read_text())
    assert content["metric"] == "negative cost"
    assert "5 for cheap answered by dear" in content["metric_words"]
    assert "whole groups (shop)" in content["folds"]
    assert isinstance(content["threshold"], float)
    names = {entry["model"]: entry for entry in content["results"]}
    assert "HistGradientBoostingClassifier" in names
    assert names["LogisticRegression"]["params"].keys() <= {"C", "weights"}


def test_a_winner_that_no_model_file_may_hold(margin, regressed, tmp_path):
    """Its types would be refused when the file is read, so that none is written."""
    bumps, out = tmp_path / "bumps.csv", tmp_path / "out"
    x = np.random.default_rng(0).uniform(0, 9, 300).round(3)
    pd.DataFrame({"x": x, "y": np.sin(3 * x).round(3)}).to_csv(bumps, index=False)
    code, text, _ = margin(
        "compare", bumps, "--budget", "20s", "--jobs", "1", "--models", "LinearRegression",
        "--with", "sklearn.ensemble:HistGradientBoostingRegressor", "-o", out,
    )  # fmt: skip
    assert code == 0
    assert "none: HistGradientBoostingRegressor cannot be saved" in " ".join(text.split())
    assert not (out / "model.skops").exists()
    assert (out / "report.html").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric", "speed"), "metric must be one of accuracy"),
        (("--cost", "1"), "--cost must be FP:FN"),
        (("--split", "later"), "--split must be random, time or time:COLUMN"),
        (("--split", "time:colour"), "split must be a column of dates or numbers"),
        (("--group", "colr"), "no column 'colr' in the table; did you mean 'colour'"),
        (("--with", "nowhere.at.all:Model"), "no installed package has the module 'nowhere'"),
        (("--with", "Model"), "--with must be MODULE:CLASS"),
    ],
)
def test_questions_that_cannot_be_asked(margin, classified, tmp_path, options, words):
    code, _, err = margin(
        "compare", classified.data, "-t", "label", *quick(*options), "-o", tmp_path / "out"
    )
    assert code == 2
    assert words in err
    assert not (tmp_path / "out").exists()


def test_imports_count_against_the_budget_too(margin, monkeypatch):
    clock, requests, load = [100.0], [], builtins.__import__

    def slowly(name, *rest):
        clock[0] += 5.0 * (name == "margin.cli")
        return load(name, *rest)

    monkeypatch.setattr(_compare, "run", lambda request: requests.append(request) or 0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(builtins, "__import__", slowly)
    assert margin("compare")[0] == 0
    assert requests[0].started == 100.0
    assert clock[0] == 105.0


def test_reading_counts_against_the_budget_but_at_most_half(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: 110.0)
    assert _compare._left_of(60.0, 100.0) == 50.0
    assert _compare._left_of(60.0, 10.0) == 30.0
    assert _compare._left_of(None, 10.0) is None
