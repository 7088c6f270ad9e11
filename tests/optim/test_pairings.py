"""Every solver with every loss and penalty: the reference optimum, or an early refusal.

A wrong pairing is refused by name before the first step; a right one ends at
the optimum that an independent method finds. The reference of a piecewise linear loss is a
quadratic program, that of a smooth one a bounded search in positive and negative parts (optim.19,
linear.01, losses.03).
"""

import re
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import LinearProblem, QuadraticProgram, minimise, solve_qp

N, P, K = 30, 2, 3
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, P)) + 0.2
Z = X @ [1.0, -1.5]
LABEL = (Z + RNG.logistic(size=N) > 0).astype(float)
VALUE = Z + 0.5 * RNG.standard_t(3, size=N)
COUNT = RNG.poisson(np.exp(0.3 * Z)).astype(float)
CODE = np.argmax(X @ RNG.normal(size=(P, K)) + RNG.gumbel(size=(N, K)), axis=1)
SHARE = np.full(N, 1.0 / N)
OMEGA = np.array([[2.0, 0.5], [0.5, 1.0]])

LOSSES = {
    type(loss).__name__: loss
    for loss in (
        losses.Squared(),
        losses.FullSquared(),
        losses.Logistic(),
        losses.Softmax(),
        losses.Hinge(),
        losses.SquaredHinge(),
        losses.Perceptron(),
        losses.Exponential(),
        losses.ModifiedHuber(),
        losses.EpsilonInsensitive(0.2),
        losses.SquaredEpsilonInsensitive(0.2),
        losses.Absolute(),
        losses.Huber(0.7),
        losses.Tukey(2.0),
        losses.Quantile(0.3),
        losses.Poisson(),
        losses.Gamma(),
        losses.SymmetricCrossEntropy(),
        losses.ZeroOne(),
        losses.CostMatrix.symmetric(K),
    )
}
PENALTIES = {
    "L2": penalties.L2(0.4),
    "L1": penalties.L1(0.05),
    "ElasticNet": penalties.ElasticNet(0.05, 0.3),
    "Quadratic": penalties.Quadratic(OMEGA, 0.4),
    "L2Ball": penalties.L2Ball(0.3),
}
SOLVERS = {
    "GradientDescent": optim.GradientDescent(1e-5, 5000),
    "GradientDescent-wolfe": optim.GradientDescent(1e-5, 5000, "wolfe"),
    "GradientDescent-exact": optim.GradientDescent(1e-5, 5000, "exact"),
    "GradientDescent-taylor": optim.GradientDescent(1e-5, 5000, "taylor"),
    "HeavyBall": optim.HeavyBall(1e-5, 5000),
    "Nesterov": optim.Nesterov(1e-5, 5000),
    "Rprop": optim.Rprop(1e-4, 5000),
    "NonlinearCG": optim.NonlinearCG(1e-6),
    "BFGS": optim.BFGS(1e-6),
    "LBFGS": optim.LBFGS(1e-6),
    "Newton": optim.Newton(1e-7),
    "NewtonCG": optim.NewtonCG(1e-7),
    "IRLS": optim.IRLS(1e-7, 500),
    "ProximalGradient": optim.ProximalGradient(1e-6, 5000),
    "FISTA": optim.FISTA(1e-6, 5000),
    "CoordinateDescent": optim.CoordinateDescent(1e-9),
    "DualNewton": optim.DualNewton(1e-9),
    "Subgradient": optim.Subgradient(0.05, 20_000, radius=2.5),
    "SGD": optim.SGD(1e-3, 300),
    "MomentumSGD": optim.MomentumSGD(1e-3, 300),
    "Adam": optim.Adam(1e-3, 300),
    "SAG": optim.SAG(1e-5, 500, step_length=0.02),
    "SAGA": optim.SAGA(1e-5, 500),
}
STOCHASTIC = {"SGD", "MomentumSGD", "Adam"}
PIECEWISE = {"Hinge", "Perceptron", "EpsilonInsensitive", "Absolute", "Quantile"}


def stated(loss, penalty):
    form = LOSSES[loss].form
    y = {"margin": LABEL, "residual": VALUE, "counts": COUNT, "classes": CODE}[form]
    y = y + 0.5 if loss == "Gamma" else y  # above zero
    outputs = K if form == "classes" else 1
    return LinearProblem(
        X, y, SHARE, LOSSES[loss], PENALTIES[penalty], intercept=False, n_outputs=outputs
    )


def pieces(loss, y):
    """Slopes and offsets of the straight pieces of a loss, one row per piece."""
    sign = np.where(y > 0, 1.0, -1.0)
    one, q, eps = np.ones(N), 0.3, 0.2
    return {
        "Hinge": [(0 * one, 0 * one), (-sign, one)],
        "Perceptron": [(0 * one, 0 * one), (-sign, 0 * one)],
        "Absolute": [(one, -y), (-one, y)],
        "EpsilonInsensitive": [(0 * one, 0 * one), (one, -y - eps), (-one, y - eps)],
        "Quantile": [(-q * one, q * y), ((1 - q) * one, -(1 - q) * y)],
    }[loss]


@cache
def reference(loss, penalty):
    """Minimum of a convex pair by a method of another kind; nothing where there is none."""
    problem = stated(loss, penalty)
    if not problem.loss.convex or problem.loss.piecewise_constant:
        return None
    if loss in PIECEWISE:
        return None if penalty == "L2Ball" else by_program(loss, penalty, problem)
    return by_parts(penalty, problem)


