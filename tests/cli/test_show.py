import json
import re

import pytest

from margin import evaluation
from margin.cli import _show


def test_show_tells_what_is_inside(margin, classified):
    code, text, _ = margin("show", classified.out / "model.skops")
    assert code == 0
    for words in (
        "LogisticRegression", "label (classification)", "cheap, dear", "data.csv", "test accuracy",
        "identifier", "not used", "ColumnTransformer", "converged",
    ):  # fmt: skip
        assert words in text
    assert max(map(len, text.splitlines())) <= 80


def test_show_refuses_what_is_no_model(margin, classified):
    code, out, err = margin("show", classified.data)
    assert (code, out) == (2, "")
    assert err == "margin: error: data.csv is not a model file (not a skops archive)\n"


def test_models_lists_every_estimator(margin):
    code, text, _ = margin("models")
    assert code == 0
    for name, _ in evaluation.all_estimators():
        assert name in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 3 * len(evaluation.all_estimators())


def test_models_are_told_in_whole_words_below_their_family(margin):
    text = margin("models")[1]
    entries = json.loads(margin("models", "--json")[1])
    told = text.split()
    for entry in entries:
        assert set(entry["description"].split()) <= set(told), entry["model"]
    families = [line for line in text.splitlines()[2:] if line and not line.startswith(" ")]
    assert families == sorted({entry["family"] for entry in entries})
    # below its family, with its letters behind its name
    for family in families:
        part = text.partition(f"\n\n{family}\n")[2].partition("\n\n")[0]
        for entry in (e for e in entries if e["family"] == family):
            letters = "".join(_show._LETTERS[task] for task in entry["tasks"])
            assert re.search(rf"^  {entry['model']} +{letters}\b", part, re.MULTILINE), entry


@pytest.mark.parametrize("width", [60, 80, 110])
def test_lists_of_any_width_have_whole_words_in_their_order(margin, width):
    entries = json.loads(margin("models", "--json")[1])
    lines = _show.listed(entries, width).splitlines()
    assert all(len(line) <= width for line in lines)
    words = " ".join(" ".join(lines).split())
    assert all(entry["description"] in words for entry in entries)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_models_of_a_task_as_json(margin, task):
    code, text, _ = margin("models", "--task", task, "--json")
    assert code == 0
    found = json.loads(text)
    assert [entry["model"] for entry in found] == [
        n for n, _ in evaluation.all_estimators(task=task)
    ]
    assert all(task in entry["tasks"] and entry["description"] for entry in found)


def test_descriptions_have_no_curriculum_ids(margin):
    found = json.loads(margin("models", "--json")[1])
    assert not [e["description"] for e in found if "linear." in e["description"]]


def test_unknown_task(margin):
    code, _, err = margin("models", "--task", "magic")
    assert code == 2
    found = json.loads(margin("models", "--json")[1])
    tasks = sorted({task for entry in found for task in entry["tasks"]})
    assert {"classification", "regression"} <= set(tasks)
    known = ", ".join(tasks)
    assert err == f"margin: error: no model for task 'magic'; tasks are {known}\n"
