"""Effects that differ between people."""

from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from scipy.stats import norm
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.causal.conditional._learners import LEARNERS, Learner
from margin.causal.conditional._mean_effect import MeanEffect, averages
from margin.causal.conditional._modifiers import Modifiers
from margin.causal.conditional._surfaces import Surface
from margin.causal.effects._graphs import graph_of, later_nodes
from margin.causal.effects._questions import as_names, question
from margin.causal.effects._summary import EffectSummary
from margin.causal.identification._adjustment import is_adjustment_set
from margin.causal.methods._effect_data import EffectData, effect_data
from margin.causal.methods._intervals import confidence, replicates
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError, warn_of_no_overlap
from margin.causal.methods._scores import Scores
from margin.causal.sensitivity._refuters import Refutation, refuted
from margin.causal.tables._rows import weighed_rows
from margin.core import atomic, check
from margin.core.random import generator
from margin.core.types import Floats


class EffectModifier(BaseEstimator):
    r"""Conditional effect :math:`\tau(x) = E[Y(a) - Y(0) \mid X = x]` of a treatment.

    Of several levels, or of several treatments, there is one such function for each level beside
    the baseline, or for each treatment of numbers.

    Parameters
    ----------
    graph : CausalGraph, DAG, PDAG, PAG, MixedGraph, arrows or dagitty's text, optional
    treatment : name or list of names
        Of levels; or of numbers for ``"r"`` and, if it is one, ``"forest"``. Several treatments of
        levels are one of all combinations that occur.
    outcome : name
    adjustment : list of names, optional
        Covariates; those that the graph asks for by default.
    modifiers : list of names, optional
        Columns that the effect may depend on; the covariates by default. They are adjusted for
        too: where a graph is given, that must leave the effect what it is.
    method : {"dr", "r", "x", "t", "s", "forest"} or Learner, default="dr"
    final_model : regressor, optional
        Of the effect on the modifiers; a plane by default, whose errors are known.
    propensity_model, outcome_model, treatment_model : estimator, optional
    baseline : level, optional
    n_folds : int, default=5
    clip : float, optional
    level : float, default=0.95
    n_bootstrap : int, default=0
        Fits to weighted rows, from which intervals are taken; 0 for those of the method, which
        ``"dr"``, ``"r"`` (with a plane) and ``"forest"`` know.
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    coef_ : dict of str to float
        Of the plane, in the units of the modifiers; with ``intercept_``. A tuple of them where
        there are several effects.
    average_ : float or ndarray of shape (m,)
        Mean of the effects of the rows of the fit.
    std_error_, interval_ : float or ndarray, ndarray of shape (2,) or (m, 2); or None
        Of the average; None where neither the method nor a bootstrap knows them.
    contrasts_ : tuple of str
        What is compared.
    surface_ : Surface, or tuple of them

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal(4000)
    >>> t = rng.random(4000) < 1 / (1 + np.exp(-x))
    >>> frame = {"x": x, "t": t, "y": x + (1 + 2 * x) * t + rng.standard_normal(4000)}
    >>> model = EffectModifier(None, "t", "y", ["x"], random_state=0).fit(frame)
    >>> model.predict({"x": [0.0, 1.0]}).round(0)
    array([1., 3.])
    """

    def __init__(
        self, graph: Any = None, treatment: Any = None, outcome: Any = None, adjustment: Any = None,
        modifiers: Any = None, method: Any = "dr", *, final_model: Any = None,
        propensity_model: Any = None, outcome_model: Any = None, treatment_model: Any = None,
        baseline: Any = None, n_folds: int = 5, clip: float | None = None, level: float = 0.95,
        n_bootstrap: int = 0, random_state: Any = None,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.treatment = treatment
        self.outcome = outcome
        self.adjustment = adjustment
        self.modifiers = modifiers
        self.method = method
        self.final_model = final_model
        self.propensity_model = propensity_model
        self.outcome_model = outcome_model
        self.treatment_model = treatment_model
        self.baseline = baseline
        self.n_folds = n_folds
        self.clip = clip
        self.level = level
        self.n_bootstrap = n_bootstrap
        self.random_state = random_state

    @atomic
    def fit(self, frame: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the effect as a function of the modifiers."""
        check.params(self, count="n_folds")
        level = confidence(self, self.level)
        n_bootstrap = replicates(self, self.n_bootstrap)
        learner = self._learner()
        coded, data = self._posed(frame, sample_weight)
        rng = generator(self.random_state)
        nuisance = Nuisance(
            self.propensity_model, self.outcome_model, self.treatment_model, self.n_folds,
            self.clip, int(rng.integers(2**31)),
        )  # fmt: skip
        if learner.reaches_out:
            warn_of_no_overlap(data)
        surfaces = learner.surfaces(data, nuisance, self.final_model)
        draws = self._drawn(learner, data, nuisance, n_bootstrap, rng)
        mean = averages(surfaces, data.modifiers, data.weight)
        error, interval = _of_averages(mean, surfaces, data, [draw[1] for draw in draws], level)

        single = len(surfaces) == 1
        self.contrasts_ = data.names
        self.surface_ = surfaces[0] if single else surfaces
        self.average_ = float(mean[0]) if single else mean
        self.std_error_ = error if error is None or not single else float(error[0])
        self.interval_ = interval if interval is None or not single else interval[0]
        planes = [getattr(part, "coef", None) for part in surfaces]
        known = [
            (None, None) if coef is None
            else (float(coef[0]), dict(zip(coded.columns, map(float, coef[1:]), strict=True)))
            for coef in planes
        ]  # fmt: skip
        self.intercept_: Any = known[0][0] if single else tuple(part[0] for part in known)
        self.coef_: Any = known[0][1] if single else tuple(part[1] for part in known)
        self._surfaces, self._draws, self._coded = surfaces, tuple(d[0] for d in draws), coded
        self._data, self._nuisances, self._by = data, nuisance, learner
        return self

    def _learner(self) -> Learner:
        learner = self.method
        if isinstance(learner, Learner):
            return learner
        if not isinstance(learner, str) or learner not in LEARNERS:
            raise check.fail(self, "method", f"one of {tuple(LEARNERS)} or a Learner", learner)
        return LEARNERS[learner]

    def _drawn(
        self, learner: Learner, data: EffectData, nuisance: Nuisance, n_bootstrap: int,
        rng: np.random.Generator,
    ) -> list[tuple[tuple[Surface, ...], Floats]]:  # fmt: skip
        """Surfaces of rows drawn with replacement, and the mean of each over its rows."""
        draws, failed = [], None
        for _ in range(n_bootstrap):
            counts = rng.multinomial(data.n, np.full(data.n, 1 / data.n))
            rows = np.flatnonzero(counts)
            part = data.rows(rows).weighted((data.weight * counts)[rows])
            try:
                surfaces = learner.surfaces(part, nuisance, self.final_model)
            except NoOverlapError as error:
                failed = error
                continue
            draws.append((surfaces, averages(surfaces, part.modifiers, part.weight)))
        if failed is not None and 2 * len(draws) < n_bootstrap:
            raise failed
        return draws

    def _posed(self, frame: Any, sample_weight: Any) -> tuple[Modifiers, EffectData]:
        owner = type(self).__name__
        treatment = as_names(self, "treatment", self.treatment)
        outcome = as_names(self, "outcome", self.outcome)
        if len(outcome) > 1:
            raise check.fail(self, "outcome", "one column", self.outcome)
        asked = question(owner, self.graph, treatment, outcome, self.adjustment, None)
        if asked.method != "backdoor":
            formula = None if asked.estimand is None else asked.estimand.formula()
            raise check.fail(self, "graph", "with an effect by adjustment", formula)
        chosen = (
            asked.covariates if self.modifiers is None
            else as_names(self, "modifiers", self.modifiers)
        )  # fmt: skip
        if not chosen:
            raise check.fail(self, "modifiers", "at least one column", chosen)
        every = tuple(dict.fromkeys((*asked.covariates, *chosen)))
        self._refuse_opened_doors(treatment, outcome, every)
        rows = weighed_rows(self, frame, (*outcome, *treatment, *every), sample_weight)
        coded = Modifiers.learned(self, rows.columns, chosen)
        data = effect_data(
            owner, rows.columns, treatment, outcome[0], every, baseline=self.baseline,
            modifiers=coded.rows(self, rows.columns), sample_weight=rows.weight,
        )  # fmt: skip
        return coded, data

    def _refuse_opened_doors(
        self, treatment: tuple[Hashable, ...], outcome: tuple[Hashable, ...],
        every: tuple[Hashable, ...],
    ) -> None:  # fmt: skip
        """Modifiers must be columns that may be adjusted for beside the covariates."""
        taken = sorted({*treatment, *outcome} & set(every), key=str)
        if taken:
            raise check.fail(self, "modifiers", "without treatment and outcome", taken)
        if self.graph is None:
            return
        graph = graph_of(self, self.graph)
        for name in every:
            if name not in graph:
                raise check.fail(self, "modifiers", f"nodes of the graph {graph.nodes}", name)
        late = {*every} & later_nodes(graph, treatment)
        if late:
            need = "columns that the treatment does not move"
            raise check.fail(self, "modifiers", need, sorted(map(str, late)))
        if not is_adjustment_set(graph, treatment, outcome, every):
            need = "columns that may be adjusted for beside the covariates"
            raise check.fail(self, "modifiers", need, every)

    def predict(self, X: Any) -> Floats:
        """Effects of every row of a frame with the modifiers, of shape (n,) or (n, m)."""
        check_is_fitted(self, "surface_")
        return _stacked([s.values(self._coded.rows(self, X)) for s in self._surfaces])

    def predict_interval(self, X: Any, level: float | None = None) -> Floats:
        """Intervals of the effects, of shape (n, 2) or (n, m, 2)."""
        check_is_fitted(self, "surface_")
        M = self._coded.rows(self, X)
        share = confidence(self, self.level if level is None else level)
        intervals = []
        for j, surface in enumerate(self._surfaces):
            if self._draws:
                drawn = np.array([draw[j].values(M) for draw in self._draws])
                intervals.append(np.quantile(drawn, [0.5 - share / 2, 0.5 + share / 2], axis=0).T)
                continue
            error = surface.errors(M)
            if error is None:
                raise check.fail(self, "n_bootstrap", "above 0 for intervals of this method", 0)
            reach, values = norm.ppf(0.5 + share / 2) * error, surface.values(M)
            intervals.append(np.column_stack([values - reach, values + reach]))
        return _stacked(intervals)

    def summary(self) -> EffectSummary:
        """The average effects with their errors; the planes among the facts."""
        check_is_fitted(self, "surface_")
        if self.std_error_ is None or self.interval_ is None:
            raise check.fail(self, "n_bootstrap", "above 0 for a summary of this method", 0)
        facts = {"may depend on": ", ".join(self._coded.columns)}
        for name, part in zip(self.contrasts_, self._surfaces, strict=True):
            coef = getattr(part, "coef", None)
            if coef is not None:
                terms = zip(coef[1:], self._coded.columns, strict=True)
                facts[name] = " ".join([f"{coef[0]:.4g}", *(f"{c:+.4g} {n}" for c, n in terms)])
        return EffectSummary(
            f"average of conditional effects ({self._by.title})", self.contrasts_,
            np.atleast_1d(self.average_), np.atleast_1d(self.std_error_),
            np.atleast_2d(self.interval_), float(self.level), self._data.n, facts,
        )  # fmt: skip

    def refute(
        self, kinds: Any = ("placebo", "random_cause", "subset", "hidden_cause"), *,
        n_repeats: int = 20, strength: float = 0.1, random_state: Any = None,
    ) -> tuple[Refutation, ...]:  # fmt: skip
        """Try to break the (first) average effect: see :meth:`AverageEffect.refute`.

        Everything is learned again in each repetition.
        """
        check_is_fitted(self, "surface_")
        scores = Scores(self.contrasts_, np.atleast_1d(self.average_), None)
        return refuted(
            MeanEffect(self._by, self.final_model), self._data, self._nuisances, scores, kinds,
            n_repeats, strength,
            generator(self.random_state if random_state is None else random_state),
        )  # fmt: skip


def _stacked(parts: list[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else np.stack(parts, axis=1)


def _of_averages(
    mean: Floats, surfaces: tuple[Surface, ...], data: EffectData, draws: list[Floats], level: float
) -> tuple[Floats | None, Floats | None]:
    """Errors and intervals of the averages, from a bootstrap or from the surfaces."""
    if draws:
        values, tails = np.array(draws), [0.5 - level / 2, 0.5 + level / 2]
        return values.std(axis=0, ddof=1), np.quantile(values, tails, axis=0).T
    errors = [part.average_error(data.modifiers, data.weight) for part in surfaces]
    if any(error is None for error in errors):
        return None, None
    error = np.array(errors, dtype=np.float64)
    reach = norm.ppf(0.5 + level / 2) * error
    return error, np.column_stack([mean - reach, mean + reach])
