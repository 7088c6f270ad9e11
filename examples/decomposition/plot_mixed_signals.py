r"""
Independent component analysis: signals that were mixed
=======================================================

Three sources reach three microphones in different strengths. Independent component analysis
(decomposition.16) finds the sources from the mixtures alone; principal components only remove
correlation.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.decomposition import FastICA

rng = np.random.default_rng(0)
t = np.linspace(0, 8, 1200)
sources = np.column_stack([np.sin(2 * t), np.sign(np.sin(3 * t)), 2 * ((t * 0.9) % 1) - 1])
sources += 0.08 * rng.normal(size=sources.shape)
mixing = np.array([[1.0, 1.0, 1.0], [0.5, 2.0, 1.0], [1.5, 1.0, 2.0]])
X = sources @ mixing.T

# %%
# Order, sign and scale of the sources are lost in the mixture; everything else comes back.

model = FastICA(random_state=0).fit(X)
centred = X - X.mean(axis=0)
principal = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
found = model.transform(X)
likeness = np.abs(np.corrcoef(sources.T, found.T)[:3, 3:])
print("correlation with the sources:", likeness.max(axis=1).round(3))

fig, axes = plt.subplots(4, 1, figsize=(10, 7), sharex=True, layout="constrained")
panels = {
    "sources": sources,
    "what the microphones hear": X,
    "principal components": principal,
    "independent components": found[:, likeness.argmax(axis=1)],
}
for ax, (title, rows) in zip(axes, panels.items(), strict=True):
    scaled = rows / rows.std(axis=0)
    for j, colour in enumerate(("#3b6fb6", "#c8553d", "#5a9367")):
        ax.plot(t, scaled[:, j] - 4 * j, color=colour, lw=1)
    ax.set(title=title, yticks=[])
axes[-1].set_xlabel("time")
plt.show()
