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


@pytest.mark.parametrize(
    ("texts", "costs"),
    [
        ([], None),
        (["1:50"], (1.0, 50.0)),
        (["a>b=2"], {("a", "b"): 2.0}),
        (["0 > 1 = 2", "1>0=3"], {("0", "1"): 2.0, ("1", "0"): 3.0}),
    ],
)
def test_costs(texts, costs):
    assert _options.costs(texts) == costs


@pytest.mark.parametrize("text", ["5", "1:x", "1:-2", "a>b", ">b=1", "a>=2", "a>b=inf", "1:2:3"])
def test_costs_that_cannot_be_read(text):
    with pytest.raises(CommandError, match="--cost must"):
        _options.costs([text])


@pytest.mark.parametrize("text", ["time:", "random:x", "sorted", ""])
def test_splits_that_do_not_exist(text):
    with pytest.raises(CommandError, match="--split must be random, time or time:COLUMN"):
        _options.split(text)


@pytest.mark.parametrize("text", ["Ridge", ":Ridge", "sklearn:"])
def test_addresses_of_models(text):
    with pytest.raises(CommandError, match="--with must be MODULE:CLASS"):
        _options.foreign([text])
