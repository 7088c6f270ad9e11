import pytest

from margin.testing._refusal import assert_house_format, refusal


def test_refusal_is_the_message_of_the_usual_exceptions_only():
    assert refusal(int, "a") == "invalid literal for int() with base 10: 'a'"
    assert refusal(int, []).startswith("int() argument")
    assert refusal(lambda: 1 / 0) == "division by zero"
    assert refusal(int, "1") is None
    with pytest.raises(KeyError):
        refusal({}.__getitem__, 1)


def test_house_format_is_accepted():
    assert_house_format("Ridge: alpha must be odd, got 'x'", "Ridge", "alpha", "x")


@pytest.mark.parametrize(
    "text",
    [
        None,
        "alpha must be odd, got 'x'",
        "Ridge: alpha must be odd",
        "Ridge: alpha must be odd, got x",
        "Ridge: beta must be odd, got 'x'",
    ],
)
def test_anything_else_is_not(text):
    with pytest.raises(AssertionError):
        assert_house_format(text, "Ridge", "alpha", "x")
