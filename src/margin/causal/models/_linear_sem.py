"""Linear structural equations with Gaussian noise: every answer in closed form."""

from collections.abc import Hashable, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.models._gaussian_answer import GaussianAnswer, conditioned
from margin.causal.models._interventions import (
    Hard,
    Intervention,
    Shift,
    Stochastic,
    interventions,
    order_under,
    refuse_contradictions,
)
from margin.causal.models._sem_frames import causal_dag, known_rows, ordered
from margin.core import atomic, check, extra
from margin.core.random import generator
from margin.core.types import Floats
from margin.graphical import BayesianNetwork

Name = Hashable


class LinearSEM(BaseEstimator):
    r"""Structural equations :math:`X_j = c_j + \sum_k B_{jk} X_k + N_j` (causal.05, causal.10).

    With :math:`N \sim N(0, D)` the variables are jointly normal with mean
    :math:`(I - B)^{-1} c` and covariance :math:`(I - B)^{-1} D (I - B)^{-\top}`; an intervention
    replaces rows of :math:`B`, :math:`c` and :math:`D`, and a counterfactual keeps the noise of a
    person (causal.14).

    Parameters
    ----------
    graph : CausalGraph, or arrows
        Who causes whom, without hidden causes.

    Attributes
    ----------
    names_ : tuple
        Variables, in an order in which causes come first.
    coef_ : ndarray of shape (d, d)
        :math:`B`: the row of an effect, the column of a cause.
    intercept_ : ndarray of shape (d,)
    noise_variance_ : ndarray of shape (d,)

    Notes
    -----
    Linear equations with Gaussian noise are not identifiable: both directions of an arrow fit two
    variables equally well, so the graph has to be known. Unknown values (NaN) are integrated out by
    EM in ``fit`` and exactly in queries.

    Examples
    --------
    >>> from margin.causal import LinearSEM
    >>> sem = LinearSEM.from_coefficients({("z", "x"): 1.0, ("z", "y"): 2.0, ("x", "y"): 0.5})
    >>> sem.query("y", {"x": 1.0}).mean, sem.query("y", do={"x": 1.0}).mean
    (array([1.5]), array([0.5]))
    >>> sem.counterfactual({"z": 1.0, "x": 1.0, "y": 4.0}, do={"x": 0.0})["y"].mean
    array([3.5])
    """

    def __init__(self, graph: Any = None) -> None:
        self.graph = graph

    @classmethod
    def from_coefficients(
        cls,
        coefficients: Mapping[tuple[Name, Name], float],
        intercepts: Mapping[Name, float] | None = None,
        noise_variances: Mapping[Name, float] | None = None,
    ) -> Self:
        """Equations that are known: ``{(cause, effect): coefficient}``; noise of variance 1."""
        graph = CausalGraph.from_edges(coefficients)
        model = cls(graph)
        dag = causal_dag(cls.__name__, graph)
        order = dag.topological_order()
        place = {name: i for i, name in enumerate(order)}
        B = np.zeros((len(order), len(order)))
        for (cause, effect), value in coefficients.items():
            B[place[effect], place[cause]] = value
        given, noise = dict(intercepts or {}), dict(noise_variances or {})
        D = np.array([float(noise.get(name, 1.0)) for name in order])
        if (D < 0).any():
            raise check.fail(cls.__name__, "noise_variances", "at least 0", D.min())
        model._keep(order, B, np.array([float(given.get(name, 0.0)) for name in order]), D)
        return model

    @atomic
    def fit(self, frame: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Regress every variable on its causes; NaN means unobserved.

        Parameters
        ----------
        frame : data frame or mapping
        y : ignored
        sample_weight : array-like of shape (n,), optional
        """
        dag = causal_dag(type(self).__name__, self.graph)
        order = tuple(dag.topological_order())
        rows = known_rows(self, frame, order)
        pd = extra("pandas", "fitting structural equations")
        table = pd.DataFrame({str(i): rows[:, i] for i in range(len(order))})
        place = {name: i for i, name in enumerate(order)}
        arrows = [(str(place[a]), str(place[b])) for a, b in dag.edges]
        # Every variable takes part, also one without arrows: the last column of the order ties it.
        lone = [str(i) for i in range(len(order)) if not any(str(i) in arrow for arrow in arrows)]
        B, c, D = (np.zeros((len(order),) * 2), np.zeros(len(order)), np.ones(len(order)))
        for name in lone:
            weight = check.weights(self, sample_weight, len(rows))
            w = np.ones(len(rows)) if weight is None else weight
            seen = np.isfinite(rows[:, int(name)])
            values, share = rows[seen, int(name)], w[seen] / w[seen].sum()
            c[int(name)] = share @ values
            D[int(name)] = share @ (values - c[int(name)]) ** 2
        if arrows:
            joined = [str(i) for i in range(len(order)) if str(i) not in lone]
            network = BayesianNetwork(arrows, continuous=joined)
            network.fit(table[joined], sample_weight=sample_weight)
            for name in joined:
                cpd: Any = network._model.cpds[name]
                parents = network._model.parents[name]
                c[int(name)], D[int(name)] = float(cpd.intercept), float(cpd.variance)
                B[int(name), [int(p) for p in parents]] = cpd.coef
        self._keep(order, B, c, D)
        return self

    def _keep(self, names: Any, B: Floats, c: Floats, D: Floats) -> None:
        self.names_ = tuple(names)
        self.coef_, self.intercept_, self.noise_variance_ = B, c, D
        self.n_features_in_ = len(self.names_)

    def _places(self, names: Any) -> list[int]:
        self._fitted()
        listed = names if isinstance(names, list | tuple) else [names]
        for name in listed:
            if name not in self.names_:
                raise check.fail(self, "targets", f"among {self.names_}", name)
        return [self.names_.index(name) for name in listed]

    def _fitted(self) -> None:
        if not hasattr(self, "coef_"):
            raise check.fail(self, "model", "fitted, or made by from_coefficients", "neither")

    def _mechanisms(self, do: Mapping[Name, Any] | None) -> tuple[Floats, Floats, Floats]:
        """B, c and D after an intervention."""
        self._fitted()
        B, c, D = self.coef_.copy(), self.intercept_.copy(), self.noise_variance_.copy()
        for name, act in interventions(self, self.names_, do).items():
            j = self.names_.index(name)
            if isinstance(act, Shift):
                B[j], c[j], D[j] = act.times * B[j], act.times * c[j] + act.by, act.times**2 * D[j]
                continue
            mean, variance = _moments(self, name, act)
            B[j], c[j], D[j] = 0.0, mean, variance
        return B, c, D

    def _joint(self, do: Mapping[Name, Any] | None = None) -> tuple[Floats, Floats]:
        B, c, D = self._mechanisms(do)
        A = np.linalg.inv(np.eye(len(c)) - B)
        return A @ c, (A * D) @ A.T

    def query(
        self, targets: Any, evidence: Any = None, *, do: Mapping[Name, Any] | None = None
    ) -> GaussianAnswer:
        """Law of some variables given others, after an intervention.

        Parameters
        ----------
        targets : name or list of names
        evidence : mapping or data frame, optional
            What is observed; a frame asks once per row, NaN means unobserved.
        do : mapping of name to number or Intervention, optional

        Returns
        -------
        GaussianAnswer
        """
        at = self._places(targets)
        mean, cov = self._joint(do)
        names = tuple(self.names_[i] for i in at)
        if evidence is None:
            return GaussianAnswer(names, mean[at], cov[np.ix_(at, at)])
        rows, single = ordered(self, evidence, self.names_)
        refuse_contradictions(self, self.names_, rows, interventions(self, self.names_, do))
        means, covs = conditioned(mean, cov, rows)
        answer = GaussianAnswer(names, means[:, at], covs[:, at][:, :, at])
        return answer.first() if single else answer

    def sample(
        self, n_samples: int = 1, *, do: Mapping[Name, Any] | None = None, random_state: Any = None
    ) -> dict[Name, Floats]:
        """Draws of all variables, also under an intervention, by name."""
        self._fitted()
        rng = generator(random_state)
        acts = interventions(self, self.names_, do)
        noise = rng.standard_normal((n_samples, len(self.names_))) * np.sqrt(self.noise_variance_)
        return self._propagated(noise, acts, rng)

    def _propagated(
        self, noise: Floats, acts: Mapping[Name, Intervention], rng: np.random.Generator
    ) -> dict[Name, Floats]:
        values: dict[Name, Floats] = {}
        parents = {
            name: tuple(self.names_[k] for k in np.flatnonzero(row))
            for name, row in zip(self.names_, self.coef_, strict=True)
        }
        for name in order_under(self, parents, acts):
            j = self.names_.index(name)
            if name in acts and not acts[name].keeps_edges:
                values[name] = acts[name].apply(noise[:, j], values, rng)
                continue
            natural = self.intercept_[j] + noise[:, j]
            for k in np.flatnonzero(self.coef_[j]):
                natural = natural + self.coef_[j, k] * values[self.names_[k]]
            act = acts.get(name)
            values[name] = natural if act is None else act.apply(natural, values, rng)
        return {name: values[name] for name in self.names_}

    def log_prob(self, frame: Any) -> Floats:
        """Log-density of every row; NaN is integrated out."""
        self._fitted()
        rows, _ = ordered(self, frame, self.names_)
        mean, cov = self._joint()
        log_density = np.zeros(len(rows))
        for i, row in enumerate(rows):
            seen = np.isfinite(row)
            gap, part = row[seen] - mean[seen], cov[np.ix_(seen, seen)]
            log_density[i] = -0.5 * (
                gap @ np.linalg.solve(part, gap) + np.linalg.slogdet(2 * np.pi * part)[1]
            )
        return log_density

    def counterfactual(
        self, factual: Any, *, do: Mapping[Name, Any], targets: Any = None
    ) -> GaussianAnswer:
        """What would have been, for the very rows that were seen (causal.14).

        Abduction: the law of the noise given the facts. Action: the equations of ``do`` are
        replaced. Prediction: the noise goes through the new equations. Facts may be incomplete.

        Parameters
        ----------
        factual : mapping or data frame
            What happened; NaN, or a missing column, means unobserved.
        do : mapping of name to number or Shift
        targets : name or list of names, optional
            All variables by default.

        Returns
        -------
        GaussianAnswer
        """
        at = self._places(list(self.names_) if targets is None else targets)
        rows, single = ordered(self, factual, self.names_)
        d = len(self.names_)
        acts = interventions(self, self.names_, do)
        A = np.linalg.inv(np.eye(d) - self.coef_)
        # Facts x = A (c + n): the joint law of noise and facts, conditioned on the facts.
        D = np.diag(self.noise_variance_)
        mean = np.concatenate([np.zeros(d), A @ self.intercept_])
        cov = np.block([[D, D @ A.T], [A @ D, A @ D @ A.T]])
        hidden = np.full((len(rows), d), np.nan)
        means, covs = conditioned(mean, cov, np.hstack([hidden, rows]))
        B, c, keep = self.coef_.copy(), self.intercept_.copy(), np.ones(d)
        extra_noise = np.zeros(d)
        for name, act in acts.items():
            j = self.names_.index(name)
            if isinstance(act, Shift):
                B[j], c[j], keep[j] = act.times * B[j], act.times * c[j] + act.by, act.times
            else:
                mean_j, extra_noise[j] = _moments(self, name, act)
                B[j], c[j], keep[j] = 0.0, mean_j, 0.0
        A2 = np.linalg.inv(np.eye(d) - B)
        M = A2 * keep
        answer_mean = (A2 @ c) + means[:, :d] @ M.T
        answer_cov = M @ covs[:, :d, :d] @ M.T + (A2 * extra_noise) @ A2.T
        names = tuple(self.names_[i] for i in at)
        answer = GaussianAnswer(names, answer_mean[:, at], answer_cov[:, at][:, :, at])
        return answer.first() if single else answer

    def total_effect(self, treatment: Name, outcome: Name) -> float:
        """Change of the outcome per unit of the treatment along all paths (causal.08)."""
        return self.controlled_direct_effect(treatment, outcome, ())

    def direct_effect(self, treatment: Name, outcome: Name) -> float:
        """Along the arrow alone (causal.08)."""
        x, y = self._places([treatment, outcome])
        return float(self.coef_[y, x])

    def controlled_direct_effect(self, treatment: Name, outcome: Name, mediators: Any) -> float:
        """While mediators are held from outside (causal.08)."""
        held = list(mediators) if isinstance(mediators, list | tuple) else [mediators]
        x, y = self._places([treatment, outcome])
        B = self.coef_.copy()
        B[[x, *self._places(held)]] = 0.0
        return float(np.linalg.inv(np.eye(len(B)) - B)[y, x])

    def natural_effects(
        self, treatment: Name, outcome: Name, mediators: Any
    ) -> tuple[float, float]:
        """Natural direct and indirect effect; in linear models they add up to the total effect."""
        direct = self.controlled_direct_effect(treatment, outcome, mediators)
        return direct, self.total_effect(treatment, outcome) - direct


def _moments(owner: object, name: Name, act: Intervention) -> tuple[float, float]:
    if isinstance(act, Hard):
        return float(act.value), 0.0
    if isinstance(act, Stochastic) and hasattr(act.law, "mean") and hasattr(act.law, "var"):
        mean, var = act.law.mean, act.law.var
        return float(mean() if callable(mean) else mean), float(var() if callable(var) else var)
    raise check.fail(owner, f"do[{name!r}]", "a number, a Shift or a law with mean and var", act)
