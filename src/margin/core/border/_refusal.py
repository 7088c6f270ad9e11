"""Words of a refusal: class, parameter, requirement, value."""

_LONGEST = 200  # characters of a value that a message shows


class UnservedError(ValueError, NotImplementedError):
    """A choice of parameters that has no meaning, or a question the chosen method cannot answer.

    A bad value like any other; scikit-learn calls some of them not implemented, and code that
    catches its word for them goes on working.

    Examples
    --------
    >>> isinstance(UnservedError("Model: norm must be 2, got 3"), ValueError)
    True
    """


def fail(owner: object, parameter: str, requirement: str, value: object) -> ValueError:
    """Error in the house format; raise what this returns."""
    return ValueError(f"{named(owner)}: {parameter} must be {requirement}, got {_shown(value)}")


def unserved(owner: object, parameter: str, requirement: str, value: object) -> UnservedError:
    """The same for what scikit-learn calls not implemented.

    Examples
    --------
    >>> raise unserved("Model", "solver", "'svd' for transform", "lsqr")
    Traceback (most recent call last):
    margin.core.UnservedError: Model: solver must be 'svd' for transform, got 'lsqr'
    """
    return UnservedError(str(fail(owner, parameter, requirement, value)))


def named(owner: object) -> str:
    """Name of an estimator, or of whoever gave it as text, at the head of a message."""
    return owner if isinstance(owner, str) else type(owner).__name__


def _shown(value: object) -> str:
    """What a message shows of a value: all of it, or the shape or the beginning of a long one."""
    text = repr(value)
    if len(text) <= _LONGEST:
        return text
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"{type(value).__name__} of shape {tuple(shape)}"
    return f"{text[:_LONGEST]}…"
