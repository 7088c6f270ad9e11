"""Mixtures that find the number of their components."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Blocks, Card, Solution, atomic, check, memory, progress, random
from margin.core.types import Floats, Ints
from margin.distributions import Gamma
from margin.inference import Chains
from margin.mixture.finite._row_groups import Stream, Table
from margin.mixture.processes._bases import Base, NormalBase, base_of, base_of_blocks
from margin.mixture.processes._components import (
    Components,
    components_of,
    log_density,
    log_weighted,
    sampled,
)
from margin.mixture.processes._gibbs import sample_partitions
from margin.mixture.processes._variational import StickPosterior, variational_posterior

_KEPT = 40  # draws that predictions are a mean of
_PARTITIONS = 200  # drawn from a variational posterior


class DirichletProcessMixture(DensityMixin, BaseEstimator):
    r"""Mixture with as many components as the data speak for (mixture.17).

    .. math:: G \sim \mathrm{DP}(\alpha, H), \qquad \theta_i \sim G, \qquad x_i \sim f(\theta_i)

    The number of components is part of the answer, with a probability for each number. Collapsed
    Gibbs sampling draws partitions of the rows, weights and parameters integrated out; variational
    inference is quicker, and too sure of itself.

    Parameters
    ----------
    alpha : float or Gamma, default=1.0
        Concentration; with a :class:`~margin.distributions.Gamma` belief it is learned.
    base_prior : belief or list of beliefs, optional
        :math:`H`: a :class:`~margin.distributions.NormalInverseWishart` for normal rows with full
        covariances (by default one made from the data: components a third as wide as these), or
        for independent columns a ``NormalInverseGamma``, ``NormalMean``, ``GammaPoisson``,
        ``BetaBernoulli`` or ``DirichletCategorical``, or a list with one for every column.
    method : {"variational", "gibbs"}, default="variational"
        A variational posterior with a stick of ``max_components`` pieces, quick and with a bound
        of the evidence, or collapsed Gibbs sampling, exact in the long run.
    max_components : int, default=20
        Pieces of the stick, for ``"variational"``.
    n_draws, n_warmup, n_chains, thin : int, default=200, 200, 2, 1
        Partitions kept of each chain, sweeps before them, chains, and sweeps per draw.
    n_init : int, default=1
        Starts of the variational method, of which the best is kept.
    tol : float, default=1e-6
        Relative gain of the bound that counts as converged, for ``"variational"``.
    max_iter : int, default=1000
        Most iterations of the variational method.
    random_state : int, Generator or RandomState, optional
        Seed of all draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Components of the rows in the most probable partition that was seen.
    n_components_ : int
        Their number, ``n_found`` below.
    n_components_posterior_ : ndarray
        Probability of 0, 1, 2, … components.
    weights_ : ndarray of shape (n_found,)
        Shares of the components.
    means_ : ndarray of shape (n_found, n_features)
        Means of the components, where these are normal with full covariances, else ``None``.
    covariances_ : ndarray of shape (n_found, n_features, n_features)
        Expected covariances, in the same case.
    label_draws_ : ndarray of shape (n_partitions, n_samples)
        Partitions drawn from the posterior.
    alpha_ : float
        Concentration, or its posterior mean.
    chains_ : Chains
        Number of components, log joint density and concentration of every draw with their
        diagnostics; ``None`` for ``"variational"``.
    n_iter_ : int
        Sweeps of each chain, or iterations.
    fit_report_ : FitReport
        Largest R-hat of the chains, or gain of the bound.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the columns, where they have some.

    Notes
    -----
    A sweep costs :math:`O(n K p^2)`: factors of the covariances are changed by one rank when a row
    comes or goes. After every sweep divisions and unions of whole clusters are proposed, which
    single rows would take long to make. NaN is marginalised; in Gibbs sampling with full
    covariances a row chooses its component by what was observed of it, and the rest is drawn given
    both, :math:`O(K p^3)` for such a row. The posterior over the number of components is not
    consistent for a true finite number: it tells what this prior believes, and grows with ``n``
    where components are misshapen.

    References
    ----------
    R. M. Neal (2000), Markov chain sampling methods for Dirichlet process mixture models.
    D. B. Dahl (2005), Sequentially-allocated merge-split sampler for conjugate and nonconjugate
    Dirichlet process mixture models.
    D. M. Blei and M. I. Jordan (2006), Variational inference for Dirichlet process mixtures.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.mixture import DirichletProcessMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.3, size=(40, 2)) for c in (-3, 0, 3)])
    >>> model = DirichletProcessMixture(method="gibbs", random_state=0).fit(X)
    >>> model.n_components_, bool(model.n_components_posterior_[3] > 0.5)
    (3, True)
    """

    card = Card(
        tasks=("density", "clustering"),
        cost="linear",
        search_space={"alpha": (0.1, 10.0, "log")},
        max_rows=50_000,
    )

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        base_prior: Any = None,
        method: str = "variational",
        max_components: int = 20,
        n_draws: int = 200,
        n_warmup: int = 200,
        n_chains: int = 2,
        thin: int = 1,
        n_init: int = 1,
        tol: float = 1e-6,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.base_prior = base_prior
        self.method = method
        self.max_components = max_components
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.n_chains = n_chains
        self.thin = thin
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Draw or approximate the posterior.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, with ``method="variational"`` only: a row that is drawn to a
            component goes there as a whole.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, missing=True, order="C", reset=True).astype(np.float64)
        weight = check.weights(self, sample_weight, len(X))
        if weight is not None and self.method == "gibbs":
            raise check.fail(self, "method", "'variational' for weights of rows", self.method)
        base = base_of(self, self.base_prior, X, weight)
        rng = random.generator(self.random_state)
        if self.method == "gibbs":
            return self._keep(self._sampled(base, X, rng), base)
        rows = Table.of(X, weight, split=False)
        return self._keep(self._approximated(base, rows, rng), base)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Approximate the posterior for rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives tables, or pairs of tables and weights, anew each time it is read. With
            ``method="variational"`` only; of every row no more than its labels in the partitions
            drawn are kept.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding.
        """
        self._check_params()
        if self.method != "variational":
            raise check.fail(self, "method", "'variational' for blocks of rows", self.method)
        first = True

        def checked(X: Any, weight: Any) -> tuple[Floats, Floats | None]:
            nonlocal first
            table, first = check.table(self, X, missing=True, reset=first), False
            known = check.weights(self, weight, len(table), part=True)
            return np.ascontiguousarray(table, dtype=np.float64), known

        rows = Stream(self, Blocks.of(self, blocks), checked, False)
        base = base_of_blocks(self, self.base_prior, _Read(rows))
        rng = random.generator(self.random_state)
        return self._keep(self._approximated(base, rows, rng), base)

    def _keep(self, solution: Solution, base: Base) -> Self:
        counts = np.bincount(self.label_draws_.max(axis=1) + 1)
        self.n_components_posterior_ = counts / counts.sum()
        self.n_components_ = int(self.labels_.max()) + 1
        self.means_, self.covariances_ = _moments(base, self._point)
        self._base, self._rows = base, np.empty((0, self.n_features_in_))
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            positive="" if isinstance(self.alpha, Gamma) else "alpha",
            nonnegative="tol",
            count="max_components n_draws n_chains thin n_init max_iter",
            one_of={"method": ("gibbs", "variational")},
        )
        if isinstance(self.alpha, Gamma) and self.alpha.shape != ():
            raise check.fail(self, "alpha", "a number or a single Gamma", self.alpha)
        whole = isinstance(self.n_warmup, int | np.integer) and not isinstance(self.n_warmup, bool)
        if not whole or self.n_warmup < 0:
            raise check.fail(self, "n_warmup", "an integer of at least 0", self.n_warmup)

    def _sampled(self, base: Base, X: Floats, rng: np.random.Generator) -> Solution:
        total = self.n_warmup + self.n_draws * self.thin
        with progress.bar(type(self).__name__, total) as callback:
            partitions = sample_partitions(
                base,
                X,
                self.alpha,
                n_draws=self.n_draws,
                n_warmup=self.n_warmup,
                n_chains=self.n_chains,
                thin=self.thin,
                rng=rng,
                owner=type(self).__name__,
                callback=callback,
            )
        self.chains_: Chains | None = partitions.chains
        chains = partitions.chains
        pooled = chains.pooled
        self.label_draws_ = partitions.labels.reshape(-1, len(X))
        alphas = pooled[:, 2] if pooled.shape[1] > 2 else np.full(len(pooled), float(self.alpha))
        self.alpha_ = float(alphas.mean())
        best = int(np.argmax(chains.log_density))
        self.labels_ = self.label_draws_[best]
        self.weights_ = np.bincount(self.labels_) / len(X)
        rows, holes = base.completed(X)
        filled = partitions.filled.reshape(len(alphas), -1)

        def drawn(i: int) -> Components:
            if holes is not None:
                rows[holes] = filled[i]
            return components_of(base, rows, self.label_draws_[i], float(alphas[i]))

        chosen = np.unique(np.linspace(0, len(alphas) - 1, _KEPT).astype(int))
        self._point, self._draws = drawn(best), tuple(drawn(i) for i in chosen)
        return chains.solution

    def _approximated(self, base: Base, rows: Table | Stream, rng: np.random.Generator) -> Solution:
        with progress.bar(type(self).__name__, self.max_iter) as callback:
            solution = variational_posterior(
                base,
                rows,
                self.alpha,
                int(self.max_components),
                n_init=self.n_init,
                tol=self.tol,
                max_iter=self.max_iter,
                rng=rng,
                callback=callback,
            )
        at: StickPosterior = solution.x
        share = solution.extras["shares"]
        self.chains_ = None
        self.alpha_ = at.alpha
        ends = np.cumsum(share, axis=1)
        drawn = [
            (rng.random((len(share), 1)) * ends[:, -1:] >= ends[:, :-1]).sum(axis=1)
            for _ in range(_PARTITIONS)
        ]
        self.label_draws_ = np.array([_numbered(labels)[0] for labels in drawn])
        self.labels_, kept = _numbered(share.argmax(axis=1))
        self._draws = (Components(at.weights, 0.0, at.members),)
        self._point = Components(at.weights[kept], 0.0, _chosen(at.members, kept))
        self.weights_ = at.weights[kept] / at.weights[kept].sum()
        return solution

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Ints:
        """Components of the rows of a fit to them."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).labels_)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the components of the most probable partition, for every row."""
        X = self._table(X)
        table = log_weighted(self._base, self._point, X)
        table -= table.max(axis=1, keepdims=True)
        share = np.exp(table)
        return np.asarray(share / share.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> Ints:
        """The most probable component of every row, of the most probable partition."""
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def score_samples(self, X: Any) -> Floats:
        r"""Log predictive density of every row, a mean over draws of the posterior.

        .. math:: p(x) = \Big\langle \frac{\alpha}{\alpha + n} p_0(x) + \sum_k
                  \frac{n_k}{\alpha + n}\, p(x \mid x_{z = k}) \Big\rangle
        """
        X = self._table(X)
        return log_density(self._base, self._draws, X)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log predictive density of the rows."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Floats, Ints]:
        """Rows drawn from the predictive density, and their components; -1 for a new one."""
        check_is_fitted(self)
        rng = random.generator(random_state)
        return sampled(self._base, self._draws, self._rows, n_samples, rng)

    def co_clustering(self) -> Floats:
        """Posterior probability that two training rows share a component, of shape (n, n)."""
        check_is_fitted(self)
        n = self.label_draws_.shape[1]
        room = memory.available()
        if room is not None and 16 * n * n > room:
            need = f"few enough rows for a matrix of {16e-9 * n * n:.1f} GB"
            raise check.fail(self, "X", need, f"{n} rows")
        together = np.zeros((n, n))
        for labels in self.label_draws_:
            together += labels[:, None] == labels
        return together / len(self.label_draws_)

    def _table(self, X: Any) -> Floats:
        check_is_fitted(self)
        return np.asarray(check.table(self, X, missing=True), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Read:
    """Blocks that can be gone over again."""

    rows: Stream

    def __iter__(self) -> Iterator[tuple[Floats, Floats | None]]:
        return iter(self.rows.blocks())


def _numbered(labels: Any) -> tuple[Ints, Any]:
    """Labels from 0 in the order of their numbers, without gaps, and the numbers they had."""
    kept, codes = np.unique(labels, return_inverse=True)
    return codes.astype(np.int32), kept


def _chosen(members: Any, kept: Any) -> Any:
    """The beliefs of some components."""
    if isinstance(members, tuple):
        return tuple(m[kept] for m in members)
    return type(members)(
        members.mean[kept], members.strength[kept], members.scale[kept], members.df[kept]
    )


def _moments(base: Base, at: Components) -> tuple[Any, Any]:
    """Means and expected covariances of normal components."""
    if not isinstance(base, NormalBase):
        return None, None
    d = at.members.dim
    room = np.maximum(np.asarray(at.members.df) - d - 1, 1.0)
    return at.members.mean, at.members.scale / room[:, None, None]
