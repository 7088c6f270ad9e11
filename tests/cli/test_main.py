import subprocess
import sys

import pytest

import margin as library
from margin.cli import _app, _errors, main


def command_that(error):
    def fail(*args, **kwargs):
        raise error

    return fail


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "No such command"),
        (["compare", "--bogus"], "No such option"),
        (["predict"], "Missing argument"),
        (["compare", "--seed", "x"], "'--seed'"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(margin, arguments, words):
    code, out, err = margin(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("margin: error: ")
    assert err.count("\n") == 1
    assert words in err


def test_help_is_the_answer_to_no_argument(margin):
    code, out, err = margin()
    assert (code, err) == (0, "")
    assert all(name in out for name in ("compare", "predict", "models", "show", "versions"))


def test_internal_failure_has_exit_code_1_and_no_traceback(margin, monkeypatch):
    monkeypatch.setattr(_app, "app", command_that(RuntimeError("boom\nboom")))
    code, _, err = margin("models")
    assert code == 1
    assert err == "margin: error: internal failure, RuntimeError: boom boom (--debug shows where)\n"


def test_debug_raises(monkeypatch):
    monkeypatch.setattr(_app, "app", command_that(RuntimeError("boom")))
    with pytest.raises(RuntimeError, match="boom"):
        main(["models", "--debug"])
    monkeypatch.setattr(_app, "app", command_that(_errors.CommandError("bad")))
    with pytest.raises(_errors.CommandError, match="bad"):
        main(["models", "--debug"])


@pytest.mark.parametrize("how", [KeyboardInterrupt(), _errors.StoppedError("stopped")])
def test_interruption_has_exit_code_130(margin, monkeypatch, how):
    monkeypatch.setattr(_app, "app", command_that(how))
    code, _, err = margin("models")
    assert code == 130
    assert err.startswith("margin: error: ")


def test_interruption_that_typer_turned_into_a_number(margin, monkeypatch):
    monkeypatch.setattr(_app, "app", lambda *args, **kwargs: 130)
    assert margin("models") == (130, "", "margin: error: interrupted\n")


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_quick_answers_import_nothing_slow(argument):
    script = (
        f"import sys; from margin.cli import main; code = main([{argument!r}]);"
        "slow = {'numpy', 'scipy', 'sklearn', 'pandas', 'skops'} & set(sys.modules);"
        "sys.exit(code or len(slow))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == ""
    if argument == "--version":
        assert done.stdout == f"margin {library.__version__}\n"
