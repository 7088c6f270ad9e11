import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

from margin.cli import _model_file, _predict
from margin.evaluation import Calibration, Metric, Rule, TunedClassifier


@pytest.fixture
def rows(tmp_path, classified):
    def write(change=lambda frame: frame, name="new.csv"):
        path = tmp_path / name
        change(classified.frame.drop(columns="label").head(12)).to_csv(path, index=False)
        return path

    return write


@pytest.fixture
def model(classified):
    return classified.out / "model.skops"


def refusal(answer):
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    return err.removeprefix("margin: error: ").rstrip()


def test_classes_come_with_probabilities(margin, rows, model, tmp_path):
    out = tmp_path / "out.csv"
    code, text, err = margin("predict", model, rows(), "-o", out)
    assert (code, text) == (0, f"{out}: 12 rows\n")
    assert err.startswith("margin: note: the probabilities are calibrated (sigmoid): log loss ")
    found = pd.read_csv(out)
    assert list(found.columns[-3:]) == ["prediction", "probability_cheap", "probability_dear"]
    assert (found["probability_cheap"] + found["probability_dear"]).tolist() == pytest.approx(
        [1] * 12
    )
    told = re.findall("prediction is dear where probability_dear is at least (0[.][0-9]+)", err)
    assert err.count("\n") == 1 + len(told)
    likely = found["probability_dear"] >= (float(told[0]) if told else 0.5)
    assert (found["prediction"] == likely.map({True: "dear", False: "cheap"})).all()


def tuned(model, tmp_path, method="isotonic"):
    """The saved model with a low threshold and a calibration that turns small into smaller."""
    saved = _model_file.load(model)
    rule = Rule(threshold=0.3, positive=1)
    metric = Metric("balanced accuracy", ("cheap", "dear"), "dear")
    inner = saved.pipeline[-1]
    last = TunedClassifier(inner, metric)
    last.estimator_, last.classes_, last.rule_ = inner, inner.classes_, rule
    saved.pipeline.steps[-1] = ("model", last)
    knots = ((0.0, 0.4, 0.6, 1.0), (0.0, 0.0, 0.2, 0.9))
    if method == "sigmoid":
        knots = ((2.0,), (-1.0,))
    path = tmp_path / "tuned.skops"
    calibration = Calibration(method, (knots,), 0.5, 0.4)
    _model_file.save(path, dataclasses.replace(saved, calibration=calibration))
    return path


@pytest.mark.parametrize("method", ["isotonic", "sigmoid"])
def test_the_threshold_is_told_on_the_scale_of_the_column(
    margin, classified, model, tmp_path, method
):
    path, out = tuned(model, tmp_path, method), tmp_path / "out.csv"
    code, _, err = margin("predict", path, classified.data, "-o", out)
    assert code == 0
    found = pd.read_csv(out)
    least = re.search("prediction is dear where probability_dear is at least (.+)\n", err)
    # told with three digits: none of these rows lies in between
    above = found["probability_dear"] >= float(least.group(1)) * (1 - 0.005)
    assert ((found["prediction"] == "dear") == above).all()
    assert 0 < above.sum() < len(found)
    assert (above != (found["probability_dear"] >= 0.3)).any()
    code, text, _ = margin("show", path)
    words = " ".join(text.split())
    assert f"dear is answered where its probability is at least {least.group(1)}" in words


def test_answers_that_are_not_the_likeliest_are_counted(model):
    saved = _model_file.load(model)
    columns = {
        "prediction": np.array(["dear", "dear", "cheap"]),
        "probability_cheap": np.array([0.9, 0.2, 0.3]),
        "probability_dear": np.array([0.1, 0.8, 0.7]),
    }
    (words,) = _predict.decided(saved, columns)
    assert words.startswith("in 2 rows the prediction is not the class of the largest probability")
    columns["prediction"] = np.array(["cheap", "dear", "dear"])
    calm = dataclasses.replace(saved, calibration=None)
    assert _predict.decided(calm, columns) == []


def test_predictions_are_those_of_the_pipeline(margin, model, classified, tmp_path):
    out = tmp_path / "out.parquet"
    assert margin("predict", model, classified.data, "-o", out)[0] == 0
    saved = _model_file.load(model)
    table = classified.frame[[column["name"] for column in saved.columns]]
    assert (pd.read_parquet(out)["prediction"] == saved.pipeline.predict(table)).all()


def test_numbers_come_with_intervals(margin, regressed, tmp_path):
    out = tmp_path / "out.csv"
    code, _, _ = margin("predict", regressed.out / "model.skops", regressed.data, "-o", out)
    assert code == 0
    found = pd.read_csv(out)
    assert list(found.columns[-3:]) == ["prediction", "lower_90", "upper_90"]
    assert (found["lower_90"] < found["prediction"]).all()
    inside = found["price"].between(found["lower_90"], found["upper_90"])
    assert inside.mean() > 0.75


