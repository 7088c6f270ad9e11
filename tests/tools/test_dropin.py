"""Scikit-learn's tests, rewritten and judged."""

import ast
import textwrap
from pathlib import Path

import pytest

from tools.dropin.__main__ import SETTINGS, run
from tools.dropin.differences import Difference, judge, page, read
from tools.dropin.namesakes import homes, namesakes
from tools.dropin.rewrite import HELPER, concerned, concerned_tests, rewritten

SOURCE = textwrap.dedent(
    """\
    from sklearn.linear_model import (
        Ridge,
        RidgeCV as Other,
    )
    import sklearn.svm

    def test_x():
        from sklearn.svm._classes import SVC as Machine
        return Ridge, Machine
    """
)


def test_names_are_replaced_where_they_are_imported_and_lines_stay() -> None:
    text = rewritten(SOURCE, {"Ridge", "SVC"})
    ast.parse(text)
    assert len(text.split("\n")) == len(SOURCE.split("\n"))
    assert text.split("\n")[3] == f"); Ridge = {HELPER}('Ridge')"
    assert text.split("\n")[7].endswith(f"; Machine = {HELPER}('SVC')")
    assert "RidgeCV as Other,\n" in text


def test_models_reached_through_their_package_are_replaced_too() -> None:
    text = rewritten("from sklearn import datasets, svm\n", {"SVC"})
    assert text == f"from sklearn import datasets, svm; svm = {HELPER}('svm')\n"


def test_only_files_that_import_a_name_concern_us(tmp_path: Path) -> None:
    folder = tmp_path / "linear_model" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_ridge.py").write_text(SOURCE)
    (folder / "test_other.py").write_text("from sklearn.cluster import KMeans\n")
    (folder / "conftest.py").write_text(SOURCE)
    assert [p.name for p in concerned(tmp_path, {"SVC"})] == ["test_ridge.py"]


def test_namesakes_are_ours_and_theirs() -> None:
    found = namesakes()
    assert {"Ridge", "SVC", "GaussianProcessRegressor", "OneVsRestClassifier"} <= set(found)
    assert "lasso_path" in found
    assert "BayesianNetwork" not in found
    assert found["ElasticNet"].__module__ == "margin.linear"
    assert all(item.__module__.startswith("margin.") for item in found.values())


@pytest.mark.parametrize(
    ("error", "explained"), [("Regex pattern did not match", True), ("ValueError: x", False)]
)
def test_a_failure_is_explained_by_test_and_error(error: str, explained: bool) -> None:
    words = Difference("Messages", "why", ("svm/tests/*::test_x[a]",), "^Regex")
    outcome = {"test": "svm/tests/test_svm.py::test_x[a]", "outcome": "failed", "error": error}
    verdict = judge([outcome], [words])
    assert (len(verdict.listed), len(verdict.unexplained)) == (int(explained), int(not explained))
    assert verdict.idle == (() if explained else (words,))


def test_the_goal_is_met_by_passing_not_by_explaining() -> None:
    chosen = Difference("D", "why", ("listed*",))
    good = [{"test": f"t{i}", "outcome": "passed"} for i in range(95)]
    listed = [{"test": f"listed{i}", "outcome": "failed"} for i in range(6)]
    assert judge(good + listed[:4], [chosen]).good
    assert not judge(good[:50] + listed, [chosen]).good
    failing = [{"test": f"f{i}", "outcome": "failed"} for i in range(4)]
    assert not judge(good + failing, [chosen]).good


def test_every_chosen_difference_has_a_reason_and_stands_on_the_page() -> None:
    differences = read()
    text = page(differences)
    for difference in differences:
        assert difference.reason
        assert difference.tests
        assert difference.title in text


def test_differences_stand_under_their_family(tmp_path: Path) -> None:
    one = '[[difference]]\ntitle = "One"\nreason = "why"\ntests = ["a"]\n'
    (tmp_path / "b.toml").write_text('family = "A family"\n\n' + one)
    (tmp_path / "c.toml").write_text(one.replace("One", "Two"))
    differences = read(tmp_path)
    assert [d.family for d in differences] == ["A family", "C"]
    text = page(differences)
    assert text.index("## A family") < text.index("| One |") < text.index("## C")


def test_counts_of_every_file() -> None:
    outcomes = [
        {"test": "a.py::x", "outcome": "passed", "seconds": 1.5},
        {"test": "a.py::y", "outcome": "failed", "seconds": 1.0},
        {"test": "b.py::listed", "outcome": "failed"},
    ]
    lines = judge(outcomes, [Difference("D", "why", ("*listed",))]).table().splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["a.py", "1", "0", "1", "2.5"],
        ["b.py", "0", "1", "0", "0.0"],
    ]


def test_only_tests_that_can_reach_a_replacement_run() -> None:
    source = textwrap.dedent(
        """\
        import pytest
        from sklearn.svm import SVC
        models = []
        models.append(SVC)

        @pytest.fixture
        def model(): return SVC()

        def helper(): return models

        @pytest.mark.parametrize("m", models)
        def test_parametrised(m): pass

        def test_fixture(model): pass

        def test_by_helper(): helper()

        class TestAll:
            def test_inside(self): SVC()

        def test_late():
            from sklearn.linear_model import Ridge
            Ridge()

        def test_other(tmp_path): pass
        """
    )
    reached = concerned_tests(rewritten(source, {"SVC", "Ridge"}))
    wanted = {"test_fixture", "test_by_helper", "TestAll", "test_late"}
    assert all(reached[name] for name in wanted)
    assert reached["test_parametrised"] is False
    assert "test_other" not in reached


def test_the_namesakes_have_homes() -> None:
    places = homes()
    assert {"svm/tests/", "linear_model/tests/", "tests/test_multiclass.py"} <= places
    assert not any(place.startswith("model_selection") for place in places)


def test_a_run_in_parts_and_a_limit(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    text = """
        import time
        from sklearn.linear_model import Ridge

        def test_short():
            Ridge()

        def test_failing():
            Ridge(alpha=1.0).fit([[1.0]], "a")

        def test_long():
            Ridge()
            end = time.process_time() + 30
            while time.process_time() < end:
                pass

        def test_other():
            pass
        """
    place = Path("test_ridge.py")
    (tmp_path / place).write_text(rewritten(textwrap.dedent(text), {"Ridge"}))
    outcomes = run(tmp_path, [place], jobs=1, limit=0.5)
    assert [(o["test"].split("::")[1], o["outcome"]) for o in outcomes] == [
        ("test_short", "passed"),
        ("test_failing", "failed"),
    ]
    broken = run(tmp_path, [Path("missing.py")], jobs=1)
    assert [o["test"] for o in broken] == ["pytest"]
