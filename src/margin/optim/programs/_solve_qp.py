"""Convex quadratic programs, solved."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from typing import Any, Literal

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import issparse
from scipy.sparse import vstack as sparse_vstack

from margin.core import Iterate, Solution, Status, Stop, check, iterate
from margin.core.progress import Callback
from margin.optim.programs._clarabel import clarabel_point
from margin.optim.programs._interior_point import PrimalDual, interior_points
from margin.optim.programs._qp_evidence import Evidence, evidence
from margin.optim.programs._quadratic_program import QuadraticProgram

KIND = "relative duality gap and residuals"
_PATIENCE = 31
_COLUMNS = {
    ("clarabel", False): ("objective",),
    ("interior-point", False): ("objective", "gap"),
    ("interior-point", True): ("objective", "gap", "x"),
}


def solve_qp(
    program: QuadraticProgram,
    *,
    solver: Literal["auto", "clarabel", "interior-point"] = "auto",
    tol: float = 1e-8,
    max_iter: int = 200,
    callback: Callback | None = None,
    trace: bool = False,
) -> Solution:
    r"""Solve a convex quadratic program (optim.19).

    Parameters
    ----------
    program : QuadraticProgram
    solver : {"auto", "clarabel", "interior-point"}
        Clarabel (``pip install margin[qp]``), which keeps sparse matrices sparse, or our own dense
        interior-point method, which needs nothing. ``"auto"`` takes Clarabel where it is installed,
        unless ``trace`` asks for what only our own keeps.
    tol : float
        Certificate that counts as converged.
    max_iter : int
        Most iterations.
    callback : callable, optional
        Called as ``callback(iteration, objective)``; by Clarabel once, at the end.
    trace : bool
        Also keep the iterates, as ``trace["x"]``.

    Returns
    -------
    Solution
        The certificate is the largest of: the gap :math:`p - d` between the objective and the
        Lagrange dual, the violation of the constraints, and the gradient of the Lagrangian, each
        relative to the size of what it is made of. ``extras`` hold the ``multipliers``, the
        ``dual`` value and the parts of the certificate. Contradicting constraints and objectives
        without a lower bound end as FAILED with a message that says which.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import QuadraticProgram
    >>> solution = solve_qp(QuadraticProgram(2 * np.eye(1), [-6.0], upper=1.0))
    >>> solution.x.round(6), round(solution.objective, 6), solution.certificate.holds
    (array([1.]), -5.0, True)
    >>> solution.extras["multipliers"].upper.round(5)
    array([4.])
    """
    for name, value in (("tol", tol), ("max_iter", max_iter)):
        if not (np.isfinite(value) and value > 0):
            raise check.fail("solve_qp", name, "a number above 0", value)
    chosen, limit = _choose(solver, trace), int(max_iter)
    states = (
        _states_of_clarabel(program, tol, limit)
        if chosen == "clarabel"
        else _states_of_interior_point(program)
    )
    stop = Stop(
        KIND,
        tol,
        limit,
        keep="closest",
        columns=("gap", "x"),
        patience=_PATIENCE,
        progress=0.5,
        advice=("scale the problem", "raise tol"),
    )
    solution = iterate(states, stop, solver=chosen, callback=callback)
    columns = {name: solution.trace[name] for name in _COLUMNS[chosen, trace]}
    extras = _by_products(program, **solution.extras)
    solution = replace(solution, trace=columns, extras=extras)
    reason = "" if solution.status.ok or solution.interrupted else _contradiction(program)
    return replace(solution, status=Status.FAILED, message=reason) if reason else solution


def _choose(solver: str, trace: bool) -> str:
    if solver not in ("auto", "clarabel", "interior-point"):
        need = "one of 'auto', 'clarabel', 'interior-point'"
        raise check.fail("solve_qp", "solver", need, solver)
    installed = find_spec("clarabel") is not None
    if solver == "auto":
        return "clarabel" if installed and not trace else "interior-point"
    if solver == "clarabel" and not installed:
        need = "'interior-point' or 'auto' where Clarabel is not installed (pip install margin[qp])"
        raise check.fail("solve_qp", "solver", need, solver)
    if solver == "clarabel" and trace:
        need = "'interior-point' or 'auto' with trace=True, as Clarabel keeps no iterates"
        raise check.fail("solve_qp", "solver", need, solver)
    return solver


def _states_of_clarabel(program: QuadraticProgram, tol: float, max_iter: int) -> Iterator[Iterate]:
    """The answer alone: Clarabel shows nothing on its way."""
    at, n_iter, word = clarabel_point(program, tol, max_iter)
    seen = _seen(at, evidence(program, at), n_iter)
    yield seen if n_iter >= max_iter else seen._replace(stuck=word or "Clarabel ended")


def _states_of_interior_point(program: QuadraticProgram) -> Iterator[Iterate]:
    """The points of the method, up to where rounding or overflow ends it."""
    before, points = None, interior_points(program)
    for n_iter in count():
        try:
            at = next(points)
        except np.linalg.LinAlgError as error:
            why = f"the linear system broke down: {error}"
            yield (before or _origin(program))._replace(stuck=why)
            return
        with np.errstate(all="ignore"):  # what diverges is told by the status
            proof = evidence(program, at)
        if not np.isfinite(proof.worst):
            yield (before or _origin(program))._replace(stuck="the numbers overflow")
            return
        before = _seen(at, proof, n_iter)
        yield before


def _origin(program: QuadraticProgram) -> Iterate:
    """A point for methods that have none to show."""
    rows = np.zeros(len(program.inequalities()[1]))
    zero = PrimalDual(np.zeros(program.dimension), np.zeros(len(program.b)), rows, rows)
    return _seen(zero, evidence(program, zero), 0)


def _by_products(program: QuadraticProgram, at: PrimalDual, proof: Evidence) -> dict[str, Any]:
    """What is kept beside the point."""
    return {
        "multipliers": program.multipliers(at.equality, at.inequality),
        "dual": proof.dual,
        "gap": proof.gap,
        "stationarity": proof.stationarity,
        "infeasibility": proof.infeasibility,
    }


def _seen(at: PrimalDual, proof: Evidence, n_iter: int) -> Iterate:
    return Iterate(
        at.x,
        proof.primal,
        proof.worst,
        n_iter,
        (proof.gap, at.x),
        extras={"at": at, "proof": proof},
    )


def _contradiction(program: QuadraticProgram) -> str:
    """Why there is no solution, by two linear programs; empty if there should be one."""
    G, h = program.inequalities()
    A, P, stack = program.A, program.P, sparse_vstack if issparse(program.P) else np.vstack
    free = [(None, None)] * program.dimension
    some = linprog(np.zeros(program.dimension), G, h, A, program.b, free)
    if some.status == 2:
        return "the constraints contradict each other: no point satisfies them all"
    # A direction along which nothing bends, nothing forbids and the objective falls.
    along = linprog(
        program.q,
        G,
        np.zeros(len(h)),
        stack([A, P]),
        np.zeros(A.shape[0] + P.shape[0]),
        [(-1.0, 1.0)] * program.dimension,
    )
    scale = max(1.0, float(np.abs(program.q).max(initial=0.0)))
    if along.status == 0 and along.fun < -1e-9 * scale:
        return "the objective has no lower bound on the points that satisfy the constraints"
    return ""
