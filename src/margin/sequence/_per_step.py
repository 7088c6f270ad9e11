"""Transformers of tables, applied to every step of sequences."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check
from margin.sequence.hidden_markov._data import Observed, observed


class PerStep(TransformerMixin, BaseEstimator):
    """A transformer of tables, for sequences: every step is a row.

    Learns from the rows of all sequences together, and gives sequences of the same lengths back: so
    a pipeline that ends in a model of sequences may begin with any transformer of scikit-learn, and
    cross-validation still holds out whole sequences.

    Parameters
    ----------
    transformer : transformer, optional
        With ``fit`` and ``transform``; a ``StandardScaler`` by default, which leaves NaN alone.

    Attributes
    ----------
    transformer_ : transformer
        The fitted one.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from margin.sequence import GaussianHMM
    >>> rng = np.random.default_rng(0)
    >>> parts = [1e6 + 1e4 * rng.normal(size=n) for n in (30, 50, 20)]
    >>> PerStep().fit_transform(parts)
    Sequences(3 sequences, lengths 20 to 50, 100 rows of shape (1,), float64)
    >>> model = make_pipeline(PerStep(), GaussianHMM(2, random_state=0)).fit(parts)
    >>> len(model.predict(parts))
    3
    """

    card = Card(tasks=("transform",), input="sequences", on_request=True)

    def __init__(self, transformer: Any = None) -> None:
        self.transformer = transformer

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn from the rows of all sequences.

        Parameters
        ----------
        X : list of arrays of shape (T, d), Sequences, or array of shape (total, d)
            One array without ``lengths`` is one sequence.
        y : ignored
        lengths : array-like of int, optional
        """
        data = observed(self, X, lengths)
        inner = StandardScaler() if self.transformer is None else self.transformer
        if not hasattr(inner, "fit") or not hasattr(inner, "transform"):
            wanted = "a transformer with fit and transform"
            raise check.fail(self, "transformer", wanted, type(inner).__name__)
        fitted = clone(inner).fit(data.rows)
        _refuse_overflow(self, fitted, data.rows)
        self.transformer_ = fitted
        self.n_features_in_ = data.rows.shape[1]
        return self

    def transform(self, X: Any, *, lengths: Any = None) -> Any:
        """Rows transformed; sequences as they came."""
        return self._by(X, lengths, "transform")

    def inverse_transform(self, X: Any, *, lengths: Any = None) -> Any:
        """Rows as they were, if the transformer can go back."""
        return self._by(X, lengths, "inverse_transform")

    def _by(self, X: Any, lengths: Any, method: str) -> Any:
        check_is_fitted(self)
        width = self.n_features_in_ if method == "transform" else None
        data = observed(self, X, lengths, n_features=width)
        if not hasattr(self.transformer_, method):
            wanted = f"a transformer with {method}"
            raise check.fail(self, "transformer", wanted, type(self.transformer_).__name__)
        rows = np.asarray(getattr(self.transformer_, method)(data.rows))
        if rows.ndim != 2 or len(rows) != len(data.rows):
            wanted = "a transformer that gives a row for each row"
            raise check.fail(self, "transformer", wanted, f"shape {rows.shape}")
        return _as_they_came(data, rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags


def _refuse_overflow(owner: PerStep, fitted: Any, rows: Any) -> None:
    """Columns with numbers have to leave numbers, or all that follows would be NaN."""
    if np.isnan(rows).all(axis=0).any():
        return
    kind = type(fitted).__name__
    for name, value in vars(fitted).items():
        learned = name.endswith("_") and isinstance(value, np.ndarray) and value.dtype.kind == "f"
        if learned and not np.isfinite(value).all():
            wanted = f"of a size that {kind} can square (its {name} is not finite)"
            raise check.fail(owner, "X", wanted, f"up to {np.nanmax(np.abs(rows)):.3g}")


def _as_they_came(data: Observed, rows: Any) -> Any:
    return Sequences(rows, lengths=data.lengths) if data.given == "list" else rows
