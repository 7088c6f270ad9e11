r"""
Gradient descent, L-BFGS and Newton in a narrow valley
======================================================

The quadratic :math:`f(x) = \tfrac12 \sum_j a_j x_j^2` is a valley, much steeper in some directions
than in others. Gradient descent (optim.01) crawls along it or keeps crossing it; L-BFGS (optim.10)
learns its shape from the gradients it has seen; Newton's method (optim.09) knows the shape and
arrives in one step.

Every solver is a frozen value and the loop that runs it is written once, in
:func:`margin.optim.minimise`, so the runs differ in one argument.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin import optim


def quadratic(curvatures):
    """Return the valley with the given curvatures along its axes."""
    return optim.Function(
        lambda x: (0.5 * x @ (curvatures * x), curvatures * x),
        len(curvatures),
        hessian=lambda x: np.diag(curvatures),
    )


def run(curvatures, start):
    """Minimise the valley with every solver."""
    solvers = {
        "gradient descent, step 1/L": optim.GradientDescent(step_length=1 / curvatures.max()),
        "gradient descent, line search": optim.GradientDescent(),
        "L-BFGS": optim.LBFGS(),
        "Newton": optim.Newton(),
    }
    problem = quadratic(curvatures)
    return {
        name: optim.minimise(problem, solver, start, trace=True) for name, solver in solvers.items()
    }


# %%
# In two dimensions we can look at the paths; in a hundred, with curvatures from 1 to 300, the
# solvers have something to do. Each leaves behind how it ended and how good its answer is.

plane = run(np.array([1.0, 30.0]), np.array([-1.8, 0.45]))
hundred = run(np.geomspace(1, 300, 100), np.ones(100))
for name, solution in hundred.items():
    print(f"{name:30} {solution.status.value} in {solution.n_iter:4} steps, {solution.certificate}")

# %%
# The number of steps that gradient descent needs grows in proportion to the ratio of the largest
# curvature :math:`L` to the smallest. A fixed step above :math:`2/L` would diverge.

colours = ["#e4572e", "#f2b134", "#2a9d5c", "#2e86ab"]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")

x1, x2 = np.meshgrid(np.linspace(-2.05, 0.65, 200), np.linspace(-0.62, 0.62, 200))
height = 0.5 * (x1**2 + 30 * x2**2)
levels = np.geomspace(0.02, 8, 12)
left.contour(x1, x2, height, levels=levels, colors="grey", linewidths=0.6, alpha=0.7)
for solution, colour in zip(plane.values(), colours, strict=True):
    left.plot(*solution.trace["x"].T, "o-", ms=3.5, lw=1.3, color=colour)
for (name, solution), colour in zip(hundred.items(), colours, strict=True):
    gap = np.maximum(solution.trace["objective"], 1e-20)  # the minimum is zero
    right.loglog(np.arange(len(gap)) + 1, gap, lw=2, color=colour, label=name)
left.plot(0, 0, marker="*", ms=14, color="black", zorder=5)
left.set(xlabel="$x_1$", ylabel="$x_2$", title="paths in two dimensions")
right.set(
    xlabel="iteration + 1", ylabel="objective above its minimum", title="a hundred dimensions"
)
right.set(xlim=(1, 6000), ylim=(1e-13, 1e4))
right.grid(alpha=0.3)
figure.legend(loc="outside lower center", ncols=4, frameon=False)
plt.show()
