"""Parameters of a Markov network of known cliques."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, memory, random, threads
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._clique_family import clique_family
from margin.graphical.learning.markov._clique_sweep import iteration_work
from margin.graphical.learning.markov._contrastive_divergence import contrast
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._markov_em import fit_incomplete
from margin.graphical.learning.markov._markov_gradient import maximise_likelihood
from margin.graphical.learning.markov._proportional_fitting import (
    clique_marginals,
    fit_decomposable,
    fit_proportionally,
)
from margin.graphical.learning.markov._pseudo_likelihood import maximise_pseudo_likelihood
from margin.graphical.learning.structure._table import categories
from margin.graphical.undirected._markov_network import MarkovNetwork
from margin.search import Categories

_NAME = "MarkovLearner"
# Arrays as long as the weights: tables and slopes, and the last steps that L-BFGS remembers.
_COPIES = {"ipf": 4}
_MOST_COPIES = 26
METHODS = ("auto", "gradient", "ipf", "pseudo-likelihood", "contrastive-divergence", "em")


class MarkovLearner(BaseEstimator):
    r"""Potentials of :math:`p(x) = \frac1Z \prod_c \phi_c(x_c)` from categorical columns.

    Parameters
    ----------
    cliques : list of tuples of column names, optional
        Scopes of the potentials; all pairs of columns by default.
    features : dict of clique to array of shape (n_features, \*states), optional
        Features of log-linear potentials (graphical.23) for some cliques, the states in sorted
        order; other potentials are unconstrained tables.
    method : str, default="auto"
        ``"gradient"`` of the likelihood; ``"ipf"``, iterative proportional fitting; ``"em"`` with
        proportional fitting, for unknown values; ``"pseudo-likelihood"`` and
        ``"contrastive-divergence"``, which need no partition function. ``"auto"``: a closed form
        for decomposable graphs, otherwise proportional fitting, EM with unknown values, and the
        gradient with features or a penalty; the pseudo-likelihood of the complete rows where one
        iteration of these would need more than ``max_work``.
    alpha : float, default=0.0
        Strength of a quadratic penalty of the logarithms (gradient, pseudo-likelihood,
        contrastive divergence).
    latent : dict of name to list of states, optional
        Variables that no column shows.
    n_sweeps : int, default=1
        Gibbs sweeps of contrastive divergence.
    persistent : bool, default=False
        Whether its chains go on instead of starting at the data.
    tol : float, default=1e-6
        Largest gradient, or error of a marginal, that counts as zero.
    max_iter : int, default=1000
        Most iterations.
    max_work : float, default=4e9
        Table entries visited by the inference of gradient, proportional fitting and EM, where a
        second has room for some 10⁸ to 10⁹. Iterations on large cliques are fewer than
        ``max_iter`` where they would need more, with a warning unless they converge; a method
        that was asked for by name is refused where the work is not enough for one of them.
    random_state : int, Generator or RandomState, optional
        Of contrastive divergence and of the start of EM.
    n_jobs : int, optional
        Threads of the inference.

    Attributes
    ----------
    model_ : MarkovNetwork
        The model: ``query``, ``marginals``, ``sample`` and the rest.
    tables_ : dict of clique to ndarray
        Potentials; only their product has a meaning.
    states_ : dict of name to tuple
        Values of the variables, in the order of the axes.
    log_partition_ : float or None
        :math:`\log Z`; ``None`` where the cliques are too wide for exact inference.
    fit_report_ : FitReport
        Mean negative log likelihood along the way, or what the method minimises.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Rows with unknown values: summed out exactly by the gradient and by EM; pseudo-likelihood,
    contrastive divergence and plain proportional fitting use the complete rows.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.graphical import MarkovLearner
    >>> rows = [[0, 0], [0, 0], [0, 1], [1, 1]]
    >>> model = MarkovLearner().fit(rows)
    >>> np.exp(model.log_prob([[0, 0], [1, 0]])).round(6)
    array([0.5, 0. ])
    >>> model.model_.query(0, {1: 1}).values.round(6)
    array([0.5, 0.5])
    """

    card = Card(tasks=("density",), input="categorical")

    def __init__(
        self,
        *,
        cliques: Any = None,
        features: Any = None,
        method: str = "auto",
        alpha: float = 0.0,
        latent: Any = None,
        n_sweeps: int = 1,
        persistent: bool = False,
        tol: float = 1e-6,
        max_iter: int = 1000,
        max_work: float = 4e9,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.cliques = cliques
        self.features = features
        self.method = method
        self.alpha = alpha
        self.latent = latent
        self.n_sweeps = n_sweeps
        self.persistent = persistent
        self.tol = tol
        self.max_iter = max_iter
        self.max_work = max_work
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the potentials; parameters as in :meth:`HillClimb.fit`."""
        check.params(
            self,
            positive="tol max_work",
            nonnegative="alpha",
            count="max_iter n_sweeps",
            flag="persistent",
            one_of={"method": METHODS},
        )
        data = categories(_NAME, X, sample_weight).compressed()
        states = dict(zip(data.names, data.states, strict=True))
        states |= {name: tuple(s) for name, s in (self.latent or {}).items()}
        names = tuple(states)
        family = clique_family(_NAME, states, self.cliques, self.features)
        codes = np.full((data.n_rows, len(names)), -1, dtype=np.int64)
        codes[:, : len(data.names)] = data.evidence()
        weight = np.ones(data.n_rows) if data.weight is None else data.weight
        notes = []
        method, work = self._method(family, codes)
        _refuse_beyond_memory(family.size, method)
        if method not in ("gradient", "em") and (codes < 0).any():
            complete = (codes >= 0).all(axis=1)
            if not complete.any():
                raise check.fail(self, "X", f"rows without unknown values for {method}", "none")
            notes.append(f"{int((~complete).sum())} distinct rows with unknown values left out")
            codes, weight = codes[complete], weight[complete]
        most = max(1, min(self.max_iter, int(self.max_work / max(work, 1.0))))
        solution = self._within_work(self._solve(method, family, codes, weight, most))
        report = check.report(self, solution, tuple(notes))
        tables = solution.extras.get("tables") or family.tables(solution.x)
        # Pairs, not a mapping: one of tuples cannot be saved by skops.
        self._tables = tuple(
            (tuple(names[v] for v in s), t) for s, t in zip(family.scopes, tables, strict=True)
        )
        self.states_ = states
        self.log_partition_ = family.log_partition(tables)
        self.n_features_in_ = len(data.names)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(data.names, dtype=object)
        self.fit_report_ = report
        return self

    @property
    def model_(self) -> MarkovNetwork:
        """The model, which answers questions."""
        check_is_fitted(self)
        return MarkovNetwork(self._tables, self.states_, n_jobs=self.n_jobs)

    @property
    def tables_(self) -> dict[tuple[Any, ...], Floats]:
        """Potentials by clique."""
        return dict(self._tables)

    def log_prob(self, X: Any) -> Floats:
        """Log probability of each row; unknown values and latent variables are summed out."""
        check_is_fitted(self)
        if self.log_partition_ is None:
            raise MemoryError(
                f"{_NAME}: log_prob needs the partition function, and the cliques are too wide for "
                "it; fit smaller cliques"
            )
        names = tuple(self.states_)
        shown = names[: self.n_features_in_]
        data = Categories.of(_NAME, X, states={n: self.states_[n] for n in shown})
        codes = np.full((data.n_rows, len(names)), -1, dtype=np.int64)
        codes[:, : len(shown)] = data.evidence()
        index = {name: at for at, name in enumerate(names)}
        family = LogLinear(
            tuple(len(s) for s in self.states_.values()),
            tuple(tuple(index[n] for n in clique) for clique in self.tables_),
            (None,) * len(self.tables_),
        )
        tables = list(self.tables_.values())
        log_mass, _ = family.tree.expected_counts(tables, codes, impossible="zero")
        return log_mass - self.log_partition_

    def _method(self, family: LogLinear, codes: Indices) -> tuple[str, float]:
        """The method, and the work of one of its iterations where that is bounded."""
        if self.method in ("ipf", "em") and (self.features or self.alpha):
            requirement = "another method with features or a penalty"
            raise check.fail(self, "method", requirement, self.method)
        method = self.method
        if method == "auto":
            gaps = bool((codes < 0).any())
            method = "gradient" if self.features or self.alpha else "em" if gaps else "ipf"
        if method not in ("gradient", "ipf", "em"):
            return method, 0.0
        work = iteration_work(family, codes, method, self.max_work)
        if work <= self.max_work:
            return method, work
        if self.method == "auto" and (codes >= 0).all(axis=1).any():
            return "pseudo-likelihood", 0.0
        need = f"at least {work:.1e} for one iteration of {method!r}, or smaller cliques"
        raise check.fail(self, "max_work", need, self.max_work)

    def _solve(
        self, method: str, family: LogLinear, codes: Indices, weight: Floats, most: int
    ) -> Solution:
        n_threads = threads.count(self.n_jobs)
        steps: dict[str, Any] = {"tol": self.tol, "max_iter": most}
        if method == "gradient":
            return maximise_likelihood(
                family, codes, weight, alpha=self.alpha, n_threads=n_threads, **steps
            )
        if method == "pseudo-likelihood":
            return maximise_pseudo_likelihood(family, codes, weight, alpha=self.alpha, **steps)
        rng = random.generator(self.random_state)
        if method == "contrastive-divergence":
            return contrast(
                family,
                codes,
                weight,
                rng,
                n_sweeps=self.n_sweeps,
                persistent=self.persistent,
                alpha=self.alpha,
                max_iter=self.max_iter,
                tol=max(self.tol, 0.02),
            )
        if method == "em":
            return fit_incomplete(family, codes, weight, rng=rng, n_threads=n_threads, **steps)
        targets = clique_marginals(family, codes, weight)
        closed = fit_decomposable(family, targets) if self.method == "auto" else None
        return closed or fit_proportionally(family, targets, n_threads=n_threads, **steps)

    def _within_work(self, solution: Solution) -> Solution:
        """The solution; where the work ended it, in these words."""
        cut = solution.status is Status.MAX_ITER and not solution.interrupted
        if not cut or solution.n_iter >= self.max_iter:
            return solution
        told = f"stopped after {solution.n_iter} iterations within max_work={self.max_work:g}"
        return replace(
            solution, message=f"{told}; raise max_work or tol, or choose smaller cliques"
        )


def _refuse_beyond_memory(n_weights: int, method: str) -> None:
    needed, limit = 8 * n_weights * _COPIES.get(method, _MOST_COPIES), memory.total()
    if limit is not None and needed > limit:
        raise MemoryError(
            f"{_NAME}: {n_weights} weights of the cliques need {needed / 2**30:.1f} GiB and this "
            f"process may use {limit / 2**30:.1f} GiB; choose smaller cliques, or merge states"
        )
