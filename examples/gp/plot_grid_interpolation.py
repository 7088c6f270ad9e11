r"""
Grid interpolation: between the nodes
=====================================

Values on a regular grid are interpolated by a sum of shifted copies of one function. Which one
decides how smooth the result is, how far a value reaches, and whether the values themselves or
coefficients computed from them by a *prefilter* (gp.10) are summed.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from margin.gp import GridInterpolator
from margin.kernels import RBF

image = load_digits().images[3]
fine = np.linspace(-0.49, 7.49, 200)
nearest = image[np.ix_(np.rint(fine).astype(int), np.rint(fine).astype(int))]
pictures = {"nearest node": nearest}
for name, title in {
    "linear": "linear: triangle kernel",
    "catmull-rom": "Catmull-Rom: no prefilter",
    "cubic": "cubic B-spline, prefiltered",
}.items():
    pictures[title] = GridInterpolator(image, method=name).resample(fine, fine)

figure, axes = plt.subplots(1, 4, figsize=(12, 3.3), layout="constrained")
for axis, (title, picture) in zip(axes, pictures.items(), strict=True):
    axis.imshow(picture, cmap="gray_r", vmin=0, vmax=16)
    axis.set_title(title)
    axis.set_axis_off()
plt.show()

# %%
# The answer to a single one among zeros is the *cardinal function*. The prefiltered B-spline is
# smooth to the second derivative but rings on, each swing about a quarter of the one before; the
# others end after one or two nodes. The Gaussian process with a wide kernel comes close to the sinc
# function.

pulse = np.zeros(21)
pulse[10] = 1.0
x = np.linspace(5.5, 14.5, 600)
colours = plt.cm.viridis(np.linspace(0, 0.85, 4))
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3.8), layout="constrained")
methods = {
    "linear": "linear",
    "Catmull-Rom": "catmull-rom",
    "cubic B-spline": "cubic",
    "Gaussian, length scale 1": RBF(1.0),
}
for colour, (label, method) in zip(colours, methods.items(), strict=True):
    line = GridInterpolator(pulse, method=method, boundary="zero")
    left.plot(x - 10, line(x), color=colour, label=label)
    right.semilogy(x - 10, np.maximum(np.abs(line(x)), 1e-6), color=colour)
left.plot(np.arange(-4, 5), pulse[6:15], "o", color="black", ms=4)
left.set(title="cardinal functions", xlabel="distance in nodes")
left.legend(fontsize=9)
right.set(title="how far a value reaches", xlabel="distance in nodes", ylim=(1e-4, 2))
plt.show()

# %%
# For the cubic B-spline the recursive prefilter replaces the values by coefficients once, in linear
# time; on five nodes a pulse becomes 3/26, -6/13, 45/26, -6/13, 3/26.

print(26 * GridInterpolator([0, 0, 1, 0, 0], method="cubic", boundary="zero").coefficients)
