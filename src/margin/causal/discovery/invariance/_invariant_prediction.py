"""Direct causes from environments."""

from collections.abc import Hashable, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import KFold, cross_val_predict

from margin.causal.discovery._table import Table
from margin.causal.discovery.invariance._invariant_sets import (
    InvariantSets,
    effect_range,
    first_of_the_lasso,
    invariant_sets,
)
from margin.causal.tables._columns import column, is_unknown, levels, numbers
from margin.core import atomic, check
from margin.core.types import Array, Floats

Names = tuple[Hashable, ...]
TESTS = ("normal", "rank", "chow")


class InvariantCausalPrediction(BaseEstimator):
    r"""Direct causes: the columns without which no prediction is invariant over environments.

    Given its direct causes, the outcome has the same law in every environment that does not act on
    it itself. So every set S of columns is tested for

    .. math:: y = \mu + x_S^\top \gamma + e, \qquad e \sim F \text{ the same in all environments},

    and the answer is what all sets have in common that are not rejected. With probability
    :math:`1 - \alpha` it holds nothing but direct causes, whether or not the environments suffice
    to find them all.

    Parameters
    ----------
    outcome, environment : names
        A column of numbers, and one that says where each row comes from.
    candidates : list of names, optional
        Columns that may be causes; all others by default.
    test : {"normal", "rank", "chow"}, default="normal"
        Of residuals: t and F test, Mann-Whitney and Brown-Forsythe, or Chow's test of the
        regression itself, exact for normal noise. Each environment against the others, Bonferroni.
    regressor : regressor, optional
        Least squares by default; another one gives cross-fitted residuals (not for ``"chow"``) and
        no intervals.
    alpha : float, default=0.05
        Level.
    max_columns : int, default=8
        Of more candidates the first ones on the path of the lasso are taken; what was said above
        then supposes that the causes are among them.
    max_size : int, optional
        Largest set tested; likewise.

    Attributes
    ----------
    parents_ : tuple
        The columns that are direct causes, perhaps none.
    verdict_ : str
        What the answer means: causes were found, the environments do not suffice, or no set is
        invariant (a hidden cause, an environment that acts on the outcome, another regression).
    accepted_ : dict of tuple to float
        Invariant sets and their p-values.
    p_values_ : dict of name to float
        For each candidate, the largest p-value of a set without it.
    intervals_ : dict of name to (low, high), or None
        Confidence intervals of the direct effects, each of level :math:`1 - \alpha`: half of
        alpha for the test, half for the coefficient.
    candidates_ : tuple
        Columns that were searched.
    n_gaps_ : int
        Rows left out because a value in them is not known.

    Notes
    -----
    :math:`2^q` regressions for q candidates.

    References
    ----------
    J. Peters, P. Bühlmann and N. Meinshausen, "Causal inference by using invariant prediction",
    JRSS B 78 (2016).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> place = np.repeat(["lab", "field"], 300)
    >>> cause = rng.normal(size=600) * np.where(place == "lab", 1.0, 2.0) + (place == "lab")
    >>> y = 2 * cause + rng.normal(size=600)
    >>> effect = y + rng.normal(size=600) * np.where(place == "lab", 1.0, 3.0)
    >>> frame = {"place": place, "cause": cause, "y": y, "effect": effect}
    >>> model = InvariantCausalPrediction("y", "place", candidates=["cause", "effect"]).fit(frame)
    >>> model.parents_, model.verdict_
    (('cause',), 'direct causes found')
    """

    def __init__(
        self,
        outcome: Any = None,
        environment: Any = None,
        *,
        candidates: Any = None,
        test: str = "normal",
        regressor: Any = None,
        alpha: float = 0.05,
        max_columns: int = 8,
        max_size: int | None = None,
    ) -> None:
        self.outcome = outcome
        self.environment = environment
        self.candidates = candidates
        self.test = test
        self.regressor = regressor
        self.alpha = alpha
        self.max_columns = max_columns
        self.max_size = max_size

    @atomic
    def fit(self, frame: Any, y: Any = None) -> Self:
        """Test all sets of candidates.

        Parameters
        ----------
        frame : frame, mapping of columns, or two-dimensional array
            Rows in which a column that is used is not known are left out.
        y : ignored

        Returns
        -------
        self
        """
        check.params(self, fraction="alpha", count="max_columns", one_of={"test": TESTS})
        if self.max_size is not None:
            check.params(self, count="max_size")
        if self.max_columns > 15:
            raise check.fail(self, "max_columns", "at most 15", self.max_columns)
        if self.test == "chow" and self.regressor is not None:
            raise check.fail(self, "test", "'normal' or 'rank' with a regressor", self.test)
        names = self._names(frame)
        frame, self.n_gaps_ = self._whole_rows(frame, names)
        places, groups = levels(self, frame, self.environment)
        values = numbers(self, frame, self.outcome)
        X = self._columns(frame, names, values)
        if len(places) < 2:
            raise check.fail(self, "environment", "a column of at least two values", places)
        fewest = int(np.bincount(groups).min())
        if fewest < 3:
            shown = places[int(np.argmin(np.bincount(groups)))]
            raise check.fail(self, "environment", "seen in at least 3 rows each", shown)
        columns = first_of_the_lasso(X, values, self.max_columns)
        sets = invariant_sets(
            X,
            values,
            groups,
            test=self.test,
            columns=columns,
            max_size=len(columns) if self.max_size is None else self.max_size,
            residuals=None if self.regressor is None else self._residuals,
        )
        self._keep(X, values, names, columns, sets)
        return self

    def _names(self, frame: Any) -> Names:
        for parameter in ("outcome", "environment"):
            if getattr(self, parameter) is None:
                raise check.fail(self, parameter, "the name of a column", None)
        apart = {self.outcome, self.environment}
        if len(apart) < 2:
            raise check.fail(self, "environment", "another column than the outcome", self.outcome)
        if self.candidates is None:
            check.distinct_names(self, frame)
            array = isinstance(frame, np.ndarray) and frame.ndim == 2
            every = range(frame.shape[1]) if array else getattr(frame, "columns", frame)
            return tuple(name for name in every if name not in apart)
        names = tuple(self.candidates)
        if len(set(names)) < len(names) or set(names) & apart:
            requirement = "different columns beside outcome and environment"
            raise check.fail(self, "candidates", requirement, list(names))
        return names

    def _whole_rows(self, frame: Any, names: Names) -> tuple[Mapping[Hashable, Array], int]:
        """The columns that are used, where all of them are known, and how many rows are not."""
        used = (self.outcome, self.environment, *names)
        columns = {name: column(self, frame, name) for name in used}
        if len({len(values) for values in columns.values()}) > 1:
            shown = [len(values) for values in columns.values()]
            raise check.fail(self, "frame", "of as many rows in every column", shown)
        gaps = np.any([is_unknown(values) for values in columns.values()], axis=0)
        if gaps.all():
            raise check.fail(self, "frame", "a table with rows that know every column", "none")
        return {name: values[~gaps] for name, values in columns.items()}, int(gaps.sum())

    def _columns(self, frame: Any, names: Names, values: Floats) -> Floats:
        parts = [numbers(self, frame, name) for name in names]
        if not parts:
            raise check.fail(self, "candidates", "at least one column", [])
        X = np.column_stack(parts)
        for name, one in zip((*names, self.outcome), (*X.T, values), strict=True):
            if (one == one[0]).all():
                raise check.fail(self, f"column {name!r}", "not constant", one[0])
        Table(names, X).refuse_collinear(type(self).__name__)
        return X

    def _residuals(self, X: Floats, values: Floats) -> Floats:
        folds = KFold(5, shuffle=True, random_state=0)
        predicted = cross_val_predict(clone(self.regressor), X, values, cv=folds)
        return np.asarray(values - np.ravel(predicted))

    def _keep(
        self, X: Floats, values: Floats, names: Names, columns: tuple[int, ...], sets: InvariantSets
    ) -> None:
        accepted = sets.accepted(self.alpha)
        common = sets.common(self.alpha)
        self.candidates_ = tuple(names[j] for j in columns)
        self.parents_ = tuple(names[j] for j in common)
        self.accepted_ = {tuple(names[j] for j in some): sets.p_values[some] for some in accepted}
        self.p_values_ = {names[j]: sets.doubt(j) for j in columns}
        self.verdict_ = (
            "direct causes found"
            if common
            else "no cause is determined: the environments differ too little, or there is none"
            if accepted
            else "no set of columns is invariant: the model is rejected"
        )
        self.intervals_ = None
        # Half of alpha for the sets, half for the coefficients.
        kept = sets.accepted(self.alpha / 2)
        if self.regressor is None and kept:
            level = 1 - self.alpha / 2
            ranges = {names[j]: effect_range(X, values, j, kept, level) for j in columns}
            self.intervals_ = ranges
