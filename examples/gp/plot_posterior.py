r"""
Gaussian process regression: functions as random variables
==========================================================

A Gaussian process (gp.01) is a distribution over functions. Its kernel says how alike the values at
two points are; data turn the prior into a posterior by the rules of the normal distribution, so
mean, spread and sample paths are all exact.

Without noise every path goes through the data (gp.02); with noise the data are smoothed (gp.03),
and one must tell the uncertainty of the function from that of a new observation.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.gp import GaussianProcessRegressor
from margin.kernels import RBF, White

rng = np.random.default_rng(3)
x = np.array([-3.2, -2.4, -1.0, 0.3, 0.9, 2.6])[:, None]
y = np.sin(1.5 * x[:, 0]) + 0.4 * x[:, 0]
grid = np.linspace(-5, 5, 300)[:, None]

# %%
# Before any data there is the prior: ``sample_y`` of a model that has not been fitted. With noise
# the hyper-parameters are learned by the marginal likelihood, and ``latent=True`` leaves the noise
# of a new observation out.

blue, red = "#2e86ab", "#e4572e"
kernel = 1.5 * RBF(1.0)
prior = GaussianProcessRegressor(kernel=kernel)
exact = GaussianProcessRegressor(kernel=kernel, alpha=0.0, optimizer=None).fit(x, y)

figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained", sharey=True)
axes[0].plot(grid, prior.sample_y(grid, 6, random_state=1), lw=1.2, color=blue, alpha=0.7)
axes[0].fill_between(grid[:, 0], -2 * 1.5**0.5, 2 * 1.5**0.5, color=blue, alpha=0.12, lw=0)
axes[0].set_title("prior: paths and two deviations")

mean, std = exact.predict(grid, return_std=True)
axes[1].plot(grid, exact.sample_y(grid, 6, random_state=2), lw=1, color=blue, alpha=0.5)
axes[1].plot(grid, mean, color="black", lw=1.6)
axes[1].fill_between(grid[:, 0], mean - 2 * std, mean + 2 * std, color=blue, alpha=0.15, lw=0)
axes[1].scatter(x, y, color=red, zorder=3)
axes[1].set_title("posterior without noise")

many = rng.uniform(-4, 3, size=(30, 1))
noisy = np.sin(1.5 * many[:, 0]) + 0.4 * many[:, 0] + 0.4 * rng.standard_normal(30)
model = GaussianProcessRegressor(kernel=1.0 * RBF(1.0) + White(0.1)).fit(many, noisy)
print(model.fit_report_)
for new, share in ((model.predict_dist(grid), 0.15), (model.predict_dist(grid, latent=True), 0.3)):
    low, high = new.interval(0.95)
    axes[2].fill_between(grid[:, 0], low, high, color=blue, alpha=share, lw=0)
axes[2].plot(grid, new.mean, color="black", lw=1.6)
axes[2].scatter(many, noisy, s=14, color=red, zorder=3)
axes[2].set_title("posterior with noise: function and new data")
for axis in axes:
    axis.set(xlabel="$x$", ylim=(-5, 5))
plt.show()

# %%
# The marginal likelihood as a function of length scale and noise: a peak, and a ridge of models
# that take everything for noise. With fewer data the ridge can become a peak of its own; restarts
# (``n_restarts_optimizer``) guard against it.

scales, noises = np.geomspace(0.15, 20, 60), np.geomspace(0.01, 5, 50)
variance = np.exp(model.kernel_.theta[0])
surface = np.array(
    [
        [model.log_marginal_likelihood(np.log([variance, scale, noise])) for scale in scales]
        for noise in noises
    ]
)
figure, axis = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
levels = surface.max() - np.geomspace(0.2, 60, 14)[::-1]
drawn = axis.contourf(scales, noises, surface, levels=levels, cmap="viridis", extend="both")
axis.plot(*np.exp(model.kernel_.theta[1:]), "o", color=red, label="found")
axis.set(xscale="log", yscale="log", xlabel="length scale", ylabel="noise variance")
axis.set_title("log marginal likelihood")
axis.legend(loc="upper left")
figure.colorbar(drawn)
plt.show()

# %%
# Leaving each datum out needs no refit: predictions of every datum from the others are a by-product
# of one factorisation.

held = model.loo_predict_dist()
inside = np.mean((noisy > held.quantile(0.05)) & (noisy < held.quantile(0.95)))
print(f"leave-one-out log density {model.loo_log_prob().mean():.3f} per datum")
print(f"{inside:.0%} of the data lie in their own 90 % interval")
