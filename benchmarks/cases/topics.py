"""Topics of documents, and mixtures that find the number of their components."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln

from benchmarks.case import Case, Contestant, Size, Target

_PRIOR, _ETA = 0.1, 0.05


@dataclass(frozen=True)
class Documents:
    """Counts to learn from, counts held out, and the topics that made them."""

    train: Any
    test: np.ndarray
    topics: np.ndarray

    @property
    def n_topics(self) -> int:
        return len(self.topics)


def documents(n: int, n_words: int, n_topics: int) -> Documents:
    from margin.mixture import sample_documents

    made = sample_documents(
        n + 100,
        n_words,
        n_topics=n_topics,
        doc_topic_prior=_PRIOR,
        topic_word_prior=_ETA,
        length=100,
        rng=0,
    )
    return Documents(csr_array(made.counts[:n]), made.counts[n:], made.topics)


def _lda(model: Any, data: Documents, **setting: Any) -> Any:
    settings = {"doc_topic_prior": _PRIOR, "topic_word_prior": _ETA, "random_state": 0, **setting}
    topics = model(data.n_topics, **settings).fit(data.train).components_
    return topics / topics.sum(axis=1, keepdims=True)


def _ours(data: Documents, **setting: Any) -> Any:
    from margin.mixture import LatentDirichletAllocation

    return _lda(LatentDirichletAllocation, data, **setting)


def _sklearn(data: Documents, **setting: Any) -> Any:
    from sklearn.decomposition import LatentDirichletAllocation

    return _lda(LatentDirichletAllocation, data, **setting)


def _tomotopy(data: Documents, sweeps: int, workers: int = 2) -> Any:
    import tomotopy

    model = tomotopy.LDAModel(k=data.n_topics, alpha=_PRIOR, eta=_ETA, seed=0)
    names = [str(w) for w in range(data.train.shape[1])]
    for d in range(data.train.shape[0]):
        row = slice(data.train.indptr[d], data.train.indptr[d + 1])
        words = np.repeat(data.train.indices[row], data.train.data[row])
        model.add_doc([names[w] for w in words])
    model.optim_interval = 0
    model.train(sweeps, workers=workers)
    place = [int(word) for word in model.used_vocabs]
    topics = np.full((data.n_topics, data.train.shape[1]), 1e-12)
    for k in range(data.n_topics):
        topics[k, place] = model.get_topic_word_dist(k)
    return topics / topics.sum(axis=1, keepdims=True)


def _gensim(data: Documents, passes: int) -> Any:
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaModel

    model = LdaModel(
        Sparse2Corpus(data.train.T.tocsc()),
        num_topics=data.n_topics,
        id2word={w: str(w) for w in range(data.train.shape[1])},
        alpha=[_PRIOR] * data.n_topics,
        eta=_ETA,
        passes=passes,
        random_state=0,
    )
    return model.get_topics()


def _held_out(data: Documents, topics: Any) -> float:
    """Logarithm of the held-out perplexity, from left to right."""
    from margin.mixture.topics._corpus import corpus, counts
    from margin.mixture.topics._held_out import left_to_right

    words = corpus("benchmark", counts("benchmark", data.test))
    prior = np.full(data.n_topics, _PRIOR)
    rng = np.random.default_rng(0)
    value = left_to_right(words, np.asarray(topics, dtype=np.float64), prior, 20, rng, 2)
    return float(-value.sum() / data.test.sum())


def _excess(data: Documents, topics: Any) -> float:
    """By how much the topics foretell a word worse than those that made the documents."""
    return _held_out(data, topics) - _held_out(data, data.topics)


def rows(n: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    turn = 2 * np.pi * np.arange(k) / k
    centres = 12.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    return centres[rng.integers(k, size=n)] + rng.normal(size=(n, 2))


_SWEEPS = 20


def _gibbs(X: np.ndarray) -> Any:
    from margin.mixture import DirichletProcessMixture

    model = DirichletProcessMixture(
        base_prior=_base(X), method="gibbs", n_draws=1, n_warmup=_SWEEPS - 1, n_chains=1
    )
    return model.set_params(random_state=0).fit(X).label_draws_[-1]


def _base(X: np.ndarray) -> Any:
    from margin.distributions import NormalInverseWishart

    return NormalInverseWishart(X.mean(axis=0), 0.05, np.eye(2), 4.0)


class _NumpyClusters:
    """Collapsed Gibbs sampling with all clusters of a row in one expression of NumPy."""

    def __init__(self, X: np.ndarray, most: int = 60) -> None:
        self.X = X - X.mean(axis=0)
        self.n = np.zeros(most)
        self.sum = np.zeros((most, 2))
        self.square = np.zeros((most, 3))
        self.squares = np.column_stack([self.X[:, 0] ** 2, self.X.prod(axis=1), self.X[:, 1] ** 2])

    def move(self, i: int, k: int, sign: float) -> None:
        self.n[k] += sign
        self.sum[k] += sign * self.X[i]
        self.square[k] += sign * self.squares[i]

    def log_predictive(self, i: int, k: int) -> np.ndarray:
        n, total = self.n[:k], self.sum[:k]
        kappa, nu = 0.05 + n, 4.0 + n
        mean = total / kappa[:, None]
        a = 1.0 + self.square[:k, 0] - kappa * mean[:, 0] ** 2
        b = self.square[:k, 1] - kappa * mean[:, 0] * mean[:, 1]
        c = 1.0 + self.square[:k, 2] - kappa * mean[:, 1] ** 2
        away = self.X[i] - mean
        det = a * c - b * b
        form = c * away[:, 0] ** 2 - 2 * b * away[:, 0] * away[:, 1] + a * away[:, 1] ** 2
        shrink = kappa / (kappa + 1)
        value = np.log(shrink) - np.log(np.pi) - 0.5 * np.log(det) + np.log((nu - 1) / 2)
        return value - 0.5 * (nu + 1) * np.log1p(shrink * form / det)


def _numpy(X: np.ndarray) -> Any:
    rng = np.random.default_rng(0)
    clusters = _NumpyClusters(X)
    labels, k = np.full(len(X), -1), 0
    for _ in range(_SWEEPS):
        for i in rng.permutation(len(X)):
            old = labels[i]
            if old >= 0:
                clusters.move(i, old, -1.0)
                if clusters.n[old] == 0:
                    k -= 1
                    for table in (clusters.n, clusters.sum, clusters.square):
                        table[old], table[k] = table[k].copy(), 0.0
                    labels[labels == k] = old
            log_weight = clusters.log_predictive(i, k + 1)
            log_weight[:k] += np.log(clusters.n[:k])
            weight = np.exp(log_weight - log_weight.max())
            ends = np.cumsum(weight)
            new = int(np.searchsorted(ends, rng.random() * ends[-1]))
            labels[i] = new
            k = max(k, new + 1)
            clusters.move(i, new, 1.0)
    return labels


def _joint(X: np.ndarray, labels: Any) -> float:
    """Minus the log probability of rows and partition, per row."""
    from margin.mixture.processes._bases import NormalBase

    codes = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    value = NormalBase(_base(X)).sweeps(X, codes, 0.0, 0, 0, 0)[1]
    sizes = np.bincount(codes)
    return float(-(value + gammaln(sizes).sum() - gammaln(len(X) + 1)) / len(X))


_GRID = (10, 15, 20, 30, 40, 60, 100, 200, 400)


def _passes(*numbers: int, name: str = "max_iter", **more: Any) -> tuple[dict[str, Any], ...]:
    return tuple({name: n, **more} for n in numbers)


CASES = (
    Case(
        name="latent-dirichlet-allocation",
        description="Topics of made documents of about 100 words; the held-out perplexity is "
        "estimated from left to right for everyone alike. Where two true topics share one the "
        "excess is above 0.1.",
        make_data=documents,
        sizes=(
            Size("500 × 500, 10 topics", {"n": 500, "n_words": 500, "n_topics": 10}, 50_000),
            Size(
                "3 000 × 2 000, 20 topics",
                {"n": 3000, "n_words": 2000, "n_topics": 20},
                300_000,
                True,
            ),
        ),
        contestants=(
            Contestant(
                "margin",
                _ours,
                settings=_passes(*_GRID, learning_method="parallel_gibbs"),
                ours=True,
            ),
            Contestant(
                "tomotopy",
                _tomotopy,
                ("tomotopy",),
                _passes(*_GRID, name="sweeps"),
            ),
            Contestant(
                "scikit-learn",
                _sklearn,
                ("sklearn",),
                _passes(5, 10, 40, learning_method="batch", n_jobs=-1),
            ),
            Contestant("gensim", _gensim, ("gensim",), _passes(2, 10, 30, name="passes")),
        ),
        target=Target(
            _held_out,
            "log held-out perplexity",
            0.03,
            _excess,
            "excess over the log perplexity of the true topics",
            0.05,
        ),
        required_ratio=1.0,
        warm_up={"n": 40, "n_words": 50, "n_topics": 3},
        max_rounds=3,
    ),
    Case(
        name="dirichlet-process-mixture",
        description="Twenty sweeps of collapsed Gibbs sampling over rows of five groups.",
        make_data=rows,
        sizes=(
            Size("1 000 × 2", {"n": 1000, "k": 5}, 2000),
            Size("10 000 × 2", {"n": 10_000, "k": 5}, 20_000, True),
        ),
        contestants=(
            Contestant("margin", _gibbs, ours=True),
            Contestant("NumPy, all clusters at once", _numpy),
        ),
        target=Target(_joint, "minus the log joint probability per row", 0.02),
        required_ratio=10.0,
        warm_up={"n": 100, "k": 3},
        max_rounds=2,
    ),
)
