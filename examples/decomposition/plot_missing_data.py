r"""
Probabilistic PCA: missing entries integrated out
=================================================

NaN means unobserved. Probabilistic PCA (decomposition.06) finds the likelihood of what is there,
without filling anything; afterwards each gap has an expectation given the rest of its row
(decomposition.05).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from margin.decomposition import ProbabilisticPCA

digits = load_digits().images.reshape(-1, 64)
rng = np.random.default_rng(0)
gaps = np.where(rng.random(digits.shape) < 0.4, np.nan, digits)

# %%
# Two fifths of all pixels are gone.

model = ProbabilisticPCA(n_components=15, tol=1e-5).fit(gaps)
print(model.fit_report_)
filled = model.impute(gaps)

fig, axes = plt.subplots(3, 8, figsize=(9, 3.6), layout="constrained")
for column in range(8):
    for row, table in enumerate((digits, gaps, filled)):
        axes[row, column].imshow(table[column].reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        axes[row, column].set(xticks=[], yticks=[])
        axes[row, column].set_facecolor("#c8d8e8")
for row, name in enumerate(("truth", "observed", "filled")):
    axes[row, 0].set_ylabel(name)
plt.show()

# %%
# The error on hidden pixels, against the mean of each pixel.

holes = np.isnan(gaps)
naive = np.broadcast_to(np.nanmean(gaps, axis=0), gaps.shape)
for name, guess in (("mean of the pixel", naive), ("probabilistic PCA", filled)):
    error = np.sqrt(np.mean((guess - digits)[holes] ** 2))
    print(f"{name:18s} root mean squared error {error:.2f}")
