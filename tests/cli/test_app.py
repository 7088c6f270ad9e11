import pytest

from margin.cli import _compare
from margin.core import versions


@pytest.fixture
def request_of(monkeypatch, margin):
    """The request that a command line becomes."""

    def parse(*arguments):
        seen = []
        monkeypatch.setattr(_compare, "run", lambda request: seen.append(request) or 0)
        code, _, _ = margin("compare", *arguments)
        assert code == 0
        return seen[0]

    return parse


def test_defaults(request_of):
    request = request_of()
    assert request.data is None
    assert (request.budget, request.seed, request.test_size) == ("60s", 0, 0.25)
    assert str(request.out) == "margin-report"
    assert request.json is None
    assert request.command == ("compare",)


def test_every_option_arrives(request_of):
    request = request_of(
        "x.csv", "--target", "y", "--task", "regression", "--scale", "a=ordinal",
        "--scale", "b=date", "--budget", "2m", "--jobs", "2", "--seed", "7", "--test-size", "0.5",
        "--models", "A,B", "--out", "o", "--json", "j", "--quiet",
    )  # fmt: skip
    assert (request.data, request.target, request.task) == ("x.csv", "y", "regression")
    assert request.scales == ("a=ordinal", "b=date")
    assert (request.budget, request.jobs, request.seed, request.test_size) == ("2m", 2, 7, 0.5)
    assert (request.models, str(request.out), str(request.json)) == ("A,B", "o", "j")
    assert request.quiet
    assert request.command[:2] == ("compare", "x.csv")


def test_versions_command(margin):
    code, out, _ = margin("versions")
    assert code == 0
    for name, version in versions.packages().items():
        assert f"{name} " in out
        assert version in out


def test_version_after_other_options_is_answered_too(margin):
    assert margin("--version", "compare")[0] == 0
