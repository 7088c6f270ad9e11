"""Sparse codes of rows in a dictionary, each row on its own."""

from dataclasses import dataclass

import numpy as np

from margin import optim
from margin.core.types import Floats

ALGORITHMS = ("lasso_lars", "lasso_cd", "lars", "omp", "threshold")


@dataclass(frozen=True)
class Coding:
    """How rows are coded.

    ``alpha`` is the penalty of the lasso, the threshold, or the squared error at which matching
    pursuit ends; ``n_nonzero`` bounds the atoms of "lars" and "omp".
    """

    algorithm: str
    alpha: float = 1.0
    n_nonzero: int | None = None
    positive: bool = False
    max_iter: int = 1000


def sparse_codes(X: Floats, D: Floats, coding: Coding) -> tuple[Floats, int]:
    r"""Codes, and how many rows used up their steps (decomposition.15).

    ``"lasso_lars"``, ``"lasso_cd"``: :math:`\min_u \tfrac12 \|x - D^\top u\|^2 + \alpha \|u\|_1`,
    both by following the exact path from :math:`D D^\top`; ``"lars"``: least angle steps;
    ``"omp"``: orthogonal matching pursuit; ``"threshold"``: :math:`D x` shrunk by :math:`\alpha`.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    D : ndarray of shape (k, p)
        Atoms in rows.
    coding : Coding

    Examples
    --------
    >>> sparse_codes(np.array([[3.0, 0.5]]), np.eye(2), Coding("lasso_cd", 1.0))[0]
    array([[2., 0.]])
    """
    if coding.algorithm == "threshold":
        product = X @ D.T
        shrunk = np.maximum(np.abs(product) - coding.alpha, 0.0) * np.sign(product)
        return (np.maximum(shrunk, 0.0) if coding.positive else shrunk), 0
    if coding.algorithm == "omp":
        return _pursued(X, D, coding), 0
    if coding.algorithm == "lars":
        return _least_angles(X, D, coding), 0
    return _paths(X, D, coding)


def _paths(X: Floats, D: Floats, coding: Coding) -> tuple[Floats, int]:
    gram, product = D @ D.T, X @ D.T
    codes, cut = np.zeros((len(X), len(D))), 0
    for i, moments in enumerate(product):
        path = optim.gram_lars_path(
            gram,
            moments,
            alpha_min=coding.alpha,
            max_iter=coding.max_iter,
            positive=coding.positive,
        )
        codes[i] = path.at(coding.alpha)
        cut += len(path.alphas) > coding.max_iter and path.alphas[-1] > coding.alpha * (1 + 1e-9)
    return codes, cut


def _least_angles(X: Floats, D: Floats, coding: Coding) -> Floats:
    most = min(coding.n_nonzero or len(D), len(D))
    columns = np.ascontiguousarray(D.T)
    codes = np.zeros((len(X), len(D)))
    for i, row in enumerate(X):
        path = optim.lars_path(columns, np.ascontiguousarray(row), method="lar", max_iter=most)
        codes[i] = path.coefs[:, min(most, path.coefs.shape[1] - 1)]
    return codes


def _pursued(X: Floats, D: Floats, coding: Coding) -> Floats:
    """All rows at once: each adds the atom that its residual is most like, and solves again."""
    gram, product = D @ D.T, X @ D.T
    n, k = product.shape
    most = min(coding.n_nonzero or k, k)
    size = np.sqrt(np.diagonal(gram))
    usable = size > 0
    codes, chosen = np.zeros((n, k)), np.zeros((n, 0), dtype=np.intp)
    rows, left = np.arange(n), product.copy()
    goal = coding.alpha if coding.n_nonzero is None else 0.0
    energy = np.einsum("ij,ij->i", X, X)
    for _ in range(most):
        error = energy[rows] - np.einsum("ij,ij->i", codes[rows], product[rows] + left[rows])
        score = np.where(usable, np.abs(left[rows]), 0.0)
        np.put_along_axis(score, chosen, 0.0, axis=1)
        best = score.argmax(axis=1)
        helps = score[np.arange(len(rows)), best] > 1e-12 * np.sqrt(energy[rows]) * size[best]
        go = helps & (error > goal)
        rows, chosen, best = rows[go], chosen[go], best[go]
        if not len(rows):
            break
        chosen = np.column_stack([chosen, best])
        inner = gram[chosen[:, :, None], chosen[:, None, :]]
        inner += 1e-14 * np.trace(gram) / k * np.eye(chosen.shape[1])
        wanted = np.take_along_axis(product[rows], chosen, axis=1)
        values = np.linalg.solve(inner, wanted[:, :, None])[:, :, 0]
        fresh = np.zeros((len(rows), k))
        np.put_along_axis(fresh, chosen, values, axis=1)
        codes[rows] = fresh
        left[rows] = product[rows] - fresh @ gram
    return codes
