r"""
Structural time series: trend, seasons and their future
=======================================================

Monthly numbers with a trend that bends, seasons, and half a year that is missing. The model
(sequence.38) learns how fast each part changes, takes the series apart, and forecasts with the
uncertainty of all parts.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.sequence import StructuralTimeSeries

rng = np.random.default_rng(3)
months = np.arange(120)
level = 20 + np.cumsum(0.15 + 0.25 * np.sin(months / 30.0) + 0.1 * rng.normal(size=120))
season = np.tile(4 * np.sin(2 * np.pi * np.arange(12) / 12) + 2 * (np.arange(12) == 11), 10)
series = level + season + 0.8 * rng.normal(size=120)
series[50:56] = np.nan

# %%
# The last two years are kept back, and the forecast is held against them.

model = StructuralTimeSeries(trend=True, seasonal=12).fit([series[:96]])
ahead, future = model.forecast(24), np.arange(96, 120)
parts = model.query(series[:96], "level"), model.query(series[:96], "seasonal")

fig, (top, bottom) = plt.subplots(2, 1, figsize=(9, 5.4), sharex=True, layout="constrained")
top.plot(months, series, ".", color="k", ms=4, label="seen (grey: kept back)")
top.plot(future, series[96:], ".", color="0.6", ms=5)
top.plot(parts[0].mean, color="#3b6fb6", label="level")
for width, shade in ((0.95, "#dce7f5"), (0.8, "#b9cfe9"), (0.5, "#8fb0d8")):
    low, high = ahead.interval(width)
    top.fill_between(future, low, high, color=shade, label=f"{width:.0%} of the forecast")
top.plot(future, ahead.mean, color="#1d4f8f")
top.legend(frameon=False, fontsize=8, loc="upper left")
bottom.plot(season, color="0.7", lw=3, label="true seasons")
bottom.plot(parts[1].mean, color="#d1812c", label="seasons, smoothed")
bottom.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
bottom.set(xlabel="month", ylim=(-5, 7))
plt.show()
