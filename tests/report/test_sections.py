import dataclasses

import numpy as np

from margin.report import _sections


def test_each_task_has_its_own_pictures(classification, regression):
    of_classes = _sections.diagnostics(classification)
    of_numbers = _sections.diagnostics(regression)
    assert "Which classes are mixed up?" in of_classes
    assert "Do the intervals hold?" in of_numbers
    assert "Which classes" not in of_numbers
    for page in (of_classes, of_numbers):
        assert "Are the data enough?" in page
        assert "Which columns matter?" in page


def test_missing_pictures_say_why(classification, regression):
    bare = dataclasses.replace(classification, learning_curve=None, importances=(), y_proba=None)
    page = _sections.diagnostics(bare)
    assert "No learning curve: the time budget was spent" in page
    assert "Not measured: the time budget was spent" in page
    assert "LogisticRegression answers with classes only, without probabilities." in page
    assert page.count('class="missing"') == 4
    stopped = dataclasses.replace(bare, interrupted=True)
    assert "No learning curve: the run was interrupted" in _sections.diagnostics(stopped)
    few = dataclasses.replace(regression, y_interval=None, learning_curve=None)
    page = _sections.diagnostics(few)
    assert "predicts single values, without intervals." in page
    assert "No learning curve: there are too few rows" in page


def test_many_classes_get_a_table_of_mistakes(classification):
    labels = tuple(f"class {i}" for i in range(40))
    truth = np.array(labels * 2)
    many = dataclasses.replace(
        classification, classes=labels, y_test=truth, y_pred=np.roll(truth, 1), y_proba=None
    )
    assert "The most frequent mistakes among 40 classes." in _sections.diagnostics(many)


def test_fit_reports_of_the_others_are_folded(classification):
    page = _sections.fits(classification)
    assert page.index("converged in 14 iterations") < page.index("<details>")
    assert page.count("<details>") == 1


def test_notes_tell_why_the_run_ended_early(classification, regression):
    assert _sections.notes(regression) is None
    assert "budget ran out" in _sections.notes(classification)
    stopped = dataclasses.replace(regression, interrupted=True)
    assert "interrupted" in _sections.notes(stopped)
    assert "<strong>GaussianProcess</strong> was not run" in _sections.notes(classification)


def test_how_to_repeat_it(classification):
    page = _sections.repeat(classification, "margin compare 'my file.csv'", {"numpy": "2.4"})
    assert "margin compare &#x27;my file.csv&#x27;" in page
    assert "<dt>Seed</dt><dd>0</dd>" in page
    assert "<dt>numpy</dt><dd>2.4</dd>" in page


def test_models_that_were_not_run_stand_by_reason(classification):
    skipped = (("A", "no time left"), ("B", "needs <y>"), ("C", "no time left"))
    page = _sections.notes(dataclasses.replace(classification, skipped=skipped))
    assert "<strong>A</strong>, <strong>C</strong> were not run: no time left" in page
    assert "<strong>B</strong> was not run: needs &lt;y&gt;" in page


def test_reasons_are_those_of_the_comparison(classification, regression):
    told = (
        ("learning curve", "the folds lack a class"),
        ("importance", "the run was interrupted"),
        ("calibration", "no time"),
        ("intervals", "no time either"),
    )
    bare = {"missing": told, "learning_curve": None, "importances": ()}
    page = _sections.diagnostics(dataclasses.replace(classification, **bare))
    assert "No learning curve: the folds lack a class." in page
    assert "Not measured: the run was interrupted." in page
    assert "They are not calibrated: no time." in page
    page = _sections.diagnostics(dataclasses.replace(regression, y_interval=None, **bare))
    assert "No intervals: no time either." in page
