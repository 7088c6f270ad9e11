"""Topic model that finds the number of its topics."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, progress, random, threads
from margin.core.types import Array, Floats
from margin.distributions import Gamma
from margin.mixture.topics._corpus import corpus, counts
from margin.mixture.topics._held_out import left_to_right, topic_coherence, words_of
from margin.mixture.topics._shared_topics import Budget, SharedTopics, sample_shared_topics
from margin.mixture.topics._topic_sampler import TopicSampler
from margin.mixture.topics._variational_topics import TopicProblem

_WORD_BYTES = 80  # of a word while topics are drawn and the tables of documents seated


class HierarchicalDirichletProcess(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    r"""Topics shared by documents, as many as the words speak for (mixture.18).

    .. math:: \beta \sim \mathrm{Dir}(\gamma/T, \dots, \gamma/T), \quad
              \theta_d \sim \mathrm{Dir}(\alpha\beta), \quad \phi_k \sim \mathrm{Dir}(\eta), \quad
              w_{dn} \sim \mathrm{Cat}(\phi_{z_{dn}})

    For large :math:`T` the weights of the topics are those of a Dirichlet process, and every
    document draws its own from it: a hierarchical Dirichlet process. Topics are sampled with
    proportions and words integrated out.

    Parameters
    ----------
    max_components : int, default=50
        :math:`T`, well above the number of topics that are expected.
    topic_word_prior : float, default=0.1
        :math:`\eta`, weight of every word in a topic.
    alpha : float or Gamma, optional
        How closely documents keep to the common weights; learned with a Gamma(1, 1) by default.
    gamma : float or Gamma, optional
        How many topics share the weights; learned with a Gamma(1, 1) by default.
    max_iter : int, default=300
        Sweeps; the answer is a mean over the last quarter.
    max_work : int, default=200000000
        Draws of the topic of a word in all: over many words there are fewer sweeps than
        ``max_iter``, with a warning.
    n_jobs : int, optional
        Threads for ``transform`` and held-out documents; the answer does not depend on it.
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    components_ : ndarray of shape (n_found, n_features)
        Prior plus mean counts of the words in the topics in use, the heaviest first.
    topic_weights_ : ndarray of shape (n_found,)
        Their common weights.
    n_components_ : int
        Most frequent number of topics in use in the sweeps kept; the others hold few words.
    n_components_posterior_ : ndarray
        Share of those sweeps with 0, 1, 2, … topics in use.
    alpha_, gamma_ : float
        The concentrations, or their posterior means.
    n_iter_ : int
        Sweeps made.
    fit_report_ : FitReport
        Minus the log probability of the words given their topics, per word.
    n_features_in_ : int
        Size of the vocabulary.
    feature_names_in_ : ndarray of str
        The words, where columns have names.

    Notes
    -----
    A sweep costs :math:`O(N T)` for :math:`N` words. Two topics of the same words would merge
    slowly, for both draw them: in the first half of the sweeps, none of which is kept, such pairs
    are looked for and united where the words lose less by it than they have freedom. A number that
    still falls at the end asks for more sweeps.

    References
    ----------
    Y. W. Teh, M. I. Jordan, M. J. Beal, D. M. Blei (2006), Hierarchical Dirichlet processes.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.mixture import HierarchicalDirichletProcess
    >>> X = np.kron(np.eye(2, dtype=int), np.full((8, 3), 4))
    >>> model = HierarchicalDirichletProcess(max_components=10, random_state=0).fit(X)
    >>> model.transform(X).shape == (16, model.n_components_)
    True
    """

    card = Card(
        tasks=("transform",),
        cost="linear",
        search_space={"topic_word_prior": (0.02, 0.5, "log")},
        input="categorical",
    )

    def __init__(
        self,
        *,
        max_components: int = 50,
        topic_word_prior: float = 0.1,
        alpha: Any = None,
        gamma: Any = None,
        max_iter: int = 300,
        max_work: int = 200_000_000,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_components = max_components
        self.topic_word_prior = topic_word_prior
        self.alpha = alpha
        self.gamma = gamma
        self.max_iter = max_iter
        self.max_work = max_work
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Sample the topics.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Whole counts of words, a row for each document.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check.params(self, positive="topic_word_prior", count="max_components max_iter max_work")
        alpha, gamma = (self._belief(name) for name in ("alpha", "gamma"))
        table = counts(self, check.table(self, X, sparse=True, reset=True))
        rng = random.generator(self.random_state)
        sampler = TopicSampler(
            corpus(self, table, _WORD_BYTES),
            table.shape[1],
            float(self.topic_word_prior),
            True,
            int(rng.integers(2**63)),
            threads.count(self.n_jobs),
        )
        budget = Budget(self.max_iter, int(self.max_work))
        with progress.bar(type(self).__name__, self.max_iter) as callback:
            solution = sample_shared_topics(
                sampler, int(self.max_components), alpha, gamma, budget, rng, callback
            )
        self._keep(solution.x)
        self.n_iter_ = solution.n_iter
        n_united = solution.x.n_united
        told = f"{n_united} topics were made one with another of the same words, before sampling"
        self.fit_report_ = check.report(self, solution, (told,) if n_united else ())
        return self

    def _belief(self, name: str) -> Any:
        value = getattr(self, name)
        if value is None:
            return Gamma(1.0, 1.0)
        if isinstance(value, Gamma):
            if value.shape != ():
                raise check.fail(self, name, "None, a number above 0 or a single Gamma", value)
            return value
        check.params(self, positive=name)
        return float(value)

    def _keep(self, shared: SharedTopics) -> None:
        tally = np.bincount(shared.n_used)
        held = np.argsort(-shared.word_topic.sum(axis=0), kind="stable")
        used = held[: max(int(tally.argmax()), 1)]
        used = used[np.argsort(-shared.shares.weights[used], kind="stable")]
        self.components_ = float(self.topic_word_prior) + shared.word_topic.T[used]
        self.topic_weights_ = shared.shares.weights[used]
        self.n_components_ = len(used)
        self.n_components_posterior_ = tally / tally.sum()
        self.alpha_, self.gamma_ = shared.shares.alpha, shared.shares.gamma

    @property
    def _prior(self) -> Floats:
        """Weights of the topics in a document."""
        return np.asarray(self.alpha_ * self.topic_weights_)

    def _table(self, X: Any, method: str) -> Any:
        check_is_fitted(self)
        return counts(self, check.table(self, X, sparse=True), method)

    def transform(self, X: Any) -> Array:
        """Proportions of the topics in every document, of shape (n_samples, n_found)."""
        table = self._table(X, "transform")
        problem = TopicProblem(
            self._prior, float(self.topic_word_prior), 100, 1e-3, threads.count(self.n_jobs)
        )
        gamma = problem.proportions(table, self.components_).gamma
        return np.asarray(gamma / gamma.sum(axis=1, keepdims=True))

    def held_out_log_likelihood(
        self, X: Any, *, n_particles: int = 20, random_state: Any = 0
    ) -> Floats:
        """Log probability of new documents, as of :class:`LatentDirichletAllocation`."""
        table = self._table(X, "held_out_log_likelihood")
        if n_particles < 1:
            raise check.fail(self, "n_particles", "an integer of at least 1", n_particles)
        return left_to_right(
            corpus(self, table),
            self.components_ / self.components_.sum(axis=1, keepdims=True),
            self._prior,
            int(n_particles),
            random.generator(random_state),
            threads.count(self.n_jobs),
        )

    def coherence(self, X: Any, *, n_words: int = 10, measure: str = "npmi") -> Floats:
        """Whether the first words of each topic share documents (:func:`topic_coherence`)."""
        table = self._table(X, "coherence")
        return topic_coherence(self.components_, table, n_words=n_words, measure=measure)

    def top_words(self, n_words: int = 10, vocabulary: Any = None) -> list[list[Any]]:
        """The most probable words of every topic, by name where names are known."""
        check_is_fitted(self)
        return words_of(self, self.components_, n_words, vocabulary)

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])
