r"""
Solvers of logistic regression against time
===========================================

Every solver of :class:`~margin.linear.LogisticRegression` reaches the same minimum (linear.32), so
the choice is a matter of time. Here they run on two problems of the same objective,

.. math:: \frac1n \sum_i \log(1 + e^{-y_i (x_i^\top w + b)}) + \frac{1}{2 C n} \|w\|^2 ,

one dense with many more rows than columns, and one sparse with as many columns as rows. The curves
show how far the objective is above its minimum, against the seconds since the fit began, on one
thread of the machine that built this page. They start where the first iteration ended: preparing
the data and the first derivatives takes time too.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from margin import losses, optim, penalties

rng = np.random.default_rng(0)


def stated(X, scores):
    """The objective for C = 1, with labels drawn from the scores."""
    n = X.shape[0]
    scores = 2.0 * scores / np.std(scores)
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-scores))).astype(float)
    return optim.LinearProblem(X, y, np.full(n, 1 / n), losses.Logistic(), penalties.L2(1 / n))


n, p = 30_000, 50
mixing = np.eye(p) + 0.6 * rng.standard_normal((p, p)) / np.sqrt(p)
tall = rng.standard_normal((n, p)) @ mixing
dense = stated(tall, tall @ rng.standard_normal(p))

n, p = 8_000, 8_000
table = sparse.random(n, p, density=0.005, format="csr", random_state=0)
thin = stated(table, table @ (rng.standard_normal(p) * (rng.random(p) < 0.1)))

# %%
# The solvers are those that ``solver=`` names, with the same limits. A callback notes the time of
# every iteration; the trace holds the objective. Newton and iteratively reweighted least squares
# need the matrix of second derivatives, which has 64 million entries for the sparse problem: they
# only take part in the dense one.

FEW = {"newton": optim.Newton, "irls": optim.IRLS}
MANY = {
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "nonlinear-cg": optim.NonlinearCG,
    "gradient-descent": optim.GradientDescent,
    "fista": optim.FISTA,
    "saga": optim.SAGA,
    "coordinate-descent": optim.CoordinateDescent,
    "dual-newton": optim.DualNewton,
}
PATIENCE = 1.5  # seconds after which a solver is stopped


class OutOfTime(KeyboardInterrupt):
    """Ends a search as Ctrl-C does: the best point so far is kept."""


def race(problem, solver):
    """Seconds and objective after every iteration."""
    begun, clock = time.perf_counter(), [0.0]

    def tick(iteration, objective):
        clock.append(time.perf_counter() - begun)
        if clock[-1] > PATIENCE:
            raise OutOfTime

    if hasattr(solver, "run"):
        solution = solver.run(problem, callback=tick)
    else:
        solution = optim.minimise(problem, solver, callback=tick)
    objective = np.asarray(solution.trace["objective"])
    size = min(len(clock), len(objective))
    return np.array(clock[1:size]), objective[1:size], solution


runs = {}
with threadpool_limits(1):
    for name, problem, kinds in (("dense", dense, FEW | MANY), ("sparse", thin, MANY)):
        units = optim.standardised(problem)
        by_rows = ("irls", "saga", "coordinate-descent", "dual-newton")
        floor = optim.minimise(units, optim.NewtonCG(1e-12, 100)).objective
        for solver, kind in kinds.items():
            stated_for = problem if solver in by_rows else units
            runs[name, solver] = (*race(stated_for, kind(1e-9, 2000)), floor)

for (name, solver), (seconds, objective, _, floor) in runs.items():
    close = np.flatnonzero(objective - floor < 1e-6)
    when = f"{1e3 * seconds[close[0]]:7.1f} ms" if len(close) else "not yet"
    print(f"{name:7} {solver:19} within 1e-6 of the minimum after {when}")

# %%
# On the dense problem a step with the whole matrix of second derivatives costs little more than one
# with the gradient, and a handful of them is enough; reweighted least squares makes the same steps
# by a slower, more stable factorisation. On the sparse one, products with that matrix take its
# place, and L-BFGS, which learns the curvature from gradients, is not far behind. SAGA keeps up
# where rows are many and columns few. Gradient descent and FISTA pay for the difference between the
# curvatures of the directions. Dual coordinate steps are not the fastest, but know at every pass
# how far they are at most from the minimum.

palette = {
    "newton": "#173f5f",
    "irls": "#20639b",
    "newton-cg": "#2e86ab",
    "lbfgs": "#2a9d5c",
    "nonlinear-cg": "#8ab17d",
    "gradient-descent": "#8a94a6",
    "fista": "#b58db6",
    "saga": "#e4572e",
    "coordinate-descent": "#f2b134",
    "dual-newton": "#9b2226",
}
figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained", sharey=True)
titles = {"dense": "dense, 30 000 × 50", "sparse": "sparse, 8 000 × 8 000"}
for (name, solver), (seconds, objective, _, floor) in runs.items():
    ax = axes[0] if name == "dense" else axes[1]
    gap = np.maximum(np.minimum.accumulate(objective) - floor, 1e-13)
    style = {"color": palette[solver], "lw": 1.8, "marker": "o", "ms": 3}
    ax.loglog(1e3 * seconds, gap, label=solver, **style)
for ax, title in zip(axes, titles.values(), strict=True):
    ax.set(xlabel="milliseconds", title=title, ylim=(5e-14, 2))
    ax.grid(alpha=0.3)
axes[0].set_ylabel("objective above its minimum")
handles, labels = axes[0].get_legend_handles_labels()
figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
plt.show()
