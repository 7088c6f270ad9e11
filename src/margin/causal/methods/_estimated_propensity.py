"""What matching gains because the propensity was estimated."""

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import solve_normal
from margin.core.types import Floats
from margin.neighbors import NearestNeighbors

# Rows of a neighbourhood in which covariates and outcome are held against each other.
NEIGHBOURS = 4


def variance_saved(data: EffectData, chance: Floats) -> float:
    r"""Variance that the effect of all rows loses when its logistic propensity is estimated.

    .. math:: \tfrac1n\, c^\top I^{-1} c,\qquad
        c = E\bigl[(1 - e)\,\mathrm{cov}(X, Y \mid e, 1) + e\,\mathrm{cov}(X, Y \mid e, 0)\bigr]

    with :math:`I = E[e (1 - e) X X^\top]` (Abadie and Imbens, 2016): what the fitted propensity
    balances by luck in this sample no longer differs between the partners. The covariances are
    those of the nearest rows of a level.

    Parameters
    ----------
    data : EffectData
        Rows of two levels.
    chance : ndarray of shape (n,)
        Propensity of the second level, by logistic regression on the covariates.
    """
    share, c = data.weight / data.weight.sum(), np.zeros(data.lines.shape[1])
    for level, factor in ((1, 1 - chance), (0, chance)):
        mine = np.flatnonzero(data.codes == level)
        n_near = min(NEIGHBOURS, len(mine))
        search = NearestNeighbors(n_neighbors=n_near).fit(chance[mine, None])
        near = mine[search.kneighbors(chance[:, None], return_distance=False)]
        X, y = data.lines[near], data.y[near]
        off = y - y.mean(axis=1, keepdims=True)
        c += (share * factor) @ (X * off[:, :, None]).sum(axis=1) / (n_near - 1)
    D = data.lines * (share * chance * (1 - chance))[:, None]
    return float(c @ solve_normal(D.T @ data.lines, c)) * float(share @ share)
