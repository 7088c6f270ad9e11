"""What families of one number with named parameters share."""

from abc import abstractmethod
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Bools, Floats
from margin.distributions._base import ExponentialFamily, Univariate
from margin.distributions._parameters import shown, together
from margin.distributions._requirements import numbers
from margin.distributions.statistics._totals import Totals


class Parametric(Univariate):
    """An array of distributions of one number, given by parameters of one shape."""

    def _store(self, **given: Floats) -> None:
        for name, value in zip(given, together(self, **given), strict=True):
            object.__setattr__(self, name, value)

    def _parameters(self) -> list[Floats]:
        return [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self._parameters()[0].shape

    def __getitem__(self, key: Any) -> Self:
        return type(self)(*(value[key] for value in self._parameters()))

    def __repr__(self) -> str:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        inside = ", ".join(
            f"{name}={shown(value)}" for name, value in zip(names, self._parameters(), strict=True)
        )
        batch = f", shape={self.shape}" if self._parameters()[0].size > 4 else ""
        return f"{type(self).__name__}({inside}{batch})"


class SummedFamily(Parametric, ExponentialFamily):
    """A family whose statistics are weighted sums of functions of the data."""

    @classmethod
    @abstractmethod
    def sufficient(cls, x: Floats) -> Floats:
        """The functions whose sums are kept, along a new last axis; NaN where ``x`` is."""

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Totals:
        """Sums over the rows of ``X`` of shape (n,) or (n, d); NaN is left out.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, d)
        weight : array-like of shape (n,) or (n, k), optional
        """
        return Totals.of(cls.sufficient(numbers(cls.__name__, "X", X)), weight)

    def natural(self) -> tuple[Floats, Floats] | None:
        r"""Natural parameters of shape (..., p), and the log of the normaliser.

        The log density is then :math:`\eta \cdot T(x) - A`, with the functions of
        :meth:`sufficient`; None where the family has more to it.
        """
        return None

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """As of every :class:`Univariate`; by one product with the natural parameters."""
        rows, natural = numbers(self, "X", X), self.natural()
        lead = len(self.shape) - (rows.ndim - 1)
        if natural is None or lead != 1 or self.shape[1:] != rows.shape[1:]:
            return super().log_prob_rows(X)
        eta, log_normaliser = natural
        if not np.isfinite(eta).all() or np.isinf(rows).any():
            return super().log_prob_rows(X)
        try:
            values = self.sufficient(rows)
        except ValueError:  # impossible values, which have a density all the same: zero
            return super().log_prob_rows(X)
        k, cells = self.shape[0], int(np.prod(rows.shape[1:]))
        values = values.reshape(len(rows), cells, -1)
        seen = ~np.isnan(rows.reshape(len(rows), cells))
        table = np.where(seen[..., None], values, 0.0).reshape(len(rows), -1) @ eta.reshape(k, -1).T
        return np.asarray(table - seen.astype(np.float64) @ log_normaliser.reshape(k, cells).T)

    @classmethod
    def _totals(cls, data: Any) -> Totals:
        """Statistics as they are; rows of data are summed up first."""
        if isinstance(data, Totals):
            return data
        rows = numbers(cls.__name__, "stats", data)
        if rows.ndim == 0:
            raise check.fail(cls.__name__, "stats", "Totals or rows of numbers", data)
        return cls.statistics(rows)

    @classmethod
    def _observed(cls, data: Any) -> Totals:
        """The same, refused where a column has no observation."""
        stats = cls._totals(data)
        if not np.all(stats.weight > 0):
            wanted = "observed in every column, or have a prior"
            raise check.fail(cls.__name__, "data", wanted, "a total weight of 0")
        return stats


def supported(owner: object, x: Floats, allowed: Bools, need: str) -> Floats:
    """Data whose observed entries all lie in the support of a family.

    Examples
    --------
    >>> x = np.array([1.0, -2.0, np.nan])
    >>> supported("Gamma", x, x > 0, "above 0")
    Traceback (most recent call last):
    ValueError: Gamma: X must be above 0 or NaN, got -2.0
    """
    wrong = ~np.isnan(x) & ~allowed
    if wrong.any():
        raise check.fail(owner, "X", f"{need} or NaN", float(x[wrong][0]))
    return x


def is_count(x: Floats) -> Bools:
    """Where values are 0, 1, 2, …"""
    return np.asarray(np.isfinite(x) & (x >= 0) & (x == np.floor(x)))


def proportion(owner: object, name: str, value: Floats) -> Floats:
    """A parameter between 0 and 1, both included."""
    if value.size and not (value.min() >= 0 and value.max() <= 1):
        worst = float(value.min() if value.min() < 0 else value.max())
        raise check.fail(owner, name, "between 0 and 1", worst)
    return value
