"""The check of the house finds what it promises to find."""

import ast
from pathlib import Path

import pytest

from tools import house


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src" / "margin" / "linear").mkdir(parents=True)
    (tmp_path / "src" / "margin" / "cli").mkdir()
    return tmp_path


def test_a_crowded_folder_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = root / "src" / "margin" / "linear"
    for number in range(house.MOST_MODULES):
        (package / f"_m{number}.py").touch()
    assert house.main(root) == 0
    (package / "_one_more.py").touch()
    assert house.main(root) == 1
    assert "linear: 23 modules, at most 22" in capsys.readouterr().out


@pytest.mark.parametrize(
    "statement",
    [
        "model.coef_ = 1",
        "model.coef_ += 1",
        "model.coef_: int = 1",
        "a, model.coef_ = 1, 2",
        "for model.coef_ in X: pass",
        "del model.coef_",
        "setattr(model, 'coef_', 1)",
        "with X as model.coef_: pass",
        "object.__setattr__(model, 'coef_', 1)",
    ],
)
def test_every_way_to_store_on_a_parameter_is_seen(statement: str) -> None:
    tree = ast.parse(f"def fit(model, *, X):\n    {statement}\n")
    assert [line for line, _ in house.stores(tree)] == [2]


@pytest.mark.parametrize(
    "code",
    [
        "def fit(self, X):\n    self.coef_ = X",
        "def fit(X):\n    model = X\n    model.coef_ = 1",
        "def fit(model):\n    return model.coef_",
        "def fit(self):\n    object.__setattr__(self, 'coef_', 1)",
        "def fit(model):\n    def inner(self):\n        self.x = 1\n    return inner",
    ],
)
def test_what_is_no_store_on_a_parameter(code: str) -> None:
    assert list(house.stores(ast.parse(code))) == []


def test_imports_inside_functions_are_for_the_command_line_only(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lazy = "def f():\n    import margin.core\n    import numpy\n"
    (root / "src" / "margin" / "cli" / "_app.py").write_text(lazy)
    assert house.main(root) == 0
    (root / "src" / "margin" / "linear" / "_ridge.py").write_text(lazy)
    assert house.main(root) == 1
    assert "_ridge.py:2: imports margin.core inside f" in capsys.readouterr().out


@pytest.mark.parametrize("caught", ["KeyboardInterrupt", "(KeyboardInterrupt, ValueError)"])
def test_one_place_handles_ctrl_c(
    root: Path, capsys: pytest.CaptureFixture[str], caught: str
) -> None:
    handler = f"try:\n    f()\nexcept {caught}:\n    g()\n"
    driver = root / "src" / "margin" / "core" / "iteration"
    driver.mkdir(parents=True)
    (driver / "_iterate.py").write_text(handler)
    (root / "src" / "margin" / "cli" / "_app.py").write_text(handler)
    assert house.main(root) == 0
    (root / "src" / "margin" / "core" / "_atomic.py").write_text(handler)
    assert house.main(root) == 1
    assert "_atomic.py:3: handles Ctrl-C, which is for core.iterate" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "n_faults"),
    [
        ("found = f()", 1),
        ("def f():\n    for made in X:\n        pass", 1),
        ("class A:\n    def f(self):\n        self.found_ = 1\n        return found", 0),
    ],
)
def test_names_that_say_nothing(code: str, n_faults: int) -> None:
    assert len(list(house.empty_names(ast.parse(code)))) == n_faults


MANY = ", ".join(["double a"] * 10)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (f"void f({MANY}) {{}}", ["f"]),
        (f"template <typename T>\nvoid f({MANY}) const noexcept {{}}", ["f"]),
        (f"struct A {{ A({MANY}) : a_(1), b_(2) {{}} }};", ["A"]),
        (f"auto f({MANY}) -> std::pair<int, int> {{}}", ["f"]),
        (f"#define MAKE(name) void name({MANY}) {{}}", ["name"]),
        ("void f(std::map<int, int> a, int (*b)(int, int, int, int, int, int, int, int)) {}", []),
        (f'void f({MANY}) {{}}\nvoid bind() {{ m.def("f", &f<T>, nb::arg("a")); }}', []),
        (f"void f({MANY}) {{}}\nvoid bind() {{ m.def(nb::new_(&f)); }}", []),
        (f"void f({MANY}) {{}}\nvoid bind() {{ g(&f); }}", ["f"]),
        (f"// void f({MANY}) {{}}\n/* void f({MANY}) {{}} */", []),
        (f"void g() {{ f({MANY}); }}", []),
        (f"void g() {{ if (f({MANY})) {{}} }}", []),
    ],
)
def test_long_lists_of_arguments(code: str, names: list[str]) -> None:
    assert [what.split()[0] for _, what in house.long_lists(code)] == names


def test_compiled_functions_are_read_wherever_they_are(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = root / "src" / "native" / "rows"
    room.mkdir(parents=True)
    (room / "few.hpp").write_text("int f(int a) { return a; }\n")
    assert house.main(root) == 0
    (room / "many.cpp").write_text(f"\nint f({MANY}) {{ return 1; }}\n")
    assert house.main(root) == 1
    complaint = "src/native/rows/many.cpp:2: f takes 10 arguments, at most 9; give it structs"
    assert complaint in capsys.readouterr().out
