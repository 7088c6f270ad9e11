"""Two tables that share hidden variables: closed form, and EM where entries are missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from margin import linalg
from margin.core import Solution, missing
from margin.core.types import Floats, Places
from margin.decomposition.correlation._canonical import canonical_pairs
from margin.inference import Expectation, expectation_maximisation


@dataclass(frozen=True)
class SharedLatent:
    r"""Parameters of :math:`d = \mu + \Lambda z + \epsilon`, with noise in two blocks.

    ``noise`` is block-diagonal; the first ``split`` columns are the first table.
    """

    mean: Floats
    loadings: Floats
    noise: Floats
    split: int

    @property
    def covariance(self) -> Floats:
        """Of a row of both tables."""
        return self.loadings @ self.loadings.T + self.noise


@dataclass(frozen=True)
class Group:
    """Rows with the same observed columns: which, their weight, sum and scalar products."""

    columns: Places
    weight: float
    total: Floats
    square: Floats

    def __add__(self, other: "Group") -> "Group":
        """Rows of both, which have the same columns."""
        return Group(
            self.columns,
            self.weight + other.weight,
            self.total + other.total,
            self.square + other.square,
        )


def groups_of(D: Floats, weight: Floats | None = None) -> list[Group]:
    """All that the likelihood needs of a table, one entry per pattern of missing values.

    Examples
    --------
    >>> [g.weight for g in groups_of(np.array([[1.0, np.nan], [1.0, 2.0], [3.0, np.nan]]))]
    [2.0, 1.0]
    """
    groups = []
    for rows, columns in missing.patterns(D):
        part = D[np.ix_(rows, columns)]
        counted = part if weight is None else part * weight[rows, None]
        total = float(len(rows) if weight is None else weight[rows].sum())
        groups.append(Group(columns, total, counted.sum(axis=0), counted.T @ part))
    return groups


def all_groups(tables: Iterable[tuple[Floats, Floats | None]]) -> list[Group]:
    """Groups of the rows of several tables with weights, those of a pattern together.

    Examples
    --------
    >>> tables = np.array([[1.0, np.nan], [1.0, 2.0]]), np.array([[3.0, np.nan]])
    >>> groups = all_groups((table, None) for table in tables)
    >>> [(g.columns.tolist(), g.weight, g.total.tolist()) for g in groups]
    [([0], 2.0, [4.0]), ([0, 1], 1.0, [1.0, 2.0])]
    """
    known: dict[bytes, Group] = {}
    for table, weight in tables:
        for group in groups_of(table, weight):
            key = group.columns.tobytes()
            known[key] = known[key] + group if key in known else group
    return list(known.values())


def moments_of(groups: list[Group], n_columns: int) -> tuple[float, Floats, Floats]:
    """Weight, mean and scatter of all rows, with zeros where nothing was observed."""
    weight = sum(group.weight for group in groups)
    total, square = np.zeros(n_columns), np.zeros((n_columns, n_columns))
    for group in groups:
        total[group.columns] += group.total
        square[np.ix_(group.columns, group.columns)] += group.square
    return weight, total / weight, square - np.outer(total, total) / weight


def closed_form_groups(
    groups: list[Group], n_columns: int, split: int, n_components: int, ridge: float
) -> SharedLatent:
    """:func:`closed_form_fit` from sums over rows about their mean, up to rounding."""
    weight, mean, scatter = moments_of(groups, n_columns)
    values, axes = np.linalg.eigh(scatter)
    rows = np.sqrt(np.maximum(values, 0.0))[:, None] * axes.T
    return _shared(rows, mean, weight, split, n_components, ridge)


def closed_form_fit(
    D: Floats, split: int, n_components: int, ridge: float, weight: Floats | None = None
) -> SharedLatent:
    r"""Maximum likelihood for a complete table (decomposition.11).

    :math:`\Lambda_x = C_{xx} A P^{1/2}` and :math:`\Psi_x = C_{xx} - \Lambda_x \Lambda_x^\top` with
    the canonical directions :math:`A` and correlations :math:`P` (Bach and Jordan, 2005); ``ridge``
    is added to the variances first.
    """
    w = np.ones(len(D)) if weight is None else weight
    total = float(w.sum())
    mean = w @ D / total
    return _shared(np.sqrt(w)[:, None] * (D - mean), mean, total, split, n_components, ridge)


def _shared(
    centred: Floats, mean: Floats, weight: float, split: int, n_components: int, ridge: float
) -> SharedLatent:
    left, right = np.split(centred, [split], axis=1)
    pairs = canonical_pairs(left, right, weight, n_components, ridge)
    C = centred.T @ centred / weight + ridge * np.eye(centred.shape[1])
    root = np.sqrt(pairs.correlations)
    upper = C[:split, :split] @ pairs.x_directions * root
    lower = C[split:, split:] @ pairs.y_directions * root
    loadings = np.vstack([upper, lower])
    return SharedLatent(mean, loadings, _blocks(C - loadings @ loadings.T, split), split)


def em_fit(
    groups: list[Group], start: SharedLatent, ridge: float, *, tol: float, max_iter: int
) -> Solution:
    r"""Maximum likelihood of the observed entries by EM (decomposition.11).

    The objective is the log-likelihood less
    :math:`\tfrac{\lambda}2 \operatorname{tr} \Sigma_{oo}^{-1}` per row, which keeps variances
    above the ridge :math:`\lambda`.

    Notes
    -----
    An iteration costs :math:`O((p + q)^3)` per pattern of missing values, whatever the rows.
    """

    def expect(model: SharedLatent) -> Expectation[Floats]:
        parts = [_expected(model, group, ridge) for group in groups]
        bound = sum(part[0] for part in parts)
        moments: Floats = np.sum([part[1] for part in parts], axis=0)
        return Expectation(bound, moments)

    def maximise(moments: Floats, model: SharedLatent) -> SharedLatent:
        return _maximised(moments, model)

    return expectation_maximisation(expect, maximise, [start], tol=tol, max_iter=max_iter)


def log_likelihood(model: SharedLatent, groups: list[Group]) -> float:
    """Mean log-density of the observed entries of a row."""
    total = sum(_expected(model, group, 0.0)[0] for group in groups)
    return total / sum(group.weight for group in groups)


def _expected(model: SharedLatent, group: Group, ridge: float) -> tuple[float, Floats]:
    r"""Log-likelihood of a group, and expected scalar products of :math:`(1, z, d)`."""
    o, n = group.columns, group.weight
    k = model.loadings.shape[1]
    joint = _joint(model)
    hidden = 1 + k + o
    seen = joint[np.ix_(hidden, hidden)]
    factor = linalg.cholesky(seen, name="covariance of observed columns")
    mu = model.mean[o]
    first = group.total - n * mu
    second = group.square - np.outer(group.total, mu) - np.outer(mu, group.total)
    second = second + n * np.outer(mu, mu) + n * ridge * np.eye(len(o))
    log_det = 2.0 * float(np.log(np.diagonal(factor.lower)).sum())
    fit = float(np.trace(factor.solve(second)))
    bound = -0.5 * (n * (len(o) * np.log(2 * np.pi) + log_det) + fit)
    gain = factor.solve(joint[hidden]).T
    offset = np.concatenate([[1.0], np.zeros(k), model.mean])
    shift = gain @ first
    moments = gain @ second @ gain.T + n * (joint - gain @ joint[hidden])
    moments += np.outer(offset, shift) + np.outer(shift, offset) + n * np.outer(offset, offset)
    return bound, moments


def _joint(model: SharedLatent) -> Floats:
    """Covariance of a constant, the hidden variables and the columns."""
    k, p = model.loadings.shape[1], len(model.mean)
    joint = np.zeros((1 + k + p, 1 + k + p))
    joint[1 : 1 + k, 1 : 1 + k] = np.eye(k)
    joint[1 + k :, 1 : 1 + k] = model.loadings
    joint[1 : 1 + k, 1 + k :] = model.loadings.T
    joint[1 + k :, 1 + k :] = model.covariance
    return joint


def _maximised(moments: Floats, model: SharedLatent) -> SharedLatent:
    h = 1 + model.loadings.shape[1]
    inner, cross = moments[:h, :h], moments[h:, :h]
    slopes = linalg.cholesky(inner, name="hidden moments").solve(cross.T).T
    noise = (moments[h:, h:] - slopes @ cross.T) / moments[0, 0]
    noise = _blocks(0.5 * (noise + noise.T), model.split)
    return SharedLatent(slopes[:, 0], slopes[:, 1:], noise, model.split)


def _blocks(C: Floats, split: int) -> Floats:
    out = np.zeros_like(C)
    out[:split, :split], out[split:, split:] = C[:split, :split], C[split:, split:]
    return out


@dataclass(frozen=True)
class Conditional:
    """What the observed columns of some rows say: their log-density, and means of the rest."""

    rows: Places
    log_prob: Floats
    latent: Floats
    columns: Floats


def conditionals(model: SharedLatent, D: Floats) -> Iterator[Conditional]:
    """Log-density of the observed entries and means given them, a pattern at a time."""
    k, joint = model.loadings.shape[1], _joint(model)
    for rows, columns in missing.patterns(D):
        hidden = 1 + k + columns
        centred = D[np.ix_(rows, columns)] - model.mean[columns]
        if len(columns):
            factor = linalg.cholesky(joint[np.ix_(hidden, hidden)], name="covariance")
            white = factor.half_solve(centred.T)
            log_det = 2.0 * float(np.log(np.diagonal(factor.lower)).sum())
            constant = len(columns) * np.log(2 * np.pi) + log_det
            log_prob = -0.5 * (constant + np.einsum("ij,ij->j", white, white))
            means = factor.solve(centred.T).T @ joint[hidden]
        else:
            log_prob, means = np.zeros(len(rows)), np.zeros((len(rows), len(joint)))
        yield Conditional(rows, log_prob, means[:, 1 : 1 + k], means[:, 1 + k :] + model.mean)
