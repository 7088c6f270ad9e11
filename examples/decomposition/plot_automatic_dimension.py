r"""
Bayesian PCA: how many components?
==================================

Bayesian PCA (decomposition.07) starts with all components and switches off those that the data
do not need: their relevance, the precision of the prior of their loadings, grows without end.
"""

import matplotlib.pyplot as plt
import numpy as np

from margin.decomposition import PCA, BayesianPCA

rng = np.random.default_rng(3)
axes_true = np.linalg.qr(rng.normal(size=(12, 4)))[0] * [3.5, 2.5, 1.8, 1.3]
X = rng.normal(size=(200, 4)) @ axes_true.T + rng.normal(size=(200, 12))

# %%
# Four directions stand out of the noise. The variances fall smoothly, the relevances do not.

model = BayesianPCA().fit(X)
print(
    f"Bayesian PCA keeps {model.n_components_}, Minka's evidence {PCA('mle').fit(X).n_components_}"
)

fig, axes = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
axes[0].bar(np.arange(1, 13), PCA().fit(X).explained_variance_, color="#3b6fb6")
axes[0].axhline(1.0, color="black", lw=1, ls=":")
axes[0].set(title="Variances of principal components", xlabel="component")
kept = model.determined_ > 0.5
places = np.arange(1, len(kept) + 1)
axes[1].bar(places[kept], 1 / model.relevance_[kept], color="#c8553d", label="kept")
axes[1].bar(places[~kept], 1 / model.relevance_[~kept], color="#b9c7d8", label="switched off")
axes[1].set(title="Prior variance of the loadings, learnt", xlabel="component", yscale="log")
axes[1].legend(frameon=False)
plt.show()

# %%
# The same with fewer and fewer rows: what cannot be told from noise is left out.

for n in (200, 100, 50, 25):
    print(f"{n:4d} rows: {BayesianPCA().fit(X[:n]).n_components_} components")
