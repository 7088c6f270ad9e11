"""What estimators with sparse codes share."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array

from margin.core import check
from margin.core.types import Array
from margin.decomposition.sources._sparse_codes import ALGORITHMS, Coding, sparse_codes


class CoderBase(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Codes rows in a dictionary."""

    transform_algorithm: str
    transform_n_nonzero_coefs: int | None
    transform_alpha: float | None
    transform_max_iter: int
    split_sign: bool
    positive_code: bool
    n_jobs: int | None

    def _check_coding(self) -> None:
        check.params(
            self,
            count="transform_max_iter",
            flag="split_sign positive_code",
            one_of={"transform_algorithm": ALGORITHMS},
        )
        if self.transform_n_nonzero_coefs is not None:
            check.params(self, count="transform_n_nonzero_coefs")
        if self.transform_alpha is not None:
            check.params(self, nonnegative="transform_alpha")

    def _check_signs(self) -> None:
        if self.positive_code and self.transform_algorithm in ("lars", "omp"):
            raise ValueError(
                f"{type(self).__name__}: positive_code must be False for 'lars' and 'omp', got "
                "True: Positive constraint not supported for "
                f"'{self.transform_algorithm}' coding method."
            )

    def _coded(self, X: Array, atoms: Array, usual_alpha: float) -> Array:
        """Codes of checked rows."""
        self._check_signs()
        n_nonzero = self.transform_n_nonzero_coefs
        alpha = usual_alpha if self.transform_alpha is None else float(self.transform_alpha)
        greedy = self.transform_algorithm in ("lars", "omp")
        free = self.transform_alpha is None or self.transform_algorithm == "lars"
        if n_nonzero is None and free:
            n_nonzero = min(max(int(X.shape[1] / 10), 1), len(atoms))
        coding = Coding(
            self.transform_algorithm,
            alpha,
            n_nonzero if greedy else None,
            bool(self.positive_code),
            int(self.transform_max_iter),
        )
        codes, cut = sparse_codes(X.astype(np.float64), atoms.astype(np.float64), coding)
        if cut:
            warnings.warn(
                f"{type(self).__name__}: {cut} of {len(X)} rows stopped after "
                f"transform_max_iter={self.transform_max_iter} steps; raise transform_max_iter",
                ConvergenceWarning,
                stacklevel=3,
            )
        if self.split_sign:
            codes = np.hstack([np.maximum(codes, 0.0), -np.minimum(codes, 0.0)])
        return np.asarray(codes.astype(X.dtype, copy=False))

    def _decoded(self, X: Any, atoms: Array) -> Array:
        codes = check_array(check.structure(self, X), dtype=check.FLOATS)
        width = len(atoms) * (2 if self.split_sign else 1)
        if codes.shape[1] != width:
            raise ValueError(
                f"{type(self).__name__}: X must be of {width} columns, one for each component, got "
                f"{codes.shape[1]}: Expected {width}, got {codes.shape[1]}."
            )
        if self.split_sign:
            codes = codes[:, : len(atoms)] - codes[:, len(atoms) :]
        return np.asarray(codes @ atoms)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
