"""From weights of kernels to better ones."""

import numpy as np

from margin.core.types import Floats
from margin.linalg import cholesky
from margin.optim.kernel_weights._trainer import MatrixStack, Trainer, WeightedMachines
from margin.optim.programs._quadratic_program import QuadraticProgram
from margin.optim.programs._solve_qp import solve_qp

MOST_FREE = 3000
NEGLIGIBLE = 1e-9


def radius(m: int, norm: float) -> float:
    r"""Norm of the weights: that of equal weights of sum one, :math:`m^{1/p - 1}`."""
    return float(np.power(float(m), 1.0 / norm - 1.0))


def largest_sum(norms: Floats, norm: float) -> float:
    r"""Largest :math:`\sum_m d_m g_m` over the weights that are allowed."""
    dual = np.inf if norm == 1 else 1.0 if np.isinf(norm) else norm / (norm - 1.0)
    top = float(norms.max(initial=0.0))
    scaled = norms / top if top > 0 else norms
    return top * radius(len(norms), norm) * float(np.linalg.norm(scaled, dual))


def closed_step(point: WeightedMachines, trainer: Trainer, norm: float) -> WeightedMachines | None:
    r"""Best weights for the present norms :math:`\|w_m\|^2 = d_m^2 g_m` of the parts.

    Minimising :math:`\sum_m \|w_m\|^2 / d_m` gives :math:`d_m \propto \|w_m\|^{2 / (p + 1)}`.
    """
    sizes = point.weights**2 * point.norms
    if not sizes.any():
        return None
    shares = (sizes / sizes.max()) ** (1.0 / (norm + 1.0))
    return trainer.at(shares * radius(len(shares), norm) / np.linalg.norm(shares, norm))


def newton_step(
    point: WeightedMachines, trainer: Trainer, rng: np.random.Generator
) -> WeightedMachines | None:
    """Least value of the quadratic model over the simplex, nearer where that was too far."""
    gradient, H = point.gradient, curvature(point, trainer.stack, rng)
    ridge = 1e-10 * max(float(np.trace(H)), float(np.abs(gradient).max()), 1e-300)
    H[np.diag_indices_from(H)] += ridge
    m = len(gradient)
    scale = float(np.abs(gradient).max()) or 1.0
    program = QuadraticProgram(
        H / scale, (gradient - H @ point.weights) / scale, np.ones((1, m)), [1.0], lower=0.0
    )
    target = solve_qp(program, solver="interior-point", tol=1e-10).x
    target = np.where(target > NEGLIGIBLE, target, 0.0)
    move = target / target.sum() - point.weights
    slope, length = float(gradient @ move), 1.0
    if not slope < 0:
        return None
    for _ in range(30):
        trial = trainer.at(_inside(point.weights + length * move))
        if trial.primal <= point.primal + 1e-4 * length * slope:
            return trial
        ahead = float(trial.gradient @ move)
        share = slope / (slope - ahead) if ahead > 0 else 0.5
        length *= min(max(share, 0.05), 0.7)
    return None


def _inside(weights: Floats) -> Floats:
    weights = np.where(weights > NEGLIGIBLE, weights, 0.0)
    return np.asarray(weights / weights.sum())


def curvature(point: WeightedMachines, stack: MatrixStack, rng: np.random.Generator) -> Floats:
    r"""Second derivative of the optimal value in the weights, while no row changes its kind.

    With the unbound rows :math:`S` of a machine and :math:`v_m = (K_m \beta)_S`, its coefficients
    answer a change of the weights by :math:`-P v_m`, where :math:`P` is the inverse of
    :math:`K_{SS}` on vectors of sum zero: :math:`H_{lm} = v_l^\top P v_m`.
    """
    total = np.zeros((len(point.weights),) * 2)
    K = stack.combined(point.weights)
    for k, free in enumerate(point.free):
        if len(free) < 2:
            continue
        if len(free) > MOST_FREE:
            free = np.sort(rng.choice(free, MOST_FREE, replace=False))
        inner = K[np.ix_(free, free)].astype(np.float64)
        inner = 0.5 * (inner + inner.T)
        factor = cholesky(inner, name="kernel matrix of the support vectors", max_jitter=1e-3)
        half = factor.half_solve(point.products[:, free, k].T)
        ones = factor.half_solve(np.ones(len(free)))
        half -= np.outer(ones, ones @ half) / (ones @ ones)
        total += half.T @ half
    return total
