r"""
Smoothing spline: how smooth should a curve be?
===============================================

The smoothing spline (linear.18) minimises :math:`\sum_i (y_i - f(x_i))^2 + \alpha \int f''(x)^2 dx`
over all functions. The answer is a cubic spline with a knot at every abscissa, found in linear
time. Small :math:`\alpha` follows every point, large :math:`\alpha` gives the least-squares line,
and in between lies a curve that predicts. The trace of the hat matrix, the effective degrees of
freedom, measures where one stands between the two.

Generalised cross-validation chooses from the training rows alone. Since the truth is known here we
can draw what it estimates next to it: the error at new rows, which falls and rises again while the
training error only falls (plotting.08).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.linear import SmoothingSpline

rng = np.random.default_rng(11)
noise = 0.25


def truth(x):
    """Return a chirp: slow waves on the left, quick ones on the right."""
    return np.sin(2 * np.pi * (0.4 + x) ** 2.2)


x = np.sort(rng.uniform(0, 1.1, 120))
y = truth(x) + noise * rng.standard_normal(x.size)
x_new = rng.uniform(x[0], x[-1], 4000)
y_new = truth(x_new) + noise * rng.standard_normal(x_new.size)

chosen = SmoothingSpline().fit(x, y)
stiff, loose = SmoothingSpline(dof=4).fit(x, y), SmoothingSpline(dof=60).fit(x, y)
for name, model in (("chosen", chosen), ("too stiff", stiff), ("too loose", loose)):
    error = np.sqrt(np.mean((model.predict(x_new) - y_new) ** 2))
    print(f"{name:10} dof {model.dof_:5.1f}, alpha {model.alpha_:.2e}, error {error:.3f}")

# %%
# One fit per number of degrees of freedom. The score of generalised cross-validation is
# :math:`n \mathrm{RSS} / (n - \mathrm{dof})^2`, in the units of a mean squared error.

dofs = np.geomspace(2.5, 90, 45)
models = [SmoothingSpline(dof=dof).fit(x, y) for dof in dofs]
training = [np.sqrt(np.mean((model.predict(x) - y) ** 2)) for model in models]
held_out = [np.sqrt(np.mean((model.predict(x_new) - y_new) ** 2)) for model in models]
estimate = np.sqrt([model.gcv_ for model in models])

# %%
# The chosen curve is close to the best one, without having seen a new row.

blue, orange, green = "#2e86ab", "#e4572e", "#2a9d5c"
figure, (left, right) = plt.subplots(
    1, 2, figsize=(10.5, 4.6), layout="constrained", width_ratios=(3, 2)
)
grid = np.linspace(x[0], x[-1], 800)
left.scatter(x, y, s=14, color="#8a94a6", alpha=0.8)
left.plot(grid, loose.predict(grid), color="#f2b134", lw=1, label="60 degrees of freedom")
left.plot(grid, stiff.predict(grid), color=orange, lw=2, label="4 degrees of freedom")
left.plot(grid, chosen.predict(grid), color=blue, lw=2.5, label=f"chosen: {chosen.dof_:.1f}")
left.plot(grid, truth(grid), color="black", lw=1, ls="--", label="truth")
left.set(xlabel="$x$", ylabel="$y$", ylim=(-1.9, 2.6), title="three strengths of the penalty")
left.legend(frameon=False, loc="upper left", ncols=2)

right.semilogx(dofs, training, color="#8a94a6", lw=2, label="training rows")
right.semilogx(dofs, held_out, color=green, lw=2, label="new rows")
right.semilogx(dofs, estimate, color=blue, lw=2, ls="--", label="generalised cross-validation")
right.axvline(chosen.dof_, color=blue, lw=1)
right.axhline(noise, color="black", lw=0.8, ls=":")
right.text(2.6, noise + 0.01, "noise")
ticks = [3, 5, 10, 20, 40, 80]
right.set_xticks(ticks, [str(t) for t in ticks], minor=False)
right.set_xticks([], minor=True)
right.set(xlabel="effective degrees of freedom", ylabel="root mean squared error", ylim=(0, 0.8))
right.set_title("more freedom is not better")
right.legend(frameon=False, loc="upper right")
plt.show()
