"""Sparse codes in a dictionary that is given."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_array

from margin.core import check
from margin.core.types import Array
from margin.decomposition.sources._coder_base import CoderBase


class SparseCoder(CoderBase):
    r"""Rows as few atoms of a given dictionary (decomposition.15).

    .. math:: x \approx \sum_k u_k d_k, \qquad u \text{ sparse}

    Parameters
    ----------
    dictionary : array-like of shape (n_components, n_features)
        Atoms in rows, of length one where their weights should be comparable; they may be more than
        there are features.
    transform_algorithm : {"omp", "lasso_lars", "lasso_cd", "lars", "threshold"}, default="omp"
        Orthogonal matching pursuit; the lasso, by its exact path under either name; least angle
        steps; or shrunk scalar products.
    transform_n_nonzero_coefs : int, optional
        Atoms of a row for "omp" and "lars"; a tenth of the features by default.
    transform_alpha : float, optional
        Penalty of the lasso, the threshold, or the squared error at which "omp" ends; one by
        default.
    split_sign : bool, default=False
        Whether positive and negative parts of a code are columns of their own.
    n_jobs : int, optional
        Without effect, for scikit-learn's namesake.
    positive_code : bool, default=False
        Whether codes may not be negative; for the lasso and "threshold".
    transform_max_iter : int, default=1000
        Most steps of a path.

    Attributes
    ----------
    n_components_ : int
        Atoms.
    n_features_in_ : int
        Features of the atoms.

    Notes
    -----
    Nothing is learnt: ``fit`` checks only. "omp" takes all rows at once, :math:`O(n k s)` and the
    solutions of ``s`` small systems for ``s`` atoms.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import SparseCoder
    >>> atoms = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    >>> SparseCoder(atoms, transform_n_nonzero_coefs=1).transform([[3.0, 4.0]])
    array([[0., 0., 5.]])
    """

    def __init__(
        self,
        dictionary: Any,
        *,
        transform_algorithm: str = "omp",
        transform_n_nonzero_coefs: int | None = None,
        transform_alpha: float | None = None,
        split_sign: bool = False,
        n_jobs: int | None = None,
        positive_code: bool = False,
        transform_max_iter: int = 1000,
    ) -> None:
        self.dictionary = dictionary
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.split_sign = split_sign
        self.n_jobs = n_jobs
        self.positive_code = positive_code
        self.transform_max_iter = transform_max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check that rows and atoms fit.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_coding()
        self._check_signs()
        X = check_array(check.structure(self, X), dtype=check.FLOATS)
        self._check_width(X)
        return self

    def _check_width(self, X: Array) -> None:
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"SparseCoder: X must be of {self.n_features_in_} columns, as the dictionary, got "
                f"{X.shape[1]}: Dictionary and X have different numbers of features: "
                f"dictionary.shape: {np.shape(self.dictionary)} X.shape{X.shape}"
            )

    def transform(self, X: Any, y: Any = None) -> Array:
        """Codes of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Twice as many columns with ``split_sign``.
        """
        self._check_coding()
        X = check_array(check.structure(self, X), dtype=check.FLOATS)
        self._check_width(X)
        return self._coded(X, self._atoms, 1.0)

    def inverse_transform(self, X: Any) -> Array:
        """Rows that codes stand for.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        return self._decoded(X, self._atoms)

    @property
    def _atoms(self) -> Array:
        return np.asarray(check_array(self.dictionary, dtype=check.FLOATS))

    @property
    def n_components_(self) -> int:
        """Atoms."""
        return int(np.shape(self.dictionary)[0])

    @property
    def n_features_in_(self) -> int:
        """Features of the atoms."""
        return int(np.shape(self.dictionary)[1])

    @property
    def _n_features_out(self) -> int:
        return self.n_components_ * (2 if self.split_sign else 1)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
