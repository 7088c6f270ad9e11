"""The curriculum index, on tiny repositories made for the purpose."""

from pathlib import Path

import pytest

from tools.curriculum import catalogue, page, proofs, sources
from tools.curriculum.__main__ import main
from tools.curriculum.ids import IdPattern
from tools.curriculum.index import build

CATALOGUE = """\
id,title,served_by
linalg.01,Predicates,
linalg.02,Norms,
linalg.16,Log-sum-exp,scipy.special.logsumexp
optim.01,Gradient descent,
"""
ESTIMATOR = '''
class Solver:
    """Serves linalg.01."""

    def norm(self):
        """Serves linalg.02."""

class _Hidden:
    """Nothing."""
'''
TEST = '''
def test_predicates():
    """linalg.01 on three matrices."""

# linalg.02
def test_norm():
    assert True
'''


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path / "docs/curriculum.csv", CATALOGUE)
    write(tmp_path / "docs/served_elsewhere/linalg.md", "## linalg.16 · scipy.special.logsumexp\n")
    write(tmp_path / "src/margin/__init__.py", "")
    write(tmp_path / "src/margin/linalg/__init__.py", '__all__ = ["Solver"]\n')
    write(tmp_path / "src/margin/linalg/_solver.py", ESTIMATOR)
    write(tmp_path / "tests/linalg/test_solver.py", TEST)
    write(tmp_path / "examples/linalg/plot_norms.py", '"""Norms (linalg.02)."""\n')
    return tmp_path


def run(root: Path, *arguments: str) -> int:
    return main(["--root", str(root), *arguments])


class TestIds:
    find = IdPattern(["linalg", "optim", "gp"])

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("linalg.08", {"linalg.08"}),
            ("(`linalg.08`)", {"linalg.08"}),
            ("linalg.08, linalg.09", {"linalg.08", "linalg.09"}),
            ("linalg.08, .09 and .11", {"linalg.08", "linalg.09", "linalg.11"}),
            ("linalg.08-10", {"linalg.08", "linalg.09", "linalg.10"}),
            ("linalg.08 to linalg.10", {"linalg.08", "linalg.09", "linalg.10"}),
            ("linalg.08–.10, .12", {"linalg.08", "linalg.09", "linalg.10", "linalg.12"}),
            ("linalg.08 - 12 rows", {"linalg.08"}),
            ("linalg.08-optim.10", {"linalg.08", "optim.10"}),
            ("linalg.8, linalg.108, xlinalg.08, 3.14", set()),
            ("margin.linalg.08", {"linalg.08"}),
        ],
    )
    def test_forms(self, text: str, expected: set[str]) -> None:
        assert self.find(text) == expected


class TestSources:
    def claims(self, root: Path) -> dict[str, list[str]]:
        return sources.claims(sources.load(root / "src"), IdPattern(["linalg", "optim"]))

    def test_class_and_method(self, tree: Path) -> None:
        assert self.claims(tree) == {
            "linalg.01": ["margin.linalg.Solver"],
            "linalg.02": ["margin.linalg.Solver.norm"],
        }

    def test_innermost_wins(self, tree: Path) -> None:
        text = '"""Package: linalg.01, linalg.02."""\n__all__ = ["Solver"]\n'
        write(tree / "src/margin/linalg/__init__.py", text)
        assert self.claims(tree)["linalg.01"] == ["margin.linalg.Solver"]

    def test_private_definition_belongs_to_its_package(self, tree: Path) -> None:
        write(tree / "src/margin/linalg/_x.py", 'def _f():\n    """optim.01"""\n')
        assert self.claims(tree)["optim.01"] == ["margin.linalg"]

    def test_private_method_belongs_to_its_class(self, tree: Path) -> None:
        text = 'class Solver:\n    def _f(self):\n        """optim.01"""\n'
        write(tree / "src/margin/linalg/_solver.py", text)
        assert self.claims(tree)["optim.01"] == ["margin.linalg.Solver"]

    def test_private_base_belongs_to_its_public_heirs(self, tree: Path) -> None:
        base = 'class _Base:\n    def f(self):\n        """optim.01"""\n'
        heirs = "class _Middle(_Base):\n    pass\nclass Solver(_Middle):\n    pass\n"
        write(tree / "src/margin/linalg/_base.py", base)
        write(tree / "src/margin/linalg/_solver.py", heirs)
        assert self.claims(tree)["optim.01"] == ["margin.linalg.Solver.f"]

    def test_module_docstring_belongs_to_its_only_export(self, tree: Path) -> None:
        write(tree / "src/margin/linalg/_solver.py", '"""optim.01"""\n' + ESTIMATOR)
        assert self.claims(tree)["optim.01"] == ["margin.linalg.Solver"]

    def test_public_module(self, tree: Path) -> None:
        text = '"""optim.01"""\ndef f():\n    """linalg.02"""\n'
        write(tree / "src/margin/linalg/check.py", text)
        found = self.claims(tree)
        assert found["optim.01"] == ["margin.linalg.check"]
        assert "margin.linalg.check.f" in found["linalg.02"]

    def test_comments_claim_nothing(self, tree: Path) -> None:
        write(tree / "src/margin/linalg/_x.py", "# optim.01\nVALUE = 'optim.01'\n")
        assert "optim.01" not in self.claims(tree)


