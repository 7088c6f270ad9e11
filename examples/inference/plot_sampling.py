r"""
No-U-turn and Metropolis sampling of a narrow ridge
===================================================

Four chains each of :func:`~margin.inference.sample_nuts` (inference.25) and
:func:`~margin.inference.sample_metropolis` (inference.23) on the same normal law of twenty
dimensions, neighbours strongly correlated: where they go, how long they remember, and what their
draws are worth (inference.27).
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.inference import autocorrelation, sample_metropolis, sample_nuts

places = np.arange(20)
covariance = 0.97 ** np.abs(places[:, None] - places)
precision = np.linalg.inv(covariance)


def log_density(x):
    """Log density up to a constant, and its gradient."""
    gradient = -precision @ x
    return 0.5 * x @ gradient, gradient


runs = {
    "no U-turn": sample_nuts(log_density, np.zeros(20), random_state=0),
    "Metropolis": sample_metropolis(lambda x: log_density(x)[0], np.zeros(20), random_state=0),
}

# %%
# Left and middle: the last hundred states of the first chain, two neighbours of the twenty, on
# lines that hold one half and 95 % of the law. Right: the correlation of a chain with itself. The
# steps of Metropolis can only be as long as the ridge is narrow, so that it creeps and learns
# little of the shape of the law; journeys along the gradient cross it at once.

angle = np.linspace(0, 2 * np.pi, 200)
circle = np.linalg.cholesky(covariance[:2, :2]) @ np.array([np.cos(angle), np.sin(angle)])
fig, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for ax, (name, chains), colour in zip(axes, runs.items(), ("#3b6fb6", "#c8553d"), strict=False):
    for share in (0.5, 0.95):
        ax.plot(*(np.sqrt(-2 * np.log(1 - share)) * circle), color="#9aa5b1", linewidth=0.9)
    ax.plot(*chains.draws[0, -100:, :2].T, color=colour, linewidth=0.7, marker=".", markersize=5)
    ax.set(title=name, xlabel="$x_1$", ylabel="$x_2$", xlim=(-3.2, 3.2), ylim=(-3.2, 3.2))
    memory = autocorrelation(chains.draws[:, :, 0]).mean(axis=0)[:120]
    axes[2].plot(memory, color=colour, label=name)
axes[2].axhline(0, color="#9aa5b1", linewidth=0.8)
axes[2].set(title="memory of a chain", xlabel="steps apart", ylabel="correlation")
axes[2].legend(frameon=False)

# %%
# As many draws, but not as much worth: Metropolis has not met its own other chains.

for name, chains in runs.items():
    worth = chains.effective_size()
    print(
        f"{name:>10}: at least {worth.min():5.0f} effective draws of {chains.pooled.shape[0]},",
        end=" ",
    )
    print(f"largest R-hat {chains.r_hat().max():.3f}")