def strengths(penalty):
    """Strength of absolute values and matrix of squares of a penalty."""
    p = PENALTIES[penalty]
    return {
        "L2": lambda: (0.0, p.alpha * np.eye(P)),
        "L1": lambda: (p.alpha, np.zeros((P, P))),
        "ElasticNet": lambda: (p.l1, p.l2 * np.eye(P)),
        "Quadratic": lambda: (0.0, p.alpha * OMEGA),
    }[penalty]()


def by_program(loss, penalty, problem):
    """Positive parts, negative parts and one bound per row on its loss."""
    l1, square = strengths(penalty)
    big = np.zeros((2 * P + N, 2 * P + N))
    big[: 2 * P, : 2 * P] = np.block([[square, -square], [-square, square]])
    q = np.concatenate([np.full(2 * P, l1), SHARE])
    rows, sides = [], []
    for slope, offset in pieces(loss, problem.y):
        image = slope[:, None] * X
        rows.append(np.hstack([image, -image, -np.eye(N)]))
        sides.append(-offset)
    lower = np.concatenate([np.zeros(2 * P), np.full(N, -np.inf)])
    program = QuadraticProgram(big, q, G=np.vstack(rows), h=np.concatenate(sides), lower=lower)
    return solve_qp(program, tol=1e-9).objective


def by_parts(penalty, problem):
    """Smooth loss: SciPy on positive and negative parts, or under the constraint itself."""
    d = problem.dimension
    shape = (P, problem.n_outputs)
    if penalty == "L2Ball":
        plain = stated_without_penalty(problem)
        limit = {"type": "ineq", "fun": lambda w: 0.3 - w @ w, "jac": lambda w: -2 * w}
        fun = [
            minimize(
                plain,
                start,
                jac=True,
                constraints=limit,
                method="SLSQP",
                options={"ftol": 1e-13, "maxiter": 500},
            ).fun
            for start in (np.zeros(d), np.full(d, 0.01))
        ]
        return min(fun)
    l1 = strengths(penalty)[0]
    smooth = LinearProblem(
        X,
        problem.y,
        SHARE,
        problem.loss,
        without_kink(penalty),
        intercept=False,
        n_outputs=shape[1],
    )

    def expand(u):
        local = smooth.expand(u[:d] - u[d:])
        slope = np.concatenate([local.gradient, -local.gradient]) + l1
        return local.value + l1 * u.sum(), slope

    found = minimize(
        expand,
        np.full(2 * d, 0.1),
        jac=True,
        bounds=[(0, None)] * (2 * d),
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5000, "maxfun": 50_000},
    )
    return found.fun


def stated_without_penalty(problem):
    free = LinearProblem(
        X,
        problem.y,
        SHARE,
        problem.loss,
        penalties.Zero(),
        intercept=False,
        n_outputs=problem.n_outputs,
    )

    def expand(w):
        local = free.expand(w)
        return local.value, local.gradient

    return expand


def without_kink(penalty):
    p = PENALTIES[penalty]
    return {"L1": lambda: penalties.Zero(), "ElasticNet": lambda: penalties.L2(p.l2)}.get(
        penalty, lambda: p
    )()


def attempt(problem, solver):
    """Solution, or nothing and the words of the refusal."""
    try:
        if isinstance(solver, optim.Solver):
            return minimise(problem, solver), ""
        return solver.run(problem), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_reaches_the_optimum_or_is_refused_before_any_work(solver, loss, penalty, monkeypatch):
    problem = stated(loss, penalty)
    calls = []
    expand = LinearProblem.expand
    monkeypatch.setattr(
        LinearProblem, "expand", lambda self, *a, **k: calls.append(1) or expand(self, *a, **k)
    )
    solution, refusal = attempt(problem, SOLVERS[solver])
    if solution is None:
        name = type(SOLVERS[solver]).__name__
        assert re.match(f"{name}: (problem|loss|penalty) must ", refusal), refusal
        assert not calls, "work was done before the refusal"
        return
    assert not problem.loss.piecewise_constant, "a loss without slopes was accepted"
    assert np.isfinite(solution.objective)
    best = reference(loss, penalty)
    if best is None:  # not convex: a stationary point is all there is to be had
        assert not problem.loss.convex
        if solver not in STOCHASTIC:
            assert solution.status is Status.CONVERGED
            assert np.abs(expand(problem, solution.x).gradient).max() < 1e-3
        return
    assert solution.objective >= best - 1e-6, "below the optimum: the reference is wrong"
    if solver in STOCHASTIC:
        start = expand(problem, np.zeros(problem.dimension)).value
        assert solution.objective <= best + 0.05 * max(start - best, 0.1)
        return
    slack = 0.05 if solver == "Subgradient" else 1e-5
    assert solution.status is Status.CONVERGED, solution.message
    assert solution.objective <= best + slack


def test_no_solver_is_left_out():
    """Whoever adds a solver adds it here."""
    found = {
        name
        for name in optim.__all__
        if isinstance(getattr(optim, name), type)
        and hasattr(getattr(optim, name), "requires")
        and not getattr(getattr(optim, name), "__abstractmethods__", frozenset())
    }
    assert found <= {type(solver).__name__ for solver in SOLVERS.values()}


def test_no_loss_is_left_out():
    found = {
        name
        for name in losses.__all__
        if isinstance(getattr(losses, name), type)
        and issubclass(getattr(losses, name), losses.Loss)
        and name != "Loss"
    }
    assert found == set(LOSSES)
