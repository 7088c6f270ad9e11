"""Effects that differ between people."""

from typing import Any, Self

import numpy as np
from scipy.stats import norm
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.causal.conditional._learners import LEARNERS, Learner
from margin.causal.conditional._modifiers import Modifiers
from margin.causal.effects._questions import as_names, question
from margin.causal.methods._effect_data import EffectData, effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.core import atomic, check
from margin.core.random import generator
from margin.core.types import Floats


class EffectModifier(BaseEstimator):
    r"""Conditional effect :math:`\tau(x) = E[Y(1) - Y(0) \mid X = x]` of a treatment.

    Parameters
    ----------
    graph : CausalGraph, DAG, PDAG, PAG, MixedGraph, arrows or dagitty's text, optional
    treatment, outcome : names
        A treatment of two levels, or of numbers for ``"r"`` and ``"forest"``.
    adjustment : list of names, optional
        Covariates; those that the graph asks for by default.
    modifiers : list of names, optional
        Columns that the effect may depend on; the covariates by default.
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
        Of the plane, in the units of the modifiers; with ``intercept_``.
    average_ : float
        Mean of the effects of the rows of the fit.
    surface_ : Surface

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
        if self.n_bootstrap != 0:
            check.params(self, count="n_bootstrap")
        learner = self.method
        if not isinstance(learner, Learner):
            if not isinstance(learner, str) or learner not in LEARNERS:
                raise check.fail(self, "method", f"one of {tuple(LEARNERS)} or a Learner", learner)
            learner = LEARNERS[learner]
        coded, data, M = self._posed(frame, sample_weight)
        rng = generator(self.random_state)
        nuisance = Nuisance(
            self.propensity_model, self.outcome_model, self.treatment_model, self.n_folds,
            self.clip, int(rng.integers(2**31)),
        )  # fmt: skip
        found = learner.surface(data, M, nuisance, self.final_model)
        draws = []
        for _ in range(self.n_bootstrap):
            counts = rng.multinomial(data.n, np.full(data.n, 1 / data.n))
            rows = np.flatnonzero(counts)
            part = data.rows(rows).weighted((data.weight * counts)[rows])
            draws.append(learner.surface(part, M[rows], nuisance, self.final_model))
        self.surface_, self._draws, self._coded = found, tuple(draws), coded
        self.average_ = float(data.weight @ found.values(M) / data.weight.sum())
        coef = getattr(found, "coef", None)
        self.intercept_ = None if coef is None else float(coef[0])
        self.coef_ = (
            None if coef is None else dict(zip(coded.columns, map(float, coef[1:]), strict=True))
        )
        return self

    def _posed(self, frame: Any, sample_weight: Any) -> tuple[Modifiers, EffectData, Floats]:
        owner = type(self).__name__
        treatment = as_names(self, "treatment", self.treatment)
        outcome = as_names(self, "outcome", self.outcome)
        asked = question(owner, self.graph, treatment, outcome, self.adjustment, None)
        if asked.method != "backdoor":
            found = None if asked.estimand is None else asked.estimand.formula()
            raise check.fail(self, "graph", "with an effect by adjustment", found)
        chosen = (
            asked.covariates if self.modifiers is None
            else as_names(self, "modifiers", self.modifiers)
        )  # fmt: skip
        if not chosen:
            raise check.fail(self, "modifiers", "at least one column", chosen)
        every = tuple(dict.fromkeys((*asked.covariates, *chosen)))
        data = effect_data(
            owner, frame, treatment, outcome[0], every, baseline=self.baseline,
            sample_weight=sample_weight,
        )  # fmt: skip
        coded = Modifiers.learned(self, frame, chosen)
        return coded, data, coded.rows(self, frame)

    def predict(self, X: Any) -> Floats:
        """Effect of every row of a frame with the modifiers."""
        check_is_fitted(self, "surface_")
        return self.surface_.values(self._coded.rows(self, X))

    def predict_interval(self, X: Any, level: float | None = None) -> Floats:
        """Intervals of the effects, of shape (n, 2)."""
        check_is_fitted(self, "surface_")
        M = self._coded.rows(self, X)
        share = self.level if level is None else level
        if not 0 < share < 1:
            raise check.fail(self, "level", "between 0 and 1", share)
        if self._draws:
            values = np.array([draw.values(M) for draw in self._draws])
            return np.asarray(np.quantile(values, [0.5 - share / 2, 0.5 + share / 2], axis=0).T)
        error = self.surface_.errors(M)
        if error is None:
            raise check.fail(self, "n_bootstrap", "above 0 for intervals of this method", 0)
        reach, values = norm.ppf(0.5 + share / 2) * error, self.surface_.values(M)
        return np.column_stack([values - reach, values + reach])
