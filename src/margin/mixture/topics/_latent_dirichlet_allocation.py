"""Latent Dirichlet allocation."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from margin.core import Blocks, Card, Solution, Status, atomic, check, progress, random, threads
from margin.core.types import Array, Floats
from margin.mixture.topics._corpus import corpus, counts
from margin.mixture.topics._count_blocks import CountBlocks
from margin.mixture.topics._gibbs_topics import sample_topics
from margin.mixture.topics._held_out import left_to_right, topic_coherence, words_of
from margin.mixture.topics._pass_lines import silent, teller
from margin.mixture.topics._topic_checks import check_topic_params
from margin.mixture.topics._topic_sampler import TopicSampler
from margin.mixture.topics._variational_topics import (
    Schedule,
    TopicProblem,
    dirichlet_kl,
    expected_topics,
    learn_topics,
    online_steps,
    perplexity,
)


class LatentDirichletAllocation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Documents as mixtures of topics, topics as distributions of words (mixture.18).

    .. math:: \theta_d \sim \mathrm{Dir}(a), \quad \phi_k \sim \mathrm{Dir}(\eta), \quad
              z_{dn} \sim \mathrm{Cat}(\theta_d), \quad w_{dn} \sim \mathrm{Cat}(\phi_{z_{dn}})

    Parameters
    ----------
    n_components : int, default=10
        Number of topics.
    doc_topic_prior : float, optional
        :math:`a`, weight of every topic in a document; ``1 / n_components`` by default.
    topic_word_prior : float, optional
        :math:`\eta`, weight of every word in a topic; ``1 / n_components`` by default.
    learning_method : {"batch", "online", "gibbs", "parallel_gibbs"}, default="batch"
        Variational inference with all documents at once or batch by batch; collapsed Gibbs
        sampling, one word after the other; or Gibbs sampling with topics that are drawn before
        every sweep, so that threads share the documents. Sampling takes whole counts, and forty
        sweeps or more (``max_iter``), the last quarter of which is kept.
    learning_decay : float, default=0.7
        Exponent of the weights of online steps; above 0.5 they converge.
    learning_offset : float, default=10.0
        What is added to the number of an online step, to weigh the first ones less.
    max_iter : int, default=10
        Passes over the documents.
    batch_size : int, default=128
        Documents of an online step.
    evaluate_every : int, default=-1
        After how many passes the perplexity is measured, to stop by ``perp_tol``; never if not
        above 0. Without effect on sampling.
    total_samples : float, default=1e6
        Documents that ``partial_fit`` expects in all.
    perp_tol : float, default=1e-1
        Change of the perplexity that ends the passes.
    mean_change_tol : float, default=1e-3
        Mean change of the weights of a document's topics that ends its iterations.
    max_doc_update_iter : int, default=100
        Most iterations of a document.
    n_jobs : int, optional
        Threads that share the documents, all by default; the answer does not depend on it.
    verbose : int, default=0
        Whether to print a line after every pass.
    random_state : int, RandomState, Generator or None
        Where the topics begin, and all draws.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weights of the words in the topics: Dirichlet parameters, or prior plus mean counts.
    exp_dirichlet_component_ : ndarray of shape (n_components, n_features)
        Exponential of the expected log probabilities of the words.
    n_batch_iter_ : int
        Steps made, plus one.
    n_iter_ : int
        Passes made.
    bound_ : float
        Perplexity of the training documents by the variational bound; after ``partial_fit`` of
        those of the last call, which stand for ``total_samples``.
    doc_topic_prior_, topic_word_prior_ : float
        The priors used.
    random_state_ : RandomState
        Where randomness came from.
    fit_report_ : FitReport
        Minus the bound, or the log probability of the words given their topics, per word.
    n_features_in_ : int
        Size of the vocabulary.
    feature_names_in_ : ndarray of str
        The words, where columns have names.

    Notes
    -----
    A pass costs :math:`O(\mathrm{nnz}\, K)` for every iteration of the documents, a sweep of
    sampling :math:`O(N K)` for :math:`N` words. The perplexity by the bound punishes topics for
    their own uncertainty: :meth:`held_out_log_likelihood` estimates the probability itself.

    The first half of the sweeps of sampling has half as many topics again, which are then united
    pair by pair, :math:`O(K^2 (V + D))` for :math:`V` words and :math:`D` documents: otherwise two
    topics often share one, and no word alone leads out of that.

    References
    ----------
    M. D. Hoffman, D. M. Blei, F. Bach (2010), Online learning for latent Dirichlet allocation.
    T. L. Griffiths, M. Steyvers (2004), Finding scientific topics.
    D. Newman, A. Asuncion, P. Smyth, M. Welling (2009), Distributed algorithms for topic models.
    H. M. Wallach, I. Murray, R. Salakhutdinov, D. Mimno (2009), Evaluation methods for topic
    models.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.mixture import LatentDirichletAllocation
    >>> X = np.kron(np.eye(2, dtype=int), np.full((3, 2), 5))
    >>> model = LatentDirichletAllocation(2, random_state=0).fit(X)
    >>> bool((model.transform(X).max(axis=1) > 0.9).all())
    True
    """

    card = Card(tasks=("transform",), cost="linear", search_space={"n_components": [5, 10, 20]})

    def __init__(
        self,
        n_components: int = 10,
        *,
        doc_topic_prior: float | None = None,
        topic_word_prior: float | None = None,
        learning_method: str = "batch",
        learning_decay: float = 0.7,
        learning_offset: float = 10.0,
        max_iter: int = 10,
        batch_size: int = 128,
        evaluate_every: int = -1,
        total_samples: float = 1e6,
        perp_tol: float = 1e-1,
        mean_change_tol: float = 1e-3,
        max_doc_update_iter: int = 100,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.learning_method = learning_method
        self.learning_decay = learning_decay
        self.learning_offset = learning_offset
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.evaluate_every = evaluate_every
        self.total_samples = total_samples
        self.perp_tol = perp_tol
        self.mean_change_tol = mean_change_tol
        self.max_doc_update_iter = max_doc_update_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32", "float64"]
        return tags

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the topics.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Counts of words, a row for each document.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check_topic_params(self)
        table = check.table(self, X, sparse=True, reset=True)
        dtype = table.dtype
        table = counts(self, table)
        self._begin()
        words = float(table.data.sum())
        if self.learning_method in ("batch", "online"):
            solution = self._learned([table], words, table.shape[1])
        else:
            solution = self._sampled(table)
        self._finish(solution, [table], words, dtype)
        return self

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Learn the topics of documents that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives tables of counts, dense or sparse, anew each time it is read. With
            ``learning_method="batch"`` only: :meth:`partial_fit` is for streams, and sampling
            keeps a topic for every word.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding.
        """
        check_topic_params(self)
        if self.learning_method != "batch":
            raise check.fail(self, "learning_method", "'batch' for blocks", self.learning_method)
        tables = CountBlocks(self, Blocks.of(self, blocks))
        sums = [(float(table.data.sum()), table.shape[0]) for table in tables]
        if not sum(n for _, n in sums):
            raise check.fail(self, "blocks", "at least one block of documents", "none")
        self._begin()
        words = sum(total for total, _ in sums)
        solution = self._learned(tables, words, self.n_features_in_)
        self._finish(solution, tables, words, np.dtype(np.float64))
        return self

    def _finish(self, solution: Solution, tables: Iterable[Any], words: float, dtype: Any) -> None:
        self._keep(self._topics, dtype)
        self.n_iter_ = solution.n_iter
        bound = self._problem().visited(tables, self._topics)[1]
        bound -= dirichlet_kl(self._topics, self.topic_word_prior_)
        self.bound_ = perplexity(bound, words, self._topics.shape[1])
        self.fit_report_ = check.report(self, solution)

    def _learned(self, tables: Iterable[Any], words: float, n_features: int) -> Solution:
        batch = None if self.learning_method == "batch" else int(self.batch_size)
        topics = self._drawn(self.n_components, n_features)
        solution = learn_topics(
            self._problem(),
            tables,
            topics,
            Schedule(batch, self.learning_decay, self.learning_offset),
            lambda n: self._drawn(n, self.n_components),
            n_words=words,
            max_iter=self.max_iter,
            evaluate_every=self.evaluate_every,
            perp_tol=self.perp_tol,
            tell=teller(self.max_iter) if self.verbose else silent,
        )
        self._topics, self.n_batch_iter_ = solution.x
        return solution

    def _drawn(self, n: int, k: int) -> Floats:
        """Weights about one, where topics and documents begin."""
        return np.asarray(self.random_state_.gamma(100.0, 0.01, size=(n, k)))

    def _sampled(self, table: Any) -> Solution:
        rng = random.generator(self.random_state_)
        sampler = TopicSampler(
            corpus(self, table),
            table.shape[1],
            self.topic_word_prior_,
            self.learning_method == "gibbs",
            int(rng.integers(2**63)),
            threads.count(self.n_jobs),
        )
        tell = teller(self.max_iter) if self.verbose else silent
        with progress.bar(type(self).__name__, self.max_iter) as bar:

            def callback(sweep: int, objective: float) -> None:
                bar(sweep, objective)
                tell(sweep, None)

            solution = sample_topics(
                sampler, self.n_components, self.doc_topic_prior_, self.max_iter, rng, callback
            )
        self._topics = self.topic_word_prior_ + np.ascontiguousarray(solution.x.T)
        self.n_batch_iter_ = solution.n_iter + 1
        return solution

    @atomic
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from some of ``total_samples`` documents, batch by batch.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check_topic_params(self)
        first = not hasattr(self, "components_")
        table = check.table(self, X, sparse=True, reset=first)
        dtype = table.dtype if first else self.components_.dtype
        table = counts(self, table, "partial_fit")
        step = getattr(self, "n_batch_iter_", 1)
        if first:
            self._begin()
        topics = self._drawn(self.n_components, table.shape[1]) if first else self._topics
        schedule = Schedule(int(self.batch_size), self.learning_decay, self.learning_offset)
        total = float(self.total_samples)
        topics, step, met = online_steps(
            self._problem(),
            table,
            topics,
            schedule,
            step,
            total,
            lambda n: self._drawn(n, self.n_components),
        )
        self.n_batch_iter_ = step
        self.n_iter_ = getattr(self, "n_iter_", 0)
        self._keep(topics, dtype)
        # Of documents before their own step, for as many as they stand for.
        price, words = dirichlet_kl(topics, self.topic_word_prior_), float(table.data.sum())
        share = max(total / max(table.shape[0], 1), 1.0)
        bound = share * (met + price) - price
        self.bound_ = perplexity(bound, share * words, table.shape[1])
        self.fit_report_ = check.report(
            self,
            Solution(
                np.empty(0),
                Status.CONVERGED,
                step - 1,
                -bound / max(share * words, 1.0),
                solver="online variational inference of topics",
            ),
        )
        return self

    def _begin(self) -> None:
        """Priors and the source of randomness, as attributes."""
        share = 1.0 / self.n_components
        given = self.doc_topic_prior
        self.doc_topic_prior_ = share if given is None else float(given)
        given = self.topic_word_prior
        self.topic_word_prior_ = share if given is None else float(given)
        source = self.random_state
        if isinstance(source, np.random.Generator):
            source = int(source.integers(2**31))
        self.random_state_ = check_random_state(source)

    def _keep(self, topics: Floats, dtype: Any) -> None:
        self._topics = topics
        self.components_ = topics.astype(dtype, copy=False)
        self.exp_dirichlet_component_ = expected_topics(topics).astype(dtype, copy=False)

    def _problem(self) -> TopicProblem:
        return TopicProblem(
            self.doc_topic_prior_,
            self.topic_word_prior_,
            int(self.max_doc_update_iter),
            float(self.mean_change_tol),
            threads.count(self.n_jobs),
        )

    def _table(self, X: Any, method: str) -> Any:
        check_is_fitted(self)
        return counts(self, check.table(self, X, sparse=True), method)

    def transform(self, X: Any, *, normalize: bool = True) -> Array:
        """Proportions of the topics in every document.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        normalize : bool, default=True
            Whether they sum to one; else they are Dirichlet parameters.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        table = self._table(X, "transform")
        gamma = self._problem().proportions(table, self._topics).gamma
        if normalize:
            gamma = gamma / gamma.sum(axis=1, keepdims=True)
        return np.asarray(gamma.astype(self.components_.dtype, copy=False))

    def fit_transform(self, X: Any, y: Any = None, *, normalize: bool = True) -> Array:
        """Learn the topics, then give the proportions of the documents."""
        return self.fit(X, y).transform(X, normalize=normalize)

    def score(self, X: Any, y: Any = None) -> float:
        """Lower bound of the log probability of documents and topics."""
        table = self._table(X, "score")
        problem = self._problem()
        return problem.bound(self._topics, problem.proportions(table, self._topics))

    def perplexity(self, X: Any, sub_sampling: bool = False) -> float:
        """Perplexity of documents by the variational bound.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        sub_sampling : bool, default=False
            Whether the documents stand for ``total_samples`` of their kind.
        """
        table = self._table(X, "perplexity")
        words = float(table.data.sum())
        if words == 0:
            raise check.fail(self, "X", "documents with at least one word", "none")
        problem = self._problem()
        proportions = problem.proportions(table, self._topics)
        ratio = float(self.total_samples) / table.shape[0] if sub_sampling else 1.0
        documents = problem.document_bound(proportions)
        bound = ratio * documents + problem.bound(self._topics, proportions) - documents
        return perplexity(bound, ratio * words, table.shape[1])

    def held_out_log_likelihood(
        self, X: Any, *, n_particles: int = 20, random_state: Any = 0
    ) -> Floats:
        r"""Log probability of new documents under the topics, from left to right.

        Their proportions are summed out by particles whose topics are drawn anew before every
        word (Wallach and others, 2009), and which are drawn again by how well they foretold it,
        so that the estimate of the probability has no bias. ``exp(-sum / number of words)`` is the
        perplexity that models of any kind may be compared by.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Whole counts.
        n_particles : int, default=20
            The more, the less noise and the smaller the bias of the logarithm.
        random_state : int, Generator or RandomState, default=0

        Returns
        -------
        ndarray of shape (n_samples,)

        Notes
        -----
        Quadratic in the length of a document.
        """
        table = self._table(X, "held_out_log_likelihood")
        if n_particles < 1:
            raise check.fail(self, "n_particles", "an integer of at least 1", n_particles)
        topics = self._topics / self._topics.sum(axis=1, keepdims=True)
        return left_to_right(
            corpus(self, table),
            topics,
            np.full(len(topics), self.doc_topic_prior_),
            int(n_particles),
            random.generator(random_state),
            threads.count(self.n_jobs),
        )

    def coherence(self, X: Any, *, n_words: int = 10, measure: str = "npmi") -> Floats:
        """Whether the first words of each topic share documents (:func:`topic_coherence`)."""
        table = self._table(X, "coherence")
        return topic_coherence(self._topics, table, n_words=n_words, measure=measure)

    def top_words(self, n_words: int = 10, vocabulary: Any = None) -> list[list[Any]]:
        """The most probable words of every topic.

        Parameters
        ----------
        n_words : int, default=10
        vocabulary : sequence of str, optional
            Names of the words: ``vectorizer.get_feature_names_out()``; those of the columns by
            default, or their numbers.
        """
        check_is_fitted(self)
        return words_of(self, self._topics, n_words, vocabulary)

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])
