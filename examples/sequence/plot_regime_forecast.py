r"""
Switching autoregression: regimes and a forecast with fans
==========================================================

A series that is calm at times and wild at others. The model (sequence.31) finds both laws and the
probability of each at every step. Its forecast is a mixture over the paths that the regimes may
take: the fan of a calm day opens slowly, for the wild regime may return.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import SwitchingAutoRegression

rng = np.random.default_rng(4)
series, wild, now = np.zeros(320), np.zeros(320, dtype=bool), False
for t in range(1, 320):
    now = (not now) if rng.random() < 0.03 else now
    wild[t] = now
    mean = 1.0 - 0.4 * series[t - 1] if now else 0.85 * series[t - 1]
    series[t] = mean + (1.6 if now else 0.35) * rng.normal()

# %%
# Fans from two moments, one in each regime, out of what was known then.

model = SwitchingAutoRegression(2, 1, random_state=0).fit([series])
share = model.predict_proba([series], kind="filtered")[0][:, 1]
moments = [int(np.flatnonzero(share[200:290] < 0.05)[-1]) + 201,
           int(np.flatnonzero(share[200:290] > 0.95)[-1]) + 201]  # fmt: skip

fig, axes = plt.subplots(3, 1, figsize=(9, 7), layout="constrained")
axes[0].plot(series, color="0.35", lw=0.8)
axes[0].fill_between(
    np.arange(1, 320), -7, 7, where=share > 0.5, color="#f4ddc4", label="probably wild"
)
axes[0].legend(frameon=False, loc="upper left")
axes[0].set(ylim=(-7, 7), title="Series and the regime known at the time")
for ax, moment in zip(axes[1:], moments, strict=True):
    ahead, steps = model.forecast(25, series[: moment + 1]), np.arange(moment + 1, moment + 26)
    for width, shade in ((0.95, "#dce7f5"), (0.8, "#b9cfe9"), (0.5, "#8fb0d8")):
        ax.fill_between(steps, *ahead.interval(width), color=shade, label=f"{width:.0%}")
    ax.plot(steps, ahead.mean, color="#1d4f8f")
    ax.plot(np.arange(moment - 40, moment + 1), series[moment - 40 : moment + 1], color="k", lw=0.9)
    ax.plot(steps, series[moment + 1 : moment + 26], ".", color="0.5", ms=4)
    ax.set(ylim=(-7, 7), title=f"From a {'wild' if share[moment - 1] > 0.5 else 'calm'} moment")
axes[1].legend(frameon=False, ncols=3, loc="upper left")
plt.show()
