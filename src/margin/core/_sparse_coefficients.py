"""Coefficients of linear models kept as a sparse matrix."""

from typing import Any, Self

from scipy.sparse import csr_matrix, issparse
from sklearn.utils.validation import check_is_fitted


class SparseCoefficients:
    """``sparsify`` and ``densify`` for models with ``coef_``.

    Examples
    --------
    >>> from margin.linear import LogisticRegression
    >>> model = LogisticRegression(l1_ratio=1.0).fit([[0, 1], [1, 1], [2, 1], [3, 1]], [0, 0, 1, 1])
    >>> model.sparsify().coef_.nnz, model.densify().coef_.shape
    (1, (1, 2))
    """

    coef_: Any

    def sparsify(self) -> Self:
        """Keep ``coef_`` as a sparse matrix, which is smaller where most of it is zero.

        Call :meth:`densify` before fitting on with ``partial_fit``.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self.coef_ = csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Keep ``coef_`` as an array, as it is after ``fit``.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        if issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self
