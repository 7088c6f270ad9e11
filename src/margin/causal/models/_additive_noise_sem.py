"""Structural equations of any shape with additive noise."""

from collections.abc import Hashable, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.causal.models._interventions import (
    Intervention,
    Shift,
    interventions,
    order_under,
    refuse_contradictions,
)
from margin.causal.models._sem_frames import causal_dag, known_rows, ordered
from margin.causal.models._weighted_draws import WeightedDraws, noise_log_density
from margin.core import atomic, check, unfitted
from margin.core.random import generator
from margin.core.types import Floats
from margin.linear import GeneralisedAdditiveModel

Name = Hashable


class AdditiveNoiseSEM(BaseEstimator):
    r"""Structural equations :math:`X_j = f_j(X_{\mathrm{pa}(j)}) + N_j` (causal.05, causal.10).

    The functions are regressions of any kind, the noise is that of the residuals. Interventions
    and counterfactuals (causal.14) go through the equations; evidence weighs draws by the density
    of the noise that it would have taken.

    Parameters
    ----------
    graph : CausalGraph, or arrows
    regressor : regressor, optional
        Any of scikit-learn's kind; a sum of smooth functions by default.
    n_samples : int, default=10_000
        Draws of a query.
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    names_ : tuple
    functions_ : dict of name to fitted regressor or float
        Means of variables without causes.
    residuals_ : dict of name to ndarray
        Noise as it was found, of mean zero.

    Notes
    -----
    With functions that are not lines, or noise that is not Gaussian, the direction of the arrows
    leaves traces in the residuals: only in the right one are they independent of the causes.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import AdditiveNoiseSEM
    >>> x = np.linspace(-2, 2, 200)
    >>> sem = AdditiveNoiseSEM([("x", "y")]).fit({"x": x, "y": x**2})
    >>> world = sem.counterfactual({"x": 1.0, "y": 3.0}, do={"x": 2.0})
    >>> round(float(world["y"]), 1)
    6.0
    """

    def __init__(
        self, graph: Any = None, regressor: Any = None, *, n_samples: int = 10_000,
        random_state: Any = None,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.regressor = regressor
        self.n_samples = n_samples
        self.random_state = random_state

    @atomic
    def fit(self, frame: Any, y: Any = None) -> Self:
        """Learn every equation from the rows that know all of its variables."""
        check.params(self, count="n_samples")
        dag = causal_dag(type(self).__name__, self.graph)
        names = tuple(dag.topological_order())
        rows = known_rows(self, frame, names)
        functions: dict[Name, Any] = {}
        residuals: dict[Name, Floats] = {}
        parents = {name: tuple(dag.parents(name)) for name in names}
        for j, name in enumerate(names):
            above = [names.index(p) for p in parents[name]]
            known = np.isfinite(rows[:, [j, *above]]).all(axis=1)
            if known.sum() < 2:
                need = "known together with its causes in two rows"
                raise check.fail(self, f"column {name!r}", need, int(known.sum()))
            target = rows[known, j]
            if not above:
                functions[name] = float(target.mean())
                residuals[name] = target - target.mean()
                continue
            model = GeneralisedAdditiveModel() if self.regressor is None else self.regressor
            causes = rows[known][:, above]
            functions[name] = unfitted(model).fit(causes, target)
            noise = target - functions[name].predict(causes)
            residuals[name] = noise - noise.mean()
        self.names_, self.parents_ = names, parents
        self.functions_, self.residuals_ = functions, residuals
        self.n_features_in_ = len(names)
        return self

    def _mean(self, name: Name, values: Mapping[Name, Floats], n: int) -> Floats:
        function = self.functions_[name]
        if isinstance(function, float):
            return np.full(n, function)
        above = np.column_stack([values[p] for p in self.parents_[name]])
        return np.asarray(function.predict(above), dtype=np.float64)

    def _fitted(self) -> None:
        if not hasattr(self, "functions_"):
            raise check.fail(self, "model", "fitted", "not")

    def sample(
        self, n_samples: int = 1, *, do: Mapping[Name, Any] | None = None, random_state: Any = None
    ) -> dict[Name, Floats]:
        """Draws of all variables, also under an intervention, by name."""
        self._fitted()
        rng = generator(random_state)
        acts = interventions(self, self.names_, do)
        noise = {name: rng.choice(self.residuals_[name], n_samples) for name in self.names_}
        return self._propagated(noise, acts, rng, n_samples)

    def _propagated(
        self, noise: Mapping[Name, Floats], acts: Mapping[Name, Intervention],
        rng: np.random.Generator, n: int,
    ) -> dict[Name, Floats]:  # fmt: skip
        values: dict[Name, Floats] = {}
        for name in order_under(self, self.parents_, acts):
            act = acts.get(name)
            if act is not None and not act.keeps_edges:
                values[name] = act.apply(noise[name], values, rng)
                continue
            natural = self._mean(name, values, n) + noise[name]
            values[name] = natural if act is None else act.apply(natural, values, rng)
        return {name: values[name] for name in self.names_}

    def query(
        self, targets: Any, evidence: Any = None, *,
        do: Mapping[Name, Any] | None = None, random_state: Any = None,
    ) -> WeightedDraws:  # fmt: skip
        """Law of some variables given others, after an intervention, by weighted draws.

        Parameters
        ----------
        targets : name or list of names
        evidence : mapping or data frame, optional
            What is observed; a frame asks once per row, NaN means unobserved.
        do : mapping of name to number or Intervention, optional
        random_state : None, int, Generator or RandomState

        Returns
        -------
        WeightedDraws
            Evidence that the model finds all but impossible leaves few effective draws.
        """
        self._fitted()
        names = tuple(targets) if isinstance(targets, list | tuple) else (targets,)
        for name in names:
            if name not in self.names_:
                raise check.fail(self, "targets", f"among {self.names_}", name)
        rng = generator(self.random_state if random_state is None else random_state)
        rows, single = ordered(self, {} if evidence is None else evidence, self.names_)
        acts = interventions(self, self.names_, do)
        refuse_contradictions(self, self.names_, rows, acts)
        draws = np.empty((len(rows), self.n_samples, len(names)))
        log_weights = np.empty((len(rows), self.n_samples))
        for i, row in enumerate(rows):
            values, log_weights[i] = self._weighed(row, acts, rng)
            draws[i] = np.column_stack([values[name] for name in names])
        weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
        answer = WeightedDraws(names, draws, weights / weights.sum(axis=1, keepdims=True))
        return answer.first() if single else answer

    def _weighed(
        self, row: Floats, acts: Mapping[Name, Intervention], rng: np.random.Generator
    ) -> tuple[dict[Name, Floats], Floats]:
        """Draws of one row with what is observed put in, and the log-density of that."""
        values: dict[Name, Floats] = {}
        log_weight = np.zeros(self.n_samples)
        for name in order_under(self, self.parents_, acts):
            seen, act = row[self.names_.index(name)], acts.get(name)
            noise = rng.choice(self.residuals_[name], self.n_samples)
            if act is not None and not act.keeps_edges:
                # A law that listens to nothing weighs all draws alike.
                known = np.isfinite(seen)
                values[name] = (
                    np.full(self.n_samples, seen) if known else act.apply(noise, values, rng)
                )
                continue
            mean = self._mean(name, values, self.n_samples)
            if np.isfinite(seen):
                log_weight += self._log_density(name, seen, mean, act)
                values[name] = np.full(self.n_samples, seen)
            else:
                values[name] = mean + noise if act is None else act.apply(mean + noise, values, rng)
        return values, log_weight

    def _log_density(
        self, name: Name, seen: float, mean: Floats, act: Intervention | None
    ) -> Floats:
        """Of the noise that a value would have taken, but for a constant."""
        if isinstance(act, Shift):
            if act.times == 0:
                need = f"not about {name!r}, which was scaled by 0"
                raise check.fail(self, "evidence", need, seen)
            seen = (seen - act.by) / act.times
        return noise_log_density(self.residuals_[name], seen - mean)

    def counterfactual(
        self, factual: Any, *, do: Mapping[Name, Any], random_state: Any = None
    ) -> dict[Name, Any]:
        """What would have been, for the very rows that were seen (causal.14).

        The noise of a row is what its values leave over, :math:`n_j = x_j - f_j(x_{pa})`; it is
        kept while the equations of ``do`` are replaced.

        Parameters
        ----------
        factual : mapping or data frame
            Complete rows.
        do : mapping of name to number or Intervention

        Returns
        -------
        dict of name to float or ndarray
        """
        self._fitted()
        rows, single = ordered(self, factual, self.names_)
        unknown = ~np.isfinite(rows)
        if unknown.any():
            name = self.names_[int(np.argmax(unknown.any(axis=0)))]
            raise check.fail(self, "factual", "complete: the noise is read off every value", name)
        seen = {name: rows[:, j] for j, name in enumerate(self.names_)}
        noise = {n: seen[n] - self._mean(n, seen, len(rows)) for n in self.names_}
        acts = interventions(self, self.names_, do)
        values = self._propagated(noise, acts, generator(random_state), len(rows))
        return {n: float(v[0]) if single else v for n, v in values.items()}