def test_standard_output_is_a_table(margin, rows, model):
    code, text, _ = margin("predict", model, rows())
    assert code == 0
    assert text.startswith("id,size,weight,colour,nothing,prediction,")
    assert len(text.splitlines()) == 13


def test_missing_columns_are_named(margin, rows, model):
    path = rows(lambda f: f.rename(columns={"weight": "wieght"}).drop(columns="colour"))
    words = refusal(margin("predict", model, path))
    assert words == "new.csv lacks the columns 'weight', 'colour'; did you mean 'wieght'?"


def test_columns_that_the_model_does_not_read_may_be_absent(margin, rows, model):
    assert margin("predict", model, rows(lambda f: f.drop(columns=["id", "nothing"])))[0] == 0


def test_extra_columns_are_named_and_kept(margin, rows, model):
    code, text, err = margin("predict", model, rows(lambda f: f.assign(more=1)))
    assert code == 0
    first, second, *_ = err.splitlines()
    assert first == "margin: note: columns not known to the model are passed through: 'more'"
    assert "the probabilities are calibrated" in second
    assert ",more,prediction," in text


def test_order_of_columns_and_unseen_levels_do_not_matter(margin, rows, model):
    straight = margin("predict", model, rows())[1].splitlines()
    turned = margin("predict", model, rows(lambda f: f[f.columns[::-1]]))[1].splitlines()
    ends = [[line.split(",")[-3:] for line in lines] for lines in (straight, turned)]
    assert ends[0] == ends[1]
    assert margin("predict", model, rows(lambda f: f.assign(colour="violet")))[0] == 0


def test_taken_names_get_a_prefix(margin, rows, model):
    text = margin("predict", model, rows(lambda f: f.assign(prediction=0)))[1]
    assert ",prediction,margin_prediction," in text


@pytest.mark.parametrize("odd", ["heavy", "inf"])
def test_words_and_infinities_among_numbers_are_placed(margin, rows, model, odd):
    path = rows(lambda f: f.assign(weight=[odd if i == 4 else "1.5" for i in range(12)]))
    words = refusal(margin("predict", model, path))
    assert words == f"new.csv: column 'weight' must hold finite numbers, got {odd!r} in row 5"


def test_missing_files_and_strange_models(margin, rows, model, tmp_path):
    assert "does not exist" in refusal(margin("predict", tmp_path / "no.skops", rows()))
    assert "no such file" in refusal(margin("predict", model, tmp_path / "no.csv"))
    assert "not a skops archive" in refusal(margin("predict", rows(), rows()))
    bad = tmp_path / "no" / "out.csv"
    assert "there is no folder" in refusal(margin("predict", model, rows(), "-o", bad))


def test_rows_unlike_the_training_are_counted(margin, rows, model):
    def change(frame):
        frame = frame.astype(object)
        frame.loc[frame.index[0], "colour"] = "mauve"
        frame.loc[frame.index[1:3], "weight"] = 99.0
        frame.loc[frame.index[3], "weight"] = None
        return frame

    code, _, err = margin("predict", model, rows(change))
    assert code == 0
    assert "column 'colour': 1 of 12 rows is of a level unknown in training: 'mauve'" in err
    assert "column 'weight': 2 of 12 rows are above" in err
    assert "column 'weight': 1 of 12 rows is missing, never so in training" in err


def test_answers_with_reasons(margin, rows, model, tmp_path):
    out = tmp_path / "out.csv"
    assert margin("predict", model, rows(), "-o", out, "--explain")[0] == 0
    because = pd.read_csv(out)["because"]
    assert len(because) == 12
    assert because.str.contains("size = ").mean() > 0.5


def test_intervals_come_with_their_measured_coverage(margin, regressed):
    _, _, err = margin("predict", regressed.out / "model.skops", regressed.data)
    assert "margin: note: 90 % intervals hold " in err


def test_probabilities_are_calibrated(margin, model, classified, tmp_path):
    saved = _model_file.load(model)
    line = Calibration("sigmoid", (((0.5,), (0.1,)),), 0.5, 0.4)
    changed = tmp_path / "changed.skops"
    _model_file.save(changed, dataclasses.replace(saved, calibration=line))
    out = tmp_path / "out.csv"
    code, _, err = margin("predict", changed, classified.data, "-o", out)
    assert code == 0
    assert "calibrated (sigmoid): log loss 0.500 to 0.400" in err
    table = classified.frame[[column["name"] for column in saved.columns]]
    expected = line(saved.pipeline.predict_proba(table))[:, 1]
    assert pd.read_csv(out)["probability_dear"].tolist() == pytest.approx(expected.tolist())
