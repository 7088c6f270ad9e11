"""Quadratic programs by the Clarabel library."""

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array, triu, vstack

from margin.optim.programs._interior_point import PrimalDual
from margin.optim.programs._quadratic_program import QuadraticProgram


def clarabel_point(
    program: QuadraticProgram, tol: float, max_iter: int
) -> tuple[PrimalDual, int, str]:
    """Point with multipliers, number of iterations and Clarabel's word on how it ended.

    The inequalities keep the order of :meth:`QuadraticProgram.inequalities`; sparse matrices stay
    sparse.
    """
    import clarabel

    low, high = np.isfinite(program.lower), np.isfinite(program.upper)
    eye = csr_array(eye_array(program.dimension))
    rows = vstack([csr_array(program.A), csr_array(program.G), -eye[low], eye[high]], format="csc")
    side = np.concatenate([program.b, program.h, -program.lower[low], program.upper[high]])
    m = len(program.b)
    cones = [clarabel.ZeroConeT(m)] if m else []
    if len(side) > m:
        cones.append(clarabel.NonnegativeConeT(len(side) - m))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = max_iter
    for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas"):
        setattr(settings, name, min(tol, 1e-8) * 0.1)
    upper = csc_array(triu(csc_array(program.P)))
    answer = clarabel.DefaultSolver(upper, program.q, rows, side, cones, settings).solve()
    price, slack = np.asarray(answer.z), np.asarray(answer.s)
    at = PrimalDual(np.asarray(answer.x), price[:m], np.maximum(price[m:], 0.0), slack[m:])
    return at, int(answer.iterations), str(answer.status)
