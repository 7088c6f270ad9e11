"""Clusters of sequences: a mixture of Markov chains."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check, memory, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference import chain_walk, expectation_maximisation
from margin.sequence.markov._chain_learning import ChainLearning, Chains
from margin.sequence.markov._contexts import Coded, coded


class MarkovChainMixture(ClusterMixin, BaseEstimator):
    r"""Mixture of Markov chains: sequences that move alike are one cluster (sequence.05).

    .. math:: p(v_{1:T}) = \sum_h \pi_h\, p(v_1 \mid h) \prod_{t=2}^T p(v_t \mid v_{t-1}, h)

    Parameters
    ----------
    n_components : int
        Number of chains.
    n_states : int, optional
        States 0, 1, …; as many as are seen by default.
    prior : float
        Dirichlet concentration of all rows, at least 1; 1 is maximum likelihood.
    n_init : int
        Number of starts, of which the best is kept.
    max_iter, tol : int, float
        Most iterations, and the relative gain of the objective that ends them.
    random_state : None, int or Generator
    n_jobs : int or None

    Attributes
    ----------
    weights_ : ndarray of shape (H,)
    start_, transition_ : ndarray of shape (H, K), (H, K, K)
    labels_ : ndarray of shape (n_sequences,)
    fit_report_ : FitReport

    Notes
    -----
    Time in proportion to the transitions seen, times components. Unobserved states (NaN) are summed
    over exactly.

    Examples
    --------
    >>> import numpy as np
    >>> calm, wild = [0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 1, 0, 1, 1, 0, 1, 0, 1]
    >>> model = MarkovChainMixture(2, random_state=0).fit([calm, wild, calm, wild, calm])
    >>> model.labels_[0] == model.labels_[2] != model.labels_[1]
    np.True_
    """

    card = Card(
        tasks=("clustering", "density"),
        input="sequences",
        search_space={"n_components": [1, 2, 3, 4]},
    )

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_states: int | None = None,
        prior: float = 1.0,
        n_init: int = 5,
        max_iter: int = 200,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_states = n_states
        self.prior = prior
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from sequences of states.

        Parameters
        ----------
        X : list of arrays of states, Sequences, or one array with ``lengths``
        y : ignored
        lengths : array-like of int, optional
        sample_weight : array-like of shape (n_sequences,), optional
        """
        check.params(self, count="n_components n_init max_iter", nonnegative="tol")
        check.params(self, positive="prior")
        if self.prior < 1:
            raise check.fail(self, "prior", "a number of at least 1", self.prior)
        data = coded(self, X, lengths, self.n_states)
        _fits(self, data, int(self.n_components))
        weight = check.weights(self, sample_weight, data.n)
        weight = np.ones(data.n) if weight is None else weight
        problem = ChainLearning(data, weight, float(self.prior), threads.count(self.n_jobs))

        solution = expectation_maximisation(
            problem.expect,
            problem.maximise,
            self._starts(problem, generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
        )

        chains: Chains = solution.x
        self.fit_report_ = check.report(self, solution)
        self.weights_, self.start_, self.transition_ = (
            chains.weights,
            chains.start,
            chains.transition,
        )
        self.n_states_, self.n_features_in_, self.n_iter_ = data.n_states, 1, solution.n_iter
        self.labels_ = problem.log_joint(chains).argmax(axis=1)
        return self

    def _starts(self, problem: ChainLearning, rng: np.random.Generator) -> Iterator[Chains]:
        """Chains near those of sequences drawn at random, one for each component."""
        k, h, n = problem.data.n_states, self.n_components, problem.data.n
        even = Chains(np.full(h, 1 / h), np.full((h, k), 1 / k), np.full((h, k, k), 1 / k))
        for _ in range(self.n_init):
            chosen = rng.choice(n, h, replace=n < h)
            own = np.zeros((n, h))
            own[chosen, np.arange(h)] = 1.0
            first, pairs = problem.seeds(own)
            start = first + 1.0 / k + 0.1 * rng.random((h, k))
            transition = pairs + 1.0 / k + 0.1 * rng.random((h, k, k))
            yield Chains(
                even.weights,
                start / start.sum(axis=-1, keepdims=True),
                transition / transition.sum(axis=-1, keepdims=True),
            )

    def _joint(self, X: Any, lengths: Any) -> Floats:
        check_is_fitted(self)
        data = coded(self, X, lengths, self.n_states_)
        problem = ChainLearning(data, np.ones(data.n), 1.0, threads.count(self.n_jobs))
        return problem.log_joint(Chains(self.weights_, self.start_, self.transition_))

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log probability of every sequence."""
        return np.asarray(logsumexp(self._joint(X, lengths), axis=1))

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log probability per step, all sequences together."""
        steps = len(coded(self, X, lengths, self.n_states_).codes)
        return float(self.log_prob(X, lengths=lengths).sum() / steps)

    def predict_proba(self, X: Any, *, lengths: Any = None) -> Floats:
        """Probability of every component given each sequence."""
        joint = self._joint(X, lengths)
        total = logsumexp(joint, axis=1, keepdims=True)
        nowhere = np.isneginf(total)
        return np.where(nowhere, self.weights_, np.exp(joint - np.where(nowhere, 0.0, total)))

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable component of each sequence."""
        return self.predict_proba(X, lengths=lengths).argmax(axis=1)

    def sample(
        self, n: int = 1, length: int | ArrayLike = 100, *, random_state: Any = None
    ) -> tuple[Sequences, Any]:
        """``n`` sequences, and the component of each."""
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        lengths = np.broadcast_to(np.asarray(length, dtype=np.intp), (n,))
        which = rng.choice(len(self.weights_), size=n, p=self.weights_)
        walks = [
            chain_walk(self.start_[h], self.transition_[h], [size], rng)
            for h, size in zip(which, lengths, strict=True)
        ]
        return Sequences(walks), which

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags


def _fits(owner: object, data: Coded, n_components: int) -> None:
    """Refuse so many states that there is no room for the transitions of every component."""
    k, free = data.n_states, memory.available()
    # Transitions with their logs, counts and successors; with gaps also posteriors of all steps.
    need = 8 * (6 * n_components * k * k + 4 * k * len(data.codes) * bool((data.codes < 0).any()))
    if k > 2**31 or (free is not None and need > free):
        raise MemoryError(
            f"{check.named(owner)}: X must be states 0, 1, … that leave room for a table of all "
            f"transitions, got {k - 1}, and {n_components} tables of {k} states need "
            f"{need / 2**30:.1f} GiB; number the distinct values first, as "
            "np.unique(X, return_inverse=True) does"
        )
