"""
Bayesian optimisation: where to look next
=========================================

An expensive function is minimised by asking a Gaussian process of what was seen so far. Expected
improvement weighs two reasons to look somewhere: the mean is low there, or little is known.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.gp import GaussianProcessOptimizer, expected_improvement


def cost(x):
    """Two valleys; the narrow one is the deeper."""
    return np.sin(3 * x) + 0.15 * (x - 1) ** 2 - np.exp(-8 * (x - 3.6) ** 2)


search = GaussianProcessOptimizer({"x": (-3.0, 5.0)}, n_initial=4, noise=0.0, random_state=1)
line = np.linspace(-3, 5, 400)
shares = np.array([search.space.encode({"x": v}) for v in line])
blue, red = "#2e86ab", "#e4572e"

figure, axes = plt.subplots(2, 3, figsize=(12, 5.2), layout="constrained", sharex=True)
for column, calls in enumerate((5, 3, 8)):
    search.minimise(cost, calls)
    model = search.model()
    mean, std = model.predict(shares, return_std=True)
    top, bottom = axes[:, column]
    top.plot(line, cost(line), "--", color="black", lw=1, label="function")
    top.plot(line, mean, color=blue, label="mean")
    top.fill_between(line, mean - 2 * std, mean + 2 * std, color=blue, alpha=0.2)
    top.plot([p["x"] for p in search.params], search.values, "o", color=red, ms=5, label="seen")
    top.set_title(f"{len(search.values)} evaluations, best {search.best_value:.3f}")
    gain = expected_improvement(mean, std, search.best_value)
    bottom.fill_between(line, gain / gain.max(), color=red, alpha=0.4)
    bottom.set_xlabel("x")
axes[0, 0].set_ylabel("value")
axes[0, 0].legend(fontsize=8)
axes[1, 0].set_ylabel("expected improvement")
plt.show()

# %%
# The trace of the best value so far, against points chosen at random.

traces = []
for seed in range(5):
    one = GaussianProcessOptimizer({"x": (-3.0, 5.0)}, n_initial=4, noise=0.0, random_state=seed)
    one.minimise(cost, 16)
    traces.append(np.minimum.accumulate(one.values))
blind = np.random.default_rng(0).uniform(-3, 5, size=(200, 16))
figure, axis = plt.subplots(figsize=(6, 3.6), layout="constrained")
axis.plot(np.arange(1, 17), np.mean(traces, axis=0), color=blue, label="Gaussian process")
axis.plot(
    np.arange(1, 17),
    np.minimum.accumulate(cost(blind), axis=1).mean(axis=0),
    color="grey",
    label="random",
)
axis.axhline(cost(np.linspace(-3, 5, 100_001)).min(), color="black", lw=0.8, ls=":")
axis.set(xlabel="evaluations", ylabel="best value so far, on average")
axis.legend()
plt.show()
