"""Names, addresses and other short texts as a few numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer

from margin.core.types import Floats

_BUCKETS = 2**12


class HashedText(TransformerMixin, BaseEstimator):
    """One column of texts as their leading directions among hashed words and pieces of words.

    Words, and pieces of two to four characters, are counted in 4096 buckets each by their hash, so
    that a text nobody has seen has its place too; the counts are weighed by rarity and projected on
    the directions of largest variance (latent semantic analysis). A missing text is all zeros.

    Parameters
    ----------
    n_components : int
        Most columns.

    Attributes
    ----------
    weights_ : TfidfTransformer
        Weights of the buckets.
    directions_ : TruncatedSVD or None
        The projection; ``None`` when there is nothing to project.
    scale_ : float
        Standard deviation along the first direction.

    Examples
    --------
    >>> import pandas as pd
    >>> names = pd.DataFrame({"name": ["Mr. Hill", "Mr. Wood", "Mrs. Hill", "Mrs. Marsh"] * 5})
    >>> HashedText(n_components=2).fit_transform(names).shape
    (20, 2)
    """

    def __init__(self, *, n_components: int = 24) -> None:
        self.n_components = n_components

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the weights and the directions."""
        self.columns_ = [str(c) for c in X.columns]
        counts = _counts(X)
        self.weights_ = TfidfTransformer(sublinear_tf=True).fit(counts)
        most = min(self.n_components, counts.shape[0] - 1, 2 * _BUCKETS - 1)
        self.directions_, self.scale_ = None, 1.0
        if most >= 1 and counts.nnz:
            weighed = self.weights_.transform(counts)
            self.directions_ = TruncatedSVD(most, n_iter=2, random_state=0).fit(weighed)
            along = self.directions_.transform(weighed)
            self.scale_ = float(along.std(axis=0).max()) or 1.0
        return self

    def transform(self, X: Any) -> Floats:
        """Return the coordinates of the texts."""
        if self.directions_ is None:
            return np.zeros((len(X), 1))
        weighed = self.weights_.transform(_counts(X))
        return np.asarray(self.directions_.transform(weighed) / self.scale_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return one name per direction, after the column."""
        n = 1 if self.directions_ is None else self.directions_.n_components
        names = [f"{self.columns_[0]} text {i}" for i in range(n)]
        return np.asarray(names, dtype=object)


def _counts(X: Any) -> Any:
    texts = ["" if value != value or value is None else str(value) for value in X.iloc[:, 0]]
    common = {"n_features": _BUCKETS, "alternate_sign": False, "norm": None, "dtype": np.float64}
    words = HashingVectorizer(strip_accents="unicode", token_pattern=r"(?u)\b\w+\b", **common)
    pieces = HashingVectorizer(
        strip_accents="unicode", analyzer="char_wb", ngram_range=(2, 4), **common
    )
    return sparse.hstack([words.transform(texts), pieces.transform(texts)]).tocsr()
