"""How bad input is turned down."""

from typing import Any


def refusal(call: Any, *arguments: Any, **options: Any) -> str | None:
    """Message of the exception a call raises for bad input, ``None`` if it raises none.

    Examples
    --------
    >>> from margin.penalties import L2
    >>> refusal(L2, -1.0)
    'L2: alpha must be a number of at least 0, got -1.0'
    >>> refusal(L2, 1.0)
    """
    try:
        call(*arguments, **options)
    except (ValueError, TypeError, ArithmeticError) as error:
        return str(error)
    return None


def assert_house_format(text: str | None, owner: str, parameter: str, value: Any) -> None:
    """Check that a refusal names class, parameter, requirement and value.

    Examples
    --------
    >>> assert_house_format("L2: alpha must be at least 0, got -1.0", "L2", "alpha", -1.0)
    """
    assert text is not None, f"{owner} accepts {parameter}={value!r}"
    start, end = f"{owner}: {parameter} must be ", f", got {value!r}"
    assert text.startswith(start), f"{text!r} should start with {start!r}"
    assert text.endswith(end), f"{text!r} should end with {end!r}"
