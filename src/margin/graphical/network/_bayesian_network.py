"""Bayesian networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.core import Card, atomic, check, threads
from margin.core.random import generator
from margin.graphical._domain import Domain
from margin.graphical._network import Network
from margin.graphical.engines._engine import Engine
from margin.graphical.engines._network_engine import network_engine
from margin.graphical.engines._set_by_row import is_rows, set_by_row
from margin.graphical.formats._network_formats import NetworkFormats
from margin.graphical.network._build import build
from margin.graphical.network._fit import FitSettings, fit
from margin.graphical.network._network_insight import NetworkInsight
from margin.graphical.network._parameter_fit import Prior
from margin.graphical.queries._joint_model import JointModel


class BayesianNetwork(NetworkFormats, NetworkInsight, JointModel, BaseEstimator):
    r"""Directed graphical model :math:`p(x) = \prod_j p(x_j \mid x_{\mathrm{pa}(j)})`.

    Serves graphical.01: checked tables, joint probability, ancestral sampling; with
    ``n_parameters`` graphical.02. Nodes are discrete (:class:`TableCPD`, :class:`NoisyOr`,
    :class:`LogisticCPD`, :class:`SoftmaxCPD`) or continuous (:class:`LinearGaussianCPD`,
    :class:`ConditionalGaussianCPD`). Answers are exact.

    Parameters
    ----------
    edges : iterable of (parent, child), or DAG
        Arrows. Parents keep the order in which their arrows are listed.
    cpds : mapping of str to CPD or array-like, optional
        Conditional distribution of every node; an array is a table with one axis per parent and
        the node last. Without it, call ``fit``.
    states : mapping of str to sequence, optional
        States of the nodes in the order of the tables; 0, 1, … by default. Nodes without any
        arrow may be named here. Once the distributions are known, the attribute lists the states
        of every discrete node.
    alpha : float, default=0.0
        Imaginary observations of every cell in ``fit``; 0 is maximum likelihood.
    equivalent_sample_size : float, default=0.0
        Imaginary observations of every table, spread over its cells (the BDeu prior).
    continuous : iterable of str, default=()
        Nodes that ``fit`` models by regression, beside those whose columns hold numbers that are
        not whole and that have no ``states``.
    tol : float, default=1e-6
        Change of a probability at which EM stops.
    max_iter : int, default=1000
        Most EM iterations.
    memory_limit : int, optional
        Most bytes of the tables of inference; more is refused.
    n_jobs : int, optional
        Threads; the answers do not depend on it.

    Attributes
    ----------
    fit_report_ : FitReport
        How the parameters were learned; after ``fit``.

    Examples
    --------
    >>> network = BayesianNetwork.from_edges(
    ...     [("burglary", "alarm"), ("earthquake", "alarm")],
    ...     {"burglary": [0.99, 0.01], "earthquake": [0.98, 0.02],
    ...      "alarm": [[[0.999, 0.001], [0.7, 0.3]], [[0.1, 0.9], [0.05, 0.95]]]},
    ...     states={name: ["no", "yes"] for name in ("burglary", "earthquake", "alarm")})
    >>> network.query("burglary", {"alarm": "yes"})
    burglary  probability
    no        0.434052
    yes       0.565948
    >>> round(network.query("burglary", {"alarm": "yes", "earthquake": "yes"}).values[1], 6)
    np.float64(0.030995)
    >>> network.n_parameters, network.n_parameters_joint
    (6, 7)
    """

    card = Card(tasks=("density",), input="categorical", search_space={"alpha": (0.1, 10.0, "log")})

    def __init__(
        self,
        edges: Any = None,
        cpds: Any = None,
        *,
        states: Any = None,
        alpha: float = 0.0,
        equivalent_sample_size: float = 0.0,
        continuous: Any = (),
        tol: float = 1e-6,
        max_iter: int = 1000,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.edges = edges
        self.cpds = cpds
        self.states = states
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.continuous = continuous
        self.tol = tol
        self.max_iter = max_iter
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs

    @classmethod
    def from_edges(
        cls, edges: Any, cpds: Any = None, states: Any = None, **parameters: Any
    ) -> Self:
        """Network from arrows and distributions, checked at once; ``cpds`` may be learned later."""
        network = cls(edges, cpds, states=states, **parameters)
        network._structure()
        return network

    @atomic
    def fit(self, frame: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the distributions from rows; NaN means unobserved, absent columns are latent.

        Parameters
        ----------
        frame : data frame
            One column per node. A node without a column is latent and needs ``states``.
        y : ignored
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        self
        """
        check.params(
            self, nonnegative="alpha equivalent_sample_size", positive="tol", count="max_iter"
        )
        settings = FitSettings(
            frozenset(self.continuous),
            Prior(self.alpha, self.equivalent_sample_size),
            self.tol,
            self.max_iter,
            threads.count(self.n_jobs),
        )
        fitted, solution = fit(self._structure(), frame, sample_weight, settings)
        self.__dict__.pop("_observational", None)
        self._network = fitted
        self.fit_report_ = check.report(self, solution)
        return self

    def log_prob(self, frame: Any) -> Any:
        """Logarithm of the probability (density) of every row; NaN is summed out exactly."""
        return self._engine().log_prob(frame)

    def score(self, frame: Any, y: Any = None) -> float:
        """Mean log-probability of the rows."""
        return float(np.mean(self.log_prob(frame)))

    def sample(
        self,
        n_samples: int = 1,
        evidence: Any = None,
        *,
        do: Any = None,
        random_state: Any = None,
        as_frame: bool = True,
    ) -> Any:
        """Independent draws, of everything or of what the evidence leaves open.

        Parameters
        ----------
        n_samples : int
            How many.
        evidence : mapping, optional
            What is observed, as for :meth:`query`; after the intervention where there is one.
        do : mapping of str to state or number, data frame or list of mappings, optional
            Nodes that are set from outside: arrows into them are cut.
        random_state : None, int, Generator or RandomState
        as_frame : bool
            Whether to name states and gather the columns in a data frame.

        Returns
        -------
        DataFrame (or, for ``as_frame=False``, dict of str to ndarray of codes or values)
        """
        wrong = isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer)
        if wrong or n_samples < 0:
            raise check.fail(self, "n_samples", "an integer of at least 0", n_samples)
        engine, known = self._asked(do, evidence)
        drawn = engine.sample(int(n_samples), known, generator(random_state))
        return self._model.frame(drawn) if as_frame else drawn

    def __dir__(self) -> list[str]:
        # scikit-learn's asks for the value of every attribute, and there is no model without cpds
        return list(object.__dir__(self))

    @property
    def _domain(self) -> Domain:
        return self._model.domain

    @property
    def _model(self) -> Network:
        network = self._structure()
        if not network.cpds:
            raise check.fail(self, "cpds", "given, or learned by fit", None)
        return network

    def _structure(self) -> Network:
        if getattr(self, "_network", None) is None:
            self._network = build(type(self).__name__, self.edges, self.cpds, self._given_states)
        return self._network

    def _discrete(self, method: str) -> Network:
        if self._model.continuous:
            raise check.fail(self, "nodes", f"discrete for {method}", self._model.continuous[0])
        return self._model

    def _engine(self, do: Mapping[str, Any] | None = None) -> Engine:
        limits = threads.count(self.n_jobs), self.memory_limit
        if do:
            return network_engine(self._model.intervene(do), *limits)
        if "_observational" not in self.__dict__:
            self._observational = network_engine(self._model, *limits)
        return self._observational

    def _asked(self, do: Any, evidence: Any) -> tuple[Engine, Any]:
        if not is_rows(do):
            return self._engine(do), evidence
        network, known = set_by_row(self._model, do, evidence)
        return network_engine(network, threads.count(self.n_jobs), self.memory_limit), known

    @property
    def states(self) -> Any:
        """State names of every discrete node, in the order of answers; before, those given."""
        learned = getattr(self, "_network", None)
        if self.cpds is None and (learned is None or not learned.cpds):
            return self._given_states
        return dict(self._domain.states)

    @states.setter
    def states(self, states: Any) -> None:
        self._given_states = states

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters as they were given to the constructor."""
        given = {name: getattr(self, name) for name in self._get_param_names() if name != "states"}
        return {**given, "states": self._given_states}

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        network = getattr(self, "_network", None)
        if network is None:
            return str(super().__repr__(N_CHAR_MAX))
        size = f"{network.n_parameters} parameters" if network.cpds else "not fitted yet"
        return f"BayesianNetwork({len(network.names)} nodes, {len(network.edges)} edges, {size})"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        # The parameters of a network are its tables: too much for a notebook.
        return {"text/plain": repr(self)}

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {k: v for k, v in state.items() if k != "_observational"}
