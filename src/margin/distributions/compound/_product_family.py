"""Families for unlike columns, fitted as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Places
from margin.distributions._requirements import numbers
from margin.distributions.compound._joint_statistics import JointStatistics
from margin.distributions.compound._product import Product


@dataclass(frozen=True, eq=False)
class ProductFamily:
    """A family for each group of columns: what :class:`Product` distributions are fitted by.

    Used where a class with ``statistics`` and ``fit`` is: by a mixture of rows of mixed columns.

    Parameters
    ----------
    families : sequence of type
        Families with ``statistics`` and ``fit``.
    columns : sequence of sequences of int
        The columns of each.
    options : sequence of dict, optional
        Keywords of each family's ``fit``, such as ``{"covariance_type": "diag"}``.

    Examples
    --------
    >>> from margin.distributions import Categorical, Normal
    >>> family = ProductFamily([Normal, Categorical], [[0], [1]])
    >>> row = family.fit(family.statistics([[1.0, 0], [2.0, 1], [3.0, 1]]))
    >>> row.mean.round(6)
    array([2.      , 0.666667])
    """

    families: tuple[Any, ...]
    columns: tuple[Places, ...]
    options: tuple[dict[str, Any], ...]

    def __init__(
        self,
        families: Sequence[Any],
        columns: Sequence[Any],
        options: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        keywords = tuple(options) if options is not None else ({},) * len(families)
        if not len(families) == len(columns) == len(keywords):
            raise check.fail(self, "columns", f"a group for each of {len(families)}", columns)
        places = tuple(np.atleast_1d(np.asarray(c, dtype=np.intp)) for c in columns)
        object.__setattr__(self, "families", tuple(families))
        object.__setattr__(self, "columns", places)
        object.__setattr__(self, "options", keywords)

    def statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> JointStatistics:
        """Statistics of every group, of rows of shape (n, D) with weights (n,) or (n, k)."""
        rows = numbers(self, "X", X)
        width = sum(len(c) for c in self.columns)
        if rows.ndim != 2 or rows.shape[1] != width:
            raise check.fail(self, "X", f"of shape (n, {width})", f"shape {rows.shape}")
        parts = []
        for family, own, keywords in zip(self.families, self.columns, self.options, strict=True):
            kind = {k: v for k, v in keywords.items() if k == "covariance_type"}
            parts.append(family.statistics(rows[:, own], weight, **kind))
        return JointStatistics(tuple(parts))

    def fit(self, stats: Any, prior: Sequence[Any] | None = None) -> Product:
        """The product of the fits; ``prior`` has one for each group, or None for it."""
        if not isinstance(stats, JointStatistics):
            stats = self.statistics(stats)
        priors = prior if prior is not None else (None,) * len(self.families)
        groups = zip(self.families, stats.parts, priors, self.options, strict=True)
        return Product([f.fit(s, p, **kw) for f, s, p, kw in groups], self.columns)
