"""Bayesian optimisation: the next point to try, from a Gaussian process of what was seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning

from margin.core import check
from margin.core import random as randomness
from margin.core.types import Floats
from margin.gp.optimisation._acquisition import (
    confidence_bound,
    expected_improvement,
    probability_of_improvement,
)
from margin.gp.optimisation._search_space import SearchSpace
from margin.gp.regression._regressor import GaussianProcessRegressor
from margin.kernels import Matern, White

_RANDOM, _NEAR, _TOP = 1000, 100, 5
_NUGGET, _MARGIN = 1e-8, 1e-3


class GaussianProcessOptimizer:
    """Minimises an expensive function by asking where to evaluate it next.

    After ``n_initial`` points that fill the space, a Gaussian process with a Matérn kernel and one
    length scale per column is fitted to what was told; the next point maximises an acquisition
    function that weighs what is likely to be low against what is not known.

    Parameters
    ----------
    space : mapping or SearchSpace
        Parameters: a list of choices, ``(low, high)`` or ``(low, high, "linear" | "log")``;
        integer ends mean whole numbers.
    acquisition : {"ei", "pi", "ucb"}, default="ei"
        Expected improvement, probability of improvement, or confidence bound.
    batch : {"liar", "penalise"}, default="liar"
        How several points at once are kept apart: points under way are taken to have the lowest
        value so far, or the acquisition is damped around them.
    n_initial : int, default=8
        Points before the first model.
    noise : float or None, default=None
        Variance of the noise of the values; None learns it.
    kappa : float, default=2.0
        Standard deviations of the confidence bound.
    random_state : int, Generator or None, default=None

    Attributes
    ----------
    params, values : list
        What was told so far.

    Examples
    --------
    >>> from margin.gp import GaussianProcessOptimizer
    >>> search = GaussianProcessOptimizer({"x": (-2.0, 2.0)}, noise=0.0, random_state=0)
    >>> search.minimise(lambda x: (x - 0.7) ** 2, 15)["x"]  # doctest: +ELLIPSIS
    0.7...
    >>> len(search.values)
    15
    """

    def __init__(
        self,
        space: Mapping[str, Any] | SearchSpace,
        *,
        acquisition: str = "ei",
        batch: str = "liar",
        n_initial: int = 8,
        noise: float | None = None,
        kappa: float = 2.0,
        random_state: Any = None,
    ) -> None:
        self.acquisition, self.batch, self.n_initial = acquisition, batch, n_initial
        self.noise, self.kappa, self.random_state = noise, kappa, random_state
        choices = {"acquisition": ("ei", "pi", "ucb"), "batch": ("liar", "penalise")}
        check.params(self, count="n_initial", nonnegative="kappa", one_of=choices)
        if noise is not None:
            check.params(self, nonnegative="noise")
        self.space = space if isinstance(space, SearchSpace) else SearchSpace(space)
        self._rng = randomness.generator(random_state)
        self._start = self.space.sample(n_initial, self._rng)
        self.params: list[dict[str, Any]] = []
        self.values: list[float] = []
        self._waiting: list[dict[str, Any]] = []

    @property
    def best_params(self) -> dict[str, Any]:
        """Parameters of the lowest value told."""
        self._need_values()
        return self.params[int(np.argmin(self.values))]

    @property
    def best_value(self) -> float:
        """The lowest value told."""
        self._need_values()
        return min(self.values)

    def _need_values(self) -> None:
        if not self.values:
            raise ValueError(f"{type(self).__name__}: tell must be called first, got no values")

    def tell(self, params: Mapping[str, Any], value: float) -> None:
        """Take note of the value at a point, asked for or not."""
        number = float(value)
        if not np.isfinite(number):
            raise check.fail(self, "value", "a finite number", value)
        self.space.encode(params)
        self.params.append(dict(params))
        self.values.append(number)
        if dict(params) in self._waiting:
            self._waiting.remove(dict(params))

    def ask(self, n: int = 1) -> list[dict[str, Any]]:
        """The next points to evaluate, different from one another where the space allows it."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise check.fail(self, "n", "an integer of at least 1", n)
        points: list[dict[str, Any]] = []
        for _ in range(n):
            if self._start:
                point = self._start.pop()
            elif len(self.values) < 2:
                point = self.space.sample(1, self._rng)[0]
            else:
                point = self._next()
            self._waiting.append(point)
            points.append(point)
        return points

    def minimise(self, function: Callable[..., float], n_calls: int) -> dict[str, Any]:
        """Evaluate ``function(**params)`` that many times; the best parameters seen."""
        for _ in range(n_calls):
            (point,) = self.ask()
            self.tell(point, function(**point))
        return self.best_params

    def model(self) -> GaussianProcessRegressor:
        """The process fitted to what was told, on the encoded cube."""
        return self._fit(self.params, self.values)

    def _fit(self, params: Sequence[Any], values: Sequence[float]) -> GaussianProcessRegressor:
        X, y = np.array([self.space.encode(p) for p in params]), np.array(values)
        kernel = 1.0 * Matern((0.5,) * X.shape[1], nu=2.5)
        alpha = _NUGGET
        if self.noise is None:
            kernel = kernel + White(1e-2)
        elif np.var(y) > 0:
            alpha = max(alpha, self.noise / float(np.var(y)))
        process = GaussianProcessRegressor(
            kernel=kernel, alpha=alpha, normalize_y=True, method="exact", tol=1e-3, max_iter=50
        )
        with warnings.catch_warnings():
            # Points crowd around a minimum; hyper-parameters of low precision serve as well.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return process.fit(X, y)

    def _next(self) -> dict[str, Any]:
        model = self.model()
        known = model.predict(np.array([self.space.encode(p) for p in self.params]))
        # An improvement within rounding errors is none: without the margin the search would stay.
        best, waiting = float(known.min() - _MARGIN * np.std(self.values)), self._waiting
        if waiting and self.batch == "liar":
            model.set_params(kernel=model.kernel_, optimizer=None)
            points = [self.space.encode(p) for p in (*self.params, *waiting)]
            model.fit(
                np.array(points), np.array([*self.values, *[min(self.values)] * len(waiting)])
            )
        order = np.argsort(self.values)[:_TOP]
        pool = self.space.sample(_RANDOM, self._rng)
        for i in order:
            pool += self.space.nearby(self.params[i], _NEAR, self._rng)
        pool = self._ranked(model, pool, best)
        for point in pool[:_TOP]:
            pool = pool + self.space.nearby(point, _NEAR, self._rng)
        pool = self._ranked(model, pool, best)
        fresh = (p for p in pool if p not in self.params and p not in waiting)
        return next(fresh, pool[0])

    def _ranked(self, model: Any, pool: list[Any], best: float) -> list[Any]:
        X = np.array([self.space.encode(p) for p in pool])
        there = model.predict_dist(X, latent=True)
        mean, std = there.mean, np.sqrt(there.var)
        if self.acquisition == "ei":
            score = expected_improvement(mean, std, best)
        elif self.acquisition == "pi":
            score = probability_of_improvement(mean, std, best)
        else:
            score = confidence_bound(mean, std, self.kappa)
            score = score - score.min()
        if self._waiting and self.batch == "penalise":
            score = score * self._damping(model, X, mean, best)
        return [pool[i] for i in np.argsort(-score, kind="stable")]

    def _damping(self, model: Any, X: Floats, mean: Floats, best: float) -> Floats:
        """Probability that a point is outside the balls around points under way.

        A function of slope at most ``L`` and value ``m`` at a point cannot reach the best value
        closer than ``(m - best) / L``.
        """
        near = np.linalg.norm(X[:, None] - X[None, :50], axis=2)
        rise = np.abs(mean[:, None] - mean[None, :50])
        slope = max(float((rise[near > 1e-3] / near[near > 1e-3]).max(initial=0.0)), 1e-12)
        centres = np.array([self.space.encode(p) for p in self._waiting])
        there = model.predict_dist(centres, latent=True)
        away = slope * np.linalg.norm(X[:, None] - centres[None], axis=2)
        z = (away - (there.mean - best)) / np.sqrt(there.var + 1e-12)
        return np.asarray(np.prod(ndtr(z), axis=1))
