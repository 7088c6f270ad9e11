r"""
Bayesian linear regression: honest error bars
=============================================

Bayesian linear regression (linear.16) predicts a distribution. Its spread has two parts: the noise
of the observations, and what the data have left open about the coefficients. The second part grows
where there were no data.

The strength of the prior and the variance of the noise are learned by maximising the evidence, the
probability of the data with the coefficients integrated out. The same number compares models: one
that is too simple cannot explain the data, one that is too flexible spreads its belief over data
that did not happen.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.linear import BayesianLinearRegression

rng = np.random.default_rng(5)
x = np.concatenate([rng.uniform(-1.0, 0.05, 32), rng.uniform(0.55, 1.0, 14)])
noise = 0.15


def truth(x):
    """Return the curve behind the data."""
    return np.sin(5 * x) + 0.4 * x


def bumps(x, count):
    """Return Gaussian bumps as wide as the distance between their centres."""
    centres, spacing = np.linspace(-1.2, 1.2, count, retstep=True)
    return np.exp(-0.5 * ((x[:, None] - centres) / spacing) ** 2)


y = truth(x) + noise * rng.standard_normal(x.size)

# %%
# One model per number of bumps. The evidence rises steeply until they can follow the curve and
# falls slowly after that; the error on the training rows hardly changes any more and cannot choose.

counts = np.arange(3, 19)
models = [BayesianLinearRegression().fit(bumps(x, count), y) for count in counts]
evidence = np.array([model.log_evidence_ for model in models])
error = [
    np.sqrt(np.mean((model.predict(bumps(x, count)) - y) ** 2))
    for model, count in zip(models, counts, strict=True)
]
best = int(np.argmax(evidence))
print(f"{counts[best]} bumps have the largest evidence, log p(y) = {evidence[best]:.2f}")
print(f"learned noise {np.sqrt(models[best].noise_variance_):.3f}, true noise {noise}")
print(models[best].fit_report_)

# %%
# ``predict_dist`` returns one normal distribution per row, with quantiles, densities and samples.

grid = np.linspace(-1.1, 1.1, 300)
prediction = models[best].predict_dist(bumps(grid, counts[best]))
low, high = prediction.quantile(0.025), prediction.quantile(0.975)

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.4), layout="constrained", width_ratios=(3, 2)
)
left.fill_between(grid, low, high, color="#2e86ab", alpha=0.2, lw=0, label="95 % of new data")
left.plot(grid, prediction.mean, color="#2e86ab", lw=2, label="mean")
left.plot(grid, truth(grid), color="black", lw=1, ls="--", label="truth")
left.scatter(x, y, s=18, color="#e4572e", zorder=3, label="data")
left.set(xlabel="$x$", ylabel="$y$", title=f"predictive distribution, {counts[best]} bumps")
left.set(xlim=(grid[0], grid[-1]), ylim=(-1.6, 1.9))
left.legend(loc="upper left", frameon=False, ncols=2)

right.plot(counts, evidence, "o-", color="#2a9d5c")
right.plot(counts[best], evidence[best], "o", ms=12, mfc="none", color="black")
right.set_xlabel("number of bumps")
right.set_xticks(counts[::3])
right.set_ylabel("log evidence", color="#2a9d5c")
right.set_title("evidence chooses, training error cannot")
twin = right.twinx()
twin.plot(counts, error, "s--", ms=4, color="#8a94a6")
twin.set_ylabel("training error", color="#8a94a6")
twin.set_ylim(bottom=0)
plt.show()
