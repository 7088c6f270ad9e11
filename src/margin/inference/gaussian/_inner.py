"""Searches inside of a larger one: its answer, or an error that names what broke."""

from margin.core import FitError, Solution, Status
from margin.core.types import Floats

_GOOD_ENOUGH = 1e-5


def settled(solution: Solution, complaint: str) -> Floats:
    """The point of an inner search, where it serves.

    An approximation is one step of a search for hyper-parameters: rounding may keep it from its
    tolerance, which does no harm; Ctrl-C belongs to the larger search.

    Parameters
    ----------
    solution : Solution
        With a certificate.
    complaint : str
        What to say, before the value of the certificate, where that is too large.

    Examples
    --------
    >>> from margin.core import Certificate
    >>> proof = Certificate("residual", 0.5, 1e-10)
    >>> settled(Solution(0.0, Status.MAX_ITER, 9, 1.0, certificate=proof), "not found: residual")
    Traceback (most recent call last):
    margin.core.FitError: not found: residual 0.5
    """
    if solution.interrupted:
        raise KeyboardInterrupt
    if solution.status is Status.FAILED:
        raise FitError(solution.message)
    proof = solution.certificate
    if proof is not None and not proof.holds and proof.value > _GOOD_ENOUGH:
        raise FitError(f"{complaint} {proof.value:.3g}")
    point: Floats = solution.x
    return point
