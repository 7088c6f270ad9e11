r"""
Kalman filter and smoother: a track behind noise and gaps
=========================================================

A body moves in the plane with nearly constant speed; its position is seen with noise, and for a
while not at all. The filter (sequence.33) knows the past of every moment, the smoother
(sequence.35) its future too: the gap is bridged with less doubt.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.inference import LinearSystem, kalman_filter, kalman_smoother, simulate

step = np.kron(np.array([[1.0, 1.0], [0.0, 1.0]]), np.eye(2))
push = np.kron(np.array([[1 / 3, 1 / 2], [1 / 2, 1.0]]), 0.02 * np.eye(2))
see = np.hstack([np.eye(2), np.zeros((2, 2))])
body = LinearSystem(step, see, push, 4.0 * np.eye(2), [0, 0, 1.0, 0.5], 0.1 * np.eye(4))

states, seen = simulate(body, 100, np.random.default_rng(6))
seen[45:65] = np.nan

# %%
# Means and one standard deviation, by the same system that made the track.

past, whole = kalman_filter(body, seen), kalman_smoother(body, seen)

fig, (plane, doubt) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
plane.plot(*states[:, :2].T, color="0.6", lw=3, label="truth")
plane.plot(*seen.T, ".", color="k", ms=4, label="seen")
plane.plot(*past.mean[:, :2].T, color="#d1812c", lw=1.2, label="filter")
plane.plot(*whole.mean[:, :2].T, color="#3b6fb6", lw=1.8, label="smoother")
plane.set(xlabel="east", ylabel="north", title="Track")
plane.legend(frameon=False)
for found, color, name in ((past, "#d1812c", "filter"), (whole, "#3b6fb6", "smoother")):
    doubt.plot(np.sqrt(found.cov[:, 0, 0]), color=color, label=name)
doubt.axvspan(45, 64, color="0.92", label="nothing seen")
doubt.set(xlabel="step", ylabel="standard deviation of the position", title="Doubt")
doubt.legend(frameon=False)
plt.show()
