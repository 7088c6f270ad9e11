"""The average effect of a treatment, by any method."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.causal.effects._balance import BalanceReport, balance_report
from margin.causal.effects._questions import Question, as_names, question
from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._effect_data import EffectData, effect_data, looks_discrete
from margin.causal.methods._intervals import (
    Errors,
    analytic,
    confidence,
    is_between,
    multiplied,
    refitted,
    replicates,
)
from margin.causal.methods._methods import method_of
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import warn_of_no_overlap
from margin.causal.methods._plug_in import PlugIn
from margin.causal.methods._scores import Method, Scores
from margin.causal.sensitivity._refuters import Refutation, refuted
from margin.causal.tables._columns import column, is_unknown
from margin.causal.tables._missing import indicated
from margin.causal.tables._rows import cluster_codes, weighed_rows
from margin.core import atomic, check
from margin.core.random import generator
from margin.core.types import Bools

_REFITS = 100


class AverageEffect(BaseEstimator):
    r"""Average causal effect :math:`E[Y(a) - Y(0)]` of a treatment.

    A graph says what has to be adjusted for, a method how: naive difference (causal.15),
    stratification (causal.18, causal.20), weighting by propensities (causal.19, causal.21),
    matching (causal.22), the front door (causal.23), regression, doubly robust and targeted
    estimates, or double machine learning. All methods return scores of the rows, from which
    errors, intervals and refutations are computed alike.

    Parameters
    ----------
    graph : CausalGraph, DAG, PDAG, PAG, MixedGraph, arrows or dagitty's text, optional
        What causes what: one graph, or the class that a learner found (``graph_`` of PC, GES, FCI,
        …), of which the effect must be the same in all graphs. Without, ``adjustment`` is taken at
        its word.
    treatment : name or list of names
        Columns that were set. Words, truth values, two values, or few whole numbers are levels;
        other numbers are amounts.
    outcome : name
        Numbers, or two levels of which the second counts as 1.
    adjustment : list of names, optional
        Covariates; those that the graph asks for by default.
    method : str or Method, default="auto"
        ``"naive"``, ``"stratification"``, ``"propensity_stratification"``, ``"regression"``,
        ``"ipw"`` (normalised), ``"plain_ipw"``, ``"stabilised_ipw"``, ``"matching"``,
        ``"covariate_matching"``, ``"aipw"``, ``"tmle"``, ``"dml"``, ``"frontdoor"``, ``"plugin"``
        (any formula, from frequencies), or a value such as ``Matching(caliper=0.05)``.
        ``"auto"``: ``"aipw"`` for levels, ``"dml"`` for amounts; ``"frontdoor"`` or ``"plugin"``
        where no covariates suffice but the graph has another formula.
    target : {"ate", "att", "atc"}, default="ate"
        Whose effect: of all, of the treated, of the untreated.
    baseline : level, optional
        What levels are compared with; the first by default.
    mediators : list of names, optional
        Of the front door, where no graph names them.
    propensity_model, outcome_model, treatment_model : estimator, optional
        Any of scikit-learn's kind; logistic regression and least squares by default.
    discrete : bool, optional
        Whether the treatment is levels; decided by its values by default.
    n_folds : int, default=5
        Folds of cross-fitting (aipw, tmle, dml); 1 for none.
    clip : float, optional
        Propensities are kept this far from 0 and 1; without, rows without overlap are refused.
    level : float, default=0.95
        Of the intervals.
    n_bootstrap : int, default=0
        Replicates; 0 for analytic intervals.
    bootstrap : {"influence", "refit"}, default="influence"
        Random weights on the influence functions, or everything fitted again.
    missing : {"refuse", "indicator"}, default="refuse"
        Covariates that are not known in some rows. ``"indicator"``: the mean in their place and a
        covariate that says so (a level of its own among words), which is right where people were
        treated by what was known of them. Treatments and outcomes must be known.
    random_state : int, Generator or RandomState, optional
        Of folds and bootstrap.

    Attributes
    ----------
    effect_ : float or ndarray
        Effect; one per level beside the baseline, or per treatment, where there are several.
    std_error_ : float or ndarray
    interval_ : ndarray of shape (2,) or (m, 2)
    means_ : dict
        Mean outcome under each level, where the method knows them.
    propensity_ : ndarray of shape (n, n_levels) or None
    scores_ : Scores
        Estimates with influence functions.
    pairs_, pair_differences_ : ndarray of shape (n_pairs, 2) and (n_pairs,), or None
        Rows of pairs matched without replacement, the treated first, and what their outcomes
        differ by.
    weight_ : ndarray of shape (n,)
        Weights of the rows that are used, of mean one.
    n_columns_ : int
        Columns of the covariates, words as one per level, less those that others determine.
    adjustment_ : tuple
        Covariates adjusted for.
    estimand_ : Estimand or None
        The formula, where a graph was given.
    method_ : Method
    bootstrap_ : ndarray of shape (n_bootstrap, m) or None

    Notes
    -----
    Time grows with the rows times the square of the covariates; with least squares all folds cost
    one pass. The bootstrap of influence functions is one product of matrices.

    Examples
    --------
    >>> from margin.causal import AverageEffect
    >>> from margin.datasets import load_kidney_stones
    >>> stones = load_kidney_stones(as_frame=True)
    >>> frame = stones.data.assign(recovered=stones.target)
    >>> model = AverageEffect(stones.edges, treatment="treatment", outcome="recovered",
    ...                       method="stratification", baseline="B").fit(frame)
    >>> round(model.effect_, 6), {k: round(v, 6) for k, v in model.means_.items()}
    (0.053671, {'B': 0.778875, 'A': 0.832546})
    """

    def __init__(
        self,
        graph: Any = None,
        treatment: Any = None,
        outcome: Any = None,
        adjustment: Any = None,
        method: Any = "auto",
        *,
        target: str = "ate",
        baseline: Any = None,
        mediators: Any = None,
        propensity_model: Any = None,
        outcome_model: Any = None,
        treatment_model: Any = None,
        discrete: bool | None = None,
        n_folds: int = 5,
        clip: float | None = None,
        level: float = 0.95,
        n_bootstrap: int = 0,
        bootstrap: str = "influence",
        missing: str = "refuse",
        random_state: Any = None,
    ) -> None:
        self.graph = graph
        self.treatment = treatment
        self.outcome = outcome
        self.adjustment = adjustment
        self.method = method
        self.target = target
        self.baseline = baseline
        self.mediators = mediators
        self.propensity_model = propensity_model
        self.outcome_model = outcome_model
        self.treatment_model = treatment_model
        self.discrete = discrete
        self.n_folds = n_folds
        self.clip = clip
        self.level = level
        self.n_bootstrap = n_bootstrap
        self.bootstrap = bootstrap
        self.missing = missing
        self.random_state = random_state

    @atomic
    def fit(
        self, frame: Any, y: Any = None, sample_weight: Any = None, clusters: Any = None
    ) -> Self:
        """Estimate the effect.

        Parameters
        ----------
        frame : data frame or mapping of names to columns
        y : ignored
        sample_weight : array-like of shape (n,), optional
        clusters : name or array-like of shape (n,), optional
            Rows whose errors are common.

        Returns
        -------
        self
        """
        self._check_params()
        asked, part, used = self._posed(frame, sample_weight)
        method = self._method(asked, part)
        rng = generator(self.random_state)
        nuisance = self._nuisance(rng)
        scores = method.scores(part, nuisance)
        if method.reaches_out:
            warn_of_no_overlap(part)
        groups = cluster_codes(self, frame, clusters, used)
        errors = self._errors(method, part, nuisance, scores, groups, rng)

        single = len(scores.values) == 1
        self.scores_, self.method_, self.estimand_ = scores, method, asked.estimand
        self.effect_ = float(scores.values[0]) if single else scores.values
        self.std_error_ = float(errors.std_error[0]) if single else errors.std_error
        self.interval_ = errors.interval[0] if single else errors.interval
        self.bootstrap_ = errors.draws
        self.means_ = dict(scores.means)
        self.propensity_ = scores.propensity
        self.weight_, self.n_columns_ = part.weight, part.X.shape[1]
        self.pairs_ = None if scores.pairs is None else np.flatnonzero(used)[scores.pairs]
        self.pair_differences_ = (
            None if scores.pairs is None else part.y[scores.pairs] @ np.array([1.0, -1.0])
        )
        self.adjustment_ = () if asked.method == "general" else asked.covariates
        self._data, self._nuisances = part, nuisance
        return self

    def _check_params(self) -> None:
        check.params(
            self, count="n_folds",
            one_of={
                "target": ("ate", "att", "atc"), "bootstrap": ("influence", "refit"),
                "missing": ("refuse", "indicator"), "discrete": (None, True, False),
            },
        )  # fmt: skip
        confidence(self, self.level)
        replicates(self, self.n_bootstrap)
        if self.clip is not None and not is_between(self.clip, 0.0, 0.5):
            raise check.fail(self, "clip", "a number between 0 and 0.5", self.clip)

    def _posed(self, frame: Any, sample_weight: Any) -> tuple[Question, EffectData, Bools]:
        """What is asked, the rows of positive weight, and which these are."""
        owner = type(self).__name__
        treatment = as_names(self, "treatment", self.treatment)
        outcome = as_names(self, "outcome", self.outcome)
        if len(outcome) > 1:
            raise check.fail(self, "outcome", "one column", self.outcome)
        auto = isinstance(self.method, str) and self.method == "auto"
        asked = question(
            owner, self.graph, treatment, outcome, self.adjustment, self.mediators,
            "auto" if auto else method_of(self, self.method).door,
        )  # fmt: skip
        plain = asked.method == "general"
        names = (*outcome, *treatment, *asked.covariates, *asked.mediators)
        rows = weighed_rows(self, frame, names, sample_weight)
        for name in treatment if not rows.used.all() else ():
            self._refuse_lost_levels(column(self, frame, name), rows.used)
        columns, covariates = rows.columns, asked.covariates
        if self.missing == "indicator":
            columns, covariates = indicated(self, columns, covariates)
        data = effect_data(
            owner, columns, treatment, outcome[0], () if plain else covariates,
            mediators=asked.mediators, others=covariates if plain else (),
            baseline=self.baseline, discrete=self.discrete, target=self.target,
            sample_weight=rows.weight,
        )  # fmt: skip
        return asked, data, rows.used

    def _refuse_lost_levels(self, values: Any, used: Bools) -> None:
        """Every level of a treatment needs rows of positive weight."""
        values, seen = values[~is_unknown(values)], values[used]
        if self.discrete is False or not looks_discrete(values):
            return
        lost = sorted(set(values.tolist()) - set(seen.tolist()), key=str)
        if lost:
            need = f"above 0 in some row of level {lost[0]!r}"
            raise check.fail(self, "sample_weight", need, 0.0)

    def _method(self, asked: Question, data: EffectData) -> Method:
        name: Any = self.method
        if isinstance(name, str) and name == "auto":
            usual = "dml" if data.arms is None else "aipw"
            name = {"frontdoor": "frontdoor", "general": "plugin"}.get(asked.method, usual)
        method = method_of(self, name)
        return replace(method, estimand=asked.estimand) if isinstance(method, PlugIn) else method

    def _nuisance(self, rng: np.random.Generator) -> Nuisance:
        return Nuisance(
            self.propensity_model, self.outcome_model, self.treatment_model, self.n_folds,
            self.clip, int(rng.integers(2**31)),
        )  # fmt: skip

    def _errors(
        self, method: Method, data: EffectData, nuisance: Nuisance, scores: Scores, groups: Any,
        rng: np.random.Generator,
    ) -> Errors:  # fmt: skip
        if scores.influence is None or (self.bootstrap == "refit" and self.n_bootstrap):
            times = self.n_bootstrap or _REFITS
            return refitted(method, data, nuisance, self.level, times, rng)
        if self.n_bootstrap:
            return multiplied(scores, data.weight, self.level, self.n_bootstrap, rng, groups)
        return analytic(scores, data.weight, self.level, groups)

    def summary(self) -> EffectSummary:
        """Estimates, errors, p-values and intervals."""
        check_is_fitted(self, "effect_")
        facts = {"adjusted for": ", ".join(map(str, self.adjustment_)) or "nothing"}
        if self.estimand_ is not None:
            facts["formula"] = self.estimand_.formula()
        left = self._data.left_out
        notes = (f"left out, because others determine it: {', '.join(left)}",) if left else ()
        return EffectSummary(
            self.method_.title, self.scores_.names, self.scores_.values,
            np.atleast_1d(self.std_error_), np.atleast_2d(self.interval_), self.level,
            self._data.n, facts, (*self.scores_.notes, *notes),
        )  # fmt: skip

    def balance(self, level: int = 1) -> BalanceReport:
        """How alike the covariates of a level and of the baseline are, before and after."""
        check_is_fitted(self, "effect_")
        data = self._data
        last = len(data.levels) - 1
        if data.arms is None:
            raise check.fail(self, "treatment", "of levels for a balance", data.names)
        if level not in range(1, last + 1):
            need = f"the place of a level beside the baseline, 1 to {last}"
            raise check.fail(self, "level", need, level)
        return balance_report(
            data.X, data.columns, data.codes == level, data.codes == 0, data.weight,
            self.scores_.balancing,
            None if self.propensity_ is None else self.propensity_[:, level],
        )  # fmt: skip

    def refute(
        self, kinds: Any = ("placebo", "random_cause", "subset", "hidden_cause"), *,
        n_repeats: int = 20, strength: float = 0.1, random_state: Any = None,
    ) -> tuple[Refutation, ...]:  # fmt: skip
        """Try to break the estimate: see :func:`refuted`.

        Parameters
        ----------
        kinds : str or sequence of str
            ``"placebo"`` (shuffled treatment: the effect must vanish), ``"random_cause"`` (a
            further covariate of noise: nothing may change), ``"subset"`` (random parts of the rows:
            nothing may change), ``"hidden_cause"`` (a simulated confounder that is not adjusted
            for: how much would change).
        n_repeats : int
            Repetitions of each.
        strength : float
            Share of the deviations of treatment and outcome that the hidden cause is worth.
        random_state : int, Generator or RandomState, optional

        Returns
        -------
        tuple of Refutation
        """
        check_is_fitted(self, "effect_")
        return refuted(
            self.method_, self._data, self._nuisances, self.scores_, kinds, n_repeats, strength,
            generator(self.random_state if random_state is None else random_state),
        )  # fmt: skip
