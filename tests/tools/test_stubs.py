"""The stub of the compiled module tells its types as they are."""

import re

from margin.native import _native
from tools import stubs


def test_the_stub_is_up_to_date():
    assert stubs.outdated(stubs.STUB.read_text()) == []


def test_every_function_names_its_parameters():
    for name, overloads in stubs.signatures(stubs.STUB.read_text()).items():
        for parameters in overloads:
            # without a name nanobind calls them arg, arg0, arg1 …
            assert not [p for p in parameters if re.fullmatch(r"arg\d*", p)], name


def test_every_public_name_is_described():
    described = {name.split(".")[0] for name in stubs.signatures(stubs.STUB.read_text())}
    functions = {name for name, value in vars(_native).items() if callable(value)}
    assert functions - described - {"__build_class__"} == set()


def test_what_has_changed_is_named():
    text = stubs.STUB.read_text()
    renamed = text.replace("def max_threads()", "def most_threads()")
    assert stubs.outdated(renamed) == ["max_threads", "most_threads"]
    longer = text.replace("def max_threads()", "def max_threads(wanted: int)")
    assert stubs.outdated(longer) == ["max_threads"]


def test_main_says_what_to_do(tmp_path, monkeypatch, capsys):
    stub = tmp_path / "_native.pyi"
    stub.write_text(stubs.STUB.read_text() + "\ndef nothing() -> None: ...\n")
    monkeypatch.setattr(stubs, "STUB", stub)
    assert stubs.main(["--check"]) == 1
    assert "the signature of nothing has changed; run python -m tools.stubs" in (
        capsys.readouterr().out
    )
    assert stubs.main([]) == 0
    assert stubs.main(["--check"]) == 0
    assert "nothing" not in stub.read_text()
