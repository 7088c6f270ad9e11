r"""
Expectation maximisation: step by step, with its bound
======================================================

The log-likelihood of a mixture is a bound plus a divergence (inference.29),

.. math:: \log p(x) = L(q, \theta) + \mathrm{KL}(q, p(h \mid x, \theta)).

The E step closes the gap, the M step lifts the bound (mixture.02, mixture.04): neither can lower
the likelihood. Here two means are looked for, weights and variances being known.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.inference import Soft, evidence_parts
from margin.mixture import known_variance_means

rng = np.random.default_rng(4)
x = np.concatenate([rng.normal(-1.0, 1.0, 60), rng.normal(1.2, 1.0, 90)])


def log_joint(means):
    """Log density of every row and component."""
    return -0.5 * (x[:, None] - means) ** 2 - 0.5 * np.log(2 * np.pi) - np.log(2)


# %%
# The path over the likelihood of all pairs of means, and the bound before and after every step.

path, shares, bounds, values = [np.array([0.6, 0.9])], [], [], []
for _ in range(12):
    share = Soft()(log_joint(path[-1])).share
    new = share.T @ x / share.sum(axis=0)
    shares.append(share)
    values.append(evidence_parts(log_joint(path[-1]), share).log_evidence.sum())
    bounds.append(evidence_parts(log_joint(new), share).bound.sum())
    path.append(new)
path = np.array(path)
answer = known_variance_means(x, path[0]).x
print("means found:", answer.round(3))

grid = np.linspace(-4, 4, 120)
surface = [[Soft()(log_joint(np.array([a, b]))).bound.sum() for a in grid] for b in grid]
fig, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
axes[0].contourf(grid, grid, surface, levels=24, cmap="Blues")
axes[0].plot(*path.T, "o-", color="#c8553d", ms=4, label="steps of EM")
axes[0].plot(*answer, "k*", ms=12, label="the maximum")
axes[0].plot(grid, grid, "k:", lw=0.8)
axes[0].set(xlabel="first mean", ylabel="second mean", title="log-likelihood")
axes[0].legend(frameon=True, loc="lower left")
steps = np.arange(len(values))
for i, (low, high) in enumerate(zip(bounds, values[1:], strict=False)):
    axes[1].plot([i, i + 0.5], [values[i], low], color="#c8553d", lw=1.5)
    axes[1].plot([i + 0.5, i + 1], [low, high], color="#3b6fb6", lw=1.5)
axes[1].plot(steps[:-1] + 0.5, bounds[:-1], "^", color="#c8553d", label="bound, after an M step")
axes[1].plot(steps, values, "o", color="#3b6fb6", label="log-likelihood, after an E step")
axes[1].set(xlabel="iteration", title="the E step closes what the M step left open")
axes[1].legend(frameon=False)
plt.show()
