"""What travels through expectation maximisation: frozen values, never an estimator."""

from typing import Any, Generic, NamedTuple, TypeVar

Parameters = TypeVar("Parameters")
Statistics = TypeVar("Statistics")


class Expectation(NamedTuple, Generic[Statistics]):
    """What an E step returns.

    Parameters
    ----------
    bound : float
        Lower bound of the log-likelihood at the parameters that the step was made with, plus the
        log prior where there is one; after an exact step it is the log-likelihood itself.
    statistics : Any
        What the M step needs: expected counts, responsibilities, moments.
    """

    bound: float
    statistics: Statistics


class Repaired(NamedTuple, Generic[Parameters]):
    """What an M step returns when it had to mend something, say, re-seed an empty component.

    Parameters
    ----------
    parameters : Any
        The parameters, as an M step returns them.
    repairs : tuple of str
        What was mended, a phrase each, for the report; a step that tells is excused when the
        bound falls.
    """

    parameters: Parameters
    repairs: tuple[str, ...]


class Point(NamedTuple, Generic[Parameters, Statistics]):
    """Parameters and their E step.

    Parameters
    ----------
    parameters : Any
    bound : float
        The bound there.
    statistics : Any
        What the E step found there.
    """

    parameters: Parameters
    bound: float
    statistics: Statistics


AnyPoint = Point[Any, Any]
