import dataclasses

import numpy as np

from margin.evaluation import ColumnInfo
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


def test_missing_parts_are_left_out(classification, regression):
    bare = dataclasses.replace(classification, learning_curve=None, importances=(), y_proba=None)
    page = _sections.diagnostics(bare)
    assert page.count("<figure>") == 1
    no_interval = dataclasses.replace(regression, y_interval=None)
    assert "Do the intervals hold?" not in _sections.diagnostics(no_interval)


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


def test_data_table_says_what_is_not_used_and_cuts_very_wide_tables(classification):
    page = _sections.data(classification)
    assert "5 of them used to predict diagnosis" in page
    assert '<tr class="unused"><td><span>patient id</span>' in page
    column = ColumnInfo("x", "numeric", "numbers", 9, 0, True)
    wide = dataclasses.replace(classification, columns=(column,) * 1000)
    page = _sections.data(wide)
    assert page.count("<tr") == _sections.MOST_COLUMNS + 1
    assert "700 more columns are not listed" in page


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