class TestProofs:
    def proofs(self, root: Path, text: str) -> list[str]:
        write(root / "tests/optim/test_x.py", text)
        return proofs.proofs(root / "tests", IdPattern(["linalg", "optim"])).get("optim.01", [])

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ('def test_a():\n    """optim.01"""\n', "test_a"),
            ("# optim.01\ndef test_a():\n    pass\n", "test_a"),
            ("@mark(['optim.01'])\ndef test_a():\n    pass\n", "test_a"),
            ("CASES = ['optim.01']\n@mark(CASES)\ndef test_a():\n    pass\n", "test_a"),
            ('class TestA:\n    """optim.01"""\n', "TestA"),
            (
                "class TestA:\n    def test_b(self):\n        # optim.01\n        pass\n",
                "TestA::test_b",
            ),
        ],
    )
    def test_places(self, tree: Path, text: str, name: str) -> None:
        assert self.proofs(tree, text) == [f"optim/test_x.py::{name}"]

    @pytest.mark.parametrize(
        "text",
        ['"""optim.01"""\n', 'def helper():\n    """optim.01"""\n', "CASES = ['optim.01']\n"],
    )
    def test_mentions_outside_tests_prove_nothing(self, tree: Path, text: str) -> None:
        assert self.proofs(tree, text) == []

    def test_tests_of_the_tools_prove_nothing(self, tree: Path) -> None:
        write(tree / "tests/tools/test_x.py", 'def test_a():\n    """optim.01"""\n')
        assert self.proofs(tree, "") == []


class TestCheck:
    def test_fresh_page_passes(self, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(tree) == 0
        assert run(tree, "--check") == 0
        assert "total" in (output := capsys.readouterr().out)
        assert "3 done   1 missing" in output

    def test_stale_page_fails(self, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run(tree)
        (tree / "examples/linalg/plot_norms.py").unlink()
        assert run(tree, "--check") == 1
        assert "out of date" in capsys.readouterr().out

    def test_claim_without_test_fails(self, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(tree / "tests/linalg/test_solver.py", "")
        run(tree)
        assert run(tree, "--check") == 1
        output = capsys.readouterr().out
        assert "linalg.01: claimed by margin.linalg.Solver but no test names it" in output

    @pytest.mark.parametrize(
        "path", ["src/margin/linalg/_x.py", "tests/linalg/test_x.py", "examples/x.py"]
    )
    def test_unknown_id_fails(
        self, tree: Path, path: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tree / path, "# linalg.77\n")
        run(tree)
        assert run(tree, "--check") == 1
        assert f"linalg.77: unknown id in {path}" in capsys.readouterr().out

    def test_pointer_without_example_fails(
        self, tree: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tree / "docs/served_elsewhere/linalg.md", "## linalg.02 · numpy.linalg.norm\n")
        run(tree)
        assert run(tree, "--check") == 1
        output = capsys.readouterr().out
        assert "linalg.16: served_by without" in output
        assert "linalg.02: heading in docs/served_elsewhere without" in output

    def test_open_ids_of_a_package(self, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(tree, "--missing", "optim") == 0
        assert capsys.readouterr().out == "optim.01 Gradient descent\n"
        assert run(tree, "--missing", "nonsense") == 1


class TestPage:
    def test_rows(self, tree: Path) -> None:
        text = page.render(build(tree))
        assert "**3 of 4** capabilities are served: 2 in margin, 1 by one call elsewhere." in text
        norm = "{py:obj}`linalg.Solver.norm <margin.linalg.Solver.norm>`"
        test = "[norm](../tests/linalg/test_solver.py)"
        example = "{doc}`norms <auto_examples/linalg/plot_norms>`"
        assert f"| ● linalg.02 | Norms | {norm} | {test} | {example} |" in text
        pointer = "[`scipy.special.logsumexp`](served_elsewhere/linalg.md#linalg-16)"
        assert f"| ◐ linalg.16 | Log-sum-exp | {pointer} |  |  |" in text
        assert "| ○ optim.01 | Gradient descent |  |  |  |" in text

    def test_margin_comes_before_a_pointer(self, tree: Path) -> None:
        write(tree / "src/margin/linalg/_x.py", '"""linalg.16"""\n')
        write(tree / "tests/linalg/test_x.py", 'def test_x():\n    """linalg.16"""\n')
        entry = build(tree).entries[2]
        assert entry.status == "margin"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("linalg.01,Again,", "appears twice"),
        ("optim.02,,", "1 to 100"),
        (f"optim.02,{'x' * 101},", "1 to 100"),
    ],
)
def test_catalogue_refuses(tree: Path, line: str, message: str) -> None:
    write(tree / "docs/curriculum.csv", CATALOGUE + line + "\n")
    with pytest.raises(ValueError, match=message):
        catalogue.read(tree / "docs/curriculum.csv")


def test_repository_catalogue_is_complete(root: Path) -> None:
    rows = catalogue.read(root / "docs/curriculum.csv")
    assert len(rows) == 644
    assert catalogue.packages(rows) == list(catalogue.SUBJECTS)
    for package in catalogue.SUBJECTS:
        numbers = [int(row.id[-2:]) for row in rows if row.package == package]
        assert numbers == list(range(1, len(numbers) + 1))
