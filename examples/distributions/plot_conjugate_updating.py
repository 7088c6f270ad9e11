r"""
Conjugate updating: a belief learns, batch by batch
===================================================

A conjugate belief (distributions.31) stays of its kind while data come in. Batch by batch or all at
once, the end is the same (distributions.27); what the prior said fades like one over the number of
observations (distributions.26).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.distributions import (
    Bernoulli,
    BetaBernoulli,
    DeltaPosterior,
    Normal,
    NormalInverseGamma,
    map_ml_gap,
)

tosses = Bernoulli(0.7).sample(200, 0)
theta = np.linspace(0.001, 0.999, 500)
stubborn = BetaBernoulli(8.0, 12.0)

one_by_one, step = 0.0, stubborn
for toss in tosses:
    one_by_one += float(step.predictive().log_prob(toss))
    step = step.posterior([toss])
print(f"log evidence {float(stubborn.log_evidence(tosses)):.6f}, one by one {one_by_one:.6f}")

# %%
# The same tosses seen from a prior that expected 0.4; and the gap between the most probable and
# the most likely value, which falls like one over their number.

fig, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
shades = plt.get_cmap("Blues")(np.linspace(0.35, 1.0, 4))
for n, colour in zip((0, 10, 50, 200), shades, strict=True):
    belief = stubborn.posterior(Bernoulli.statistics(tosses[:n]))
    density = np.exp(belief.distribution.log_prob(theta))
    axes[0].plot(theta, density, color=colour, label=f"after {n}")
axes[0].axvline(0.7, color="0.6", lw=1, ls=":")
axes[0].set(title="Belief about a probability", xlabel="probability", ylabel="density")
axes[0].legend(frameon=False)

report = map_ml_gap(Bernoulli, stubborn, tosses, [4, 8, 16, 32, 64, 128, 200])
axes[1].loglog(report.n, report.gap, "o-", color="#3b6fb6", label="gap")
axes[1].loglog(report.n, 4 / report.n, color="0.6", ls=":", label="1/n")
axes[1].set(title="Most probable against most likely", xlabel="observations", ylabel="distance")
axes[1].legend(frameon=False)

# %%
# Few observations of unknown mean and variance: the prediction that integrates both out has heavier
# tails than the one that puts all belief at its mode (distributions.28).

x = np.array([1.2, 2.9, 2.2, 4.1])
prior = NormalInverseGamma(0.0, 0.5, 1.0, 1.0)
grid = np.linspace(-6, 10, 500)
crude = DeltaPosterior.of(Normal, prior, x).predictive()
full = prior.posterior(x).predictive()

fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.plot(grid, np.exp(full.log_prob(grid)), color="#3b6fb6", label="integrated out")
ax.plot(grid, np.exp(crude.log_prob(grid)), color="#c8553d", label="at the mode")
ax.plot(x, np.zeros_like(x), "k|", ms=12, label="observed")
ax.set(title="Prediction of the next observation", xlabel="x", ylabel="density")
ax.legend(frameon=False)
