"""Convex quadratic programs, solved."""

from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import issparse
from scipy.sparse import vstack as sparse_vstack

from margin.core import Certificate, Solution, Status, check
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim.programs._clarabel import clarabel_point
from margin.optim.programs._interior_point import Iterate, interior_points
from margin.optim.programs._qp_evidence import Evidence, evidence
from margin.optim.programs._quadratic_program import QuadraticProgram

KIND = "relative duality gap and residuals"


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
    chosen = _choose(solver, trace)
    if chosen == "clarabel":
        return _by_clarabel(program, tol, int(max_iter), callback)
    return _by_interior_point(program, tol, int(max_iter), callback, trace)


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


def _by_clarabel(
    program: QuadraticProgram, tol: float, max_iter: int, callback: Callback | None
) -> Solution:
    at, n_iter, word = clarabel_point(program, tol, max_iter)
    found = evidence(program, at)
    if callback is not None:
        callback(n_iter, found.primal)
    return _solution(
        program, at, found, tol, n_iter, {"objective": np.array([found.primal])}, "clarabel", word
    )


def _by_interior_point(
    program: QuadraticProgram, tol: float, max_iter: int, callback: Callback | None, trace: bool
) -> Solution:
    record: dict[str, list[Any]] = {"objective": [], "gap": [], "x": []}
    best: tuple[Iterate, Evidence] | None = None
    n_iter, word, stale = -1, "", 0
    try:
        for at in interior_points(program):
            with np.errstate(all="ignore"):  # what diverges is told by the status
                found = evidence(program, at)
            if not np.isfinite(found.worst):
                break
            n_iter += 1
            record["objective"].append(found.primal)
            record["gap"].append(found.gap)
            record["x"].append(at.x)
            stale = 0 if best is None or found.worst < 0.5 * best[1].worst else stale + 1
            if best is None or found.worst < best[1].worst:
                best = at, found
            if callback is not None and n_iter:
                callback(n_iter, found.primal)
            if found.worst <= tol or n_iter >= max_iter or stale > 30:
                break
    except KeyboardInterrupt:
        word = f"interrupted after {n_iter} iterations"
    except np.linalg.LinAlgError as error:
        word = f"the linear system broke down ({error})"
    if best is None:
        rows = np.zeros(len(program.inequalities()[1]))
        origin = Iterate(np.zeros(program.dimension), np.zeros(len(program.b)), rows, rows)
        best = origin, evidence(program, origin)
    if not trace:
        del record["x"]
    columns = {name: np.array(values) for name, values in record.items()}
    return _solution(program, *best, tol, max(n_iter, 0), columns, "interior-point", word)


def _solution(
    program: QuadraticProgram,
    at: Iterate,
    found: Evidence,
    tol: float,
    n_iter: int,
    trace: dict[str, Floats],
    solver: str,
    word: str,
) -> Solution:
    status, message = Status.CONVERGED, ""
    if found.worst > tol:
        reason = "" if word.startswith("interrupted") else _contradiction(program)
        status = Status.FAILED if reason else Status.MAX_ITER
        message = reason or (
            f"stopped after {n_iter} iterations{f' ({word})' if word else ''} with {KIND} of "
            f"{found.worst:.3g} above tol={tol:g}; scale the problem or raise tol"
        )
    return Solution(
        x=at.x,
        status=status,
        n_iter=n_iter,
        objective=found.primal,
        trace=trace,
        certificate=Certificate(KIND, found.worst, tol),
        solver=solver,
        message=message,
        extras={
            "multipliers": program.multipliers(at.equality, at.inequality),
            "dual": found.dual,
            "gap": found.gap,
            "stationarity": found.stationarity,
            "infeasibility": found.infeasibility,
        },
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
