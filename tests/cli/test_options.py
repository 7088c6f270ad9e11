import pytest

from margin.cli import _options
from margin.cli._errors import CommandError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("2m", 120), ("1h30m", 5400), ("1.5", 1.5), (" 10 s ", 10), ("500ms", 0.5)],
)
def test_durations(text, seconds):
    assert _options.seconds(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "5 apples", "0", "-3", "-3s", "nan", "inf", "m"])
def test_bad_durations_are_named(text):
    with pytest.raises(CommandError, match=r"--budget must be"):
        _options.seconds(text)


def test_scales_keep_column_names_as_they_are():
    assert _options.scales([" a =Ordinal", "x=y=date"]) == {" a ": "ordinal", "x=y": "date"}


@pytest.mark.parametrize("pair", ["colour", "=nominal", "colour="])
def test_bad_scales_are_named(pair):
    with pytest.raises(CommandError, match="--scale must be COLUMN=SCALE"):
        _options.scales([pair])


def test_names():
    assert _options.names(None) is None
    assert _options.names("A,, B ") == ["A", "B"]
    with pytest.raises(CommandError, match="at least one model"):
        _options.names(" , ")
