r"""
Sandwich and Fisher intervals when the model is wrong
=====================================================

A normal distribution is fitted to data with heavier tails. The estimate still goes to the nearest
normal (distributions.25); how far it may be off is told by the sandwich
:math:`J^{-1} I J^{-1}/n`, not by Fisher's :math:`J^{-1}/n` (distributions.40).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.distributions import Laplace, Normal, sandwich_covariance

law, n, repeats, level = Laplace(0.0, 1.0), 150, 200, 0.9
truth = float(np.sqrt(law.var))
rng = np.random.default_rng(0)


def normal(theta):
    return Normal(theta[0], theta[1])


# %%
# Intervals for the standard deviation from many samples, by both covariances.

intervals = {True: [], False: []}
for _ in range(repeats):
    x = law.sample(n, rng)
    estimate = sandwich_covariance(normal, [x.mean(), x.std()], x)
    for robust, kept in intervals.items():
        low, high = estimate.interval(level, robust=robust)
        kept.append((low[1], high[1]))

fig, axes = plt.subplots(1, 2, figsize=(10, 4), sharex=True, layout="constrained")
for ax, (robust, kept) in zip(axes, intervals.items(), strict=True):
    ends = np.array(kept)
    hit = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    for i in range(60):
        ax.plot(ends[i], [i, i], color="#3b6fb6" if hit[i] else "#c8553d", lw=1)
    ax.axvline(truth, color="0.4", lw=1, ls=":")
    name = "Sandwich" if robust else "Fisher"
    ax.set(title=f"{name}: {hit.mean():.0%} hold it, {level:.0%} wanted", yticks=[])
    ax.set_xlabel("standard deviation")
    print(f"{name}: {hit.mean():.3f}")
