r"""
Newton, L-BFGS, SAGA and more: a race of solvers
================================================

One logistic regression (linear.32), eight ways to its minimum, each from zero:

.. math:: \frac1n \sum_i \log(1 + e^{-y_i x_i^\top w}) + \frac{\alpha}{2} \|w\|^2 .

An iteration is not the same work for all of them. Newton (optim.09) builds and factors a matrix,
L-BFGS (optim.10) and the accelerated gradient (optim.06) read the data once, and an epoch of SAGA
(optim.08) or stochastic gradients (optim.03) is as many small steps as there are rows. So the race
is shown twice: against iterations, and against the seconds they took where this page was built.
Seconds at this size say little about other sizes; the benchmark page has the measured ones.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from threadpoolctl import threadpool_limits

from margin import losses, optim, penalties

rng = np.random.default_rng(0)
n, p = 4000, 60
X = rng.standard_normal((n, p)) @ (0.5 * np.eye(p) + 0.5 * np.tri(p) / np.sqrt(p))
X *= np.geomspace(1, 0.15, p)
chance = 1 / (1 + np.exp(-X @ rng.standard_normal(p)))
y = (rng.uniform(size=n) < chance).astype(float)
problem = optim.LinearProblem(
    X, y, np.full(n, 1 / n), losses.Logistic(), penalties.L2(1e-3), intercept=False
)

# %%
# The objective is the same value for everybody, and so is the loop that runs them. A callback sees
# every iteration and notes the time; each solver has one thread. How low the objective can get is
# known from a Newton run to the limit of the arithmetic.

tol, limit = 1e-7, 400
solvers = {
    "gradient descent": optim.GradientDescent(tol, limit),
    "Nesterov": optim.Nesterov(tol, limit),
    "nonlinear conjugate gradients": optim.NonlinearCG(tol, limit),
    "L-BFGS": optim.LBFGS(tol, limit),
    "truncated Newton": optim.NewtonCG(tol, limit),
    "Newton": optim.Newton(tol, limit),
    "SAGA": optim.SAGA(tol, 60),
    "stochastic gradients": optim.SGD(tol, 60),
}
floor = optim.minimise(problem, optim.Newton(1e-14, 100)).objective


def race(solver):
    """Run a solver; return its solution and the seconds after every iteration."""
    clock = [time.perf_counter()]
    solution = optim.minimise(
        problem, solver, callback=lambda *_: clock.append(time.perf_counter())
    )
    return solution, np.array(clock) - clock[0]


with threadpool_limits(1):
    runs = {name: race(solver) for name, solver in solvers.items()}
for name, (solution, seconds) in runs.items():
    gap = solution.objective - floor
    print(
        f"{name:30} {solution.status.value:10} {solution.n_iter:4} iterations, "
        f"{1e3 * seconds[-1]:6.1f} ms, gap {max(gap, 0):.0e}"
    )

# %%
# Newton's curves bend down: near the minimum every step doubles the digits. Nesterov's momentum,
# conjugate directions and L-BFGS each need fewer iterations than plain gradients, because they
# learn something of the shape of the valley. SAGA remembers the last gradient of every row, so its
# noise dies out; that of plain stochastic gradients must be beaten by ever shorter steps, and after
# a useful first epoch they are still far away in the end.

palette = {
    "gradient descent": "#8a94a6",
    "Nesterov": "#b58db6",
    "nonlinear conjugate gradients": "#7a5c3e",
    "L-BFGS": "#2a9d5c",
    "truncated Newton": "#2e86ab",
    "Newton": "#173f5f",
    "SAGA": "#e4572e",
    "stochastic gradients": "#f2b134",
}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5), layout="constrained", sharey=True)
for name, (solution, seconds) in runs.items():
    gap = np.maximum(solution.trace["objective"] - floor, 1e-13)
    style = {"color": palette[name], "lw": 2, "marker": "o" if "Newton" in name else None, "ms": 4}
    left.loglog(np.arange(len(gap)) + 1, gap, label=name, **style)
    right.loglog(1e3 * seconds[1:], gap[1:], **style)
left.set(xlabel="iteration (or epoch) + 1", ylabel="objective above its minimum")
right.set(xlabel="milliseconds")
left.set(title="by iterations", ylim=(5e-14, 2))
right.set(title="by time")
for ax in (left, right):
    ax.grid(alpha=0.3)
figure.legend(loc="outside lower center", ncols=4, frameon=False)
plt.show()
