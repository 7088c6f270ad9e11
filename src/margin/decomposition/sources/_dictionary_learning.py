"""Dictionaries that are learnt."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin import linalg
from margin.core import Card, atomic, check, random
from margin.core.types import Array, Floats
from margin.decomposition.sources._coder_base import CoderBase
from margin.decomposition.sources._dictionary import Coded, DictionaryProblem, learn_dictionary


class DictionaryLearning(CoderBase):
    r"""A dictionary in which rows have sparse codes, also over-complete (decomposition.15).

    .. math:: \min_{U, V} \tfrac12 \|X - U V\|_F^2 + \alpha \|U\|_1 + \beta \|V\|_1 \quad
              \text{s.t.} \quad \|v_k\|_2 \le 1

    The bound on the energy of an atom keeps codes from shrinking for nothing. There may be more
    atoms than features: few of them make a row.

    Parameters
    ----------
    n_components : int, optional
        Atoms; as many as features by default.
    alpha : float, default=1.0
        Price of a code.
    max_iter : int, default=1000
        Most iterations.
    tol : float, default=1e-8
        Relative gain that counts as converged.
    fit_algorithm : {"lars", "cd"}, default="lars"
        Without effect, for scikit-learn's namesake: codes are found by coordinate descent.
    transform_algorithm : {"omp", "lasso_lars", "lasso_cd", "lars", "threshold"}, default="omp"
        How ``transform`` codes, see :class:`SparseCoder`.
    transform_n_nonzero_coefs : int, optional
        Atoms of a row for "omp" and "lars"; a tenth of the features by default.
    transform_alpha : float, optional
        Penalty, threshold or squared error of ``transform``; ``alpha`` by default.
    n_jobs : int, optional
        Without effect, for scikit-learn's namesake.
    code_init : array-like of shape (n_samples, n_components), optional
        Codes to start from, with ``dict_init``.
    dict_init : array-like of shape (n_components, n_features), optional
        Atoms to start from; singular vectors by default.
    callback : callable, optional
        Called with a dict of what is known after the search.
    verbose : bool, default=False
        Without effect, for scikit-learn's namesake: the report has the trace.
    split_sign : bool, default=False
        Whether positive and negative parts of a code are columns of their own.
    random_state : int, Generator, RandomState or None, default=None
        Where atoms beyond the rank, and those in place of unused ones, come from.
    positive_code : bool, default=False
        Whether codes may not be negative.
    positive_dict : bool, default=False
        Whether atoms may not be negative.
    transform_max_iter : int, default=1000
        Most steps of a path of ``transform``.
    dict_alpha : float, default=0.0
        Price :math:`\beta` of the entries of atoms: above zero it makes a sparse basis.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Atoms.
    error_ : list of float
        Objective after each iteration.
    n_iter_ : int
        Iterations made.
    fit_report_ : FitReport
        The objective, which never rises but where an unused atom is replaced; repairs say so.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p k + n k^2)` an iteration.

    References
    ----------
    J. Mairal, F. Bach, J. Ponce and G. Sapiro, Online dictionary learning for sparse coding (2009).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import DictionaryLearning
    >>> rng = np.random.default_rng(0)
    >>> codes = rng.normal(size=(60, 4)) * (rng.random((60, 4)) < 0.3)
    >>> X = codes @ rng.normal(size=(4, 6))
    >>> model = DictionaryLearning(4, alpha=0.1, random_state=0).fit(X)
    >>> float(np.linalg.norm(model.components_, axis=1).max().round(6))
    1.0
    """

    card = Card(tasks=("transform",), search_space={"alpha": (0.1, 1.0, "log")})

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 1.0,
        max_iter: int = 1000,
        tol: float = 1e-8,
        fit_algorithm: str = "lars",
        transform_algorithm: str = "omp",
        transform_n_nonzero_coefs: int | None = None,
        transform_alpha: float | None = None,
        n_jobs: int | None = None,
        code_init: Any = None,
        dict_init: Any = None,
        callback: Any = None,
        verbose: bool = False,
        split_sign: bool = False,
        random_state: Any = None,
        positive_code: bool = False,
        positive_dict: bool = False,
        transform_max_iter: int = 1000,
        dict_alpha: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.fit_algorithm = fit_algorithm
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.n_jobs = n_jobs
        self.code_init = code_init
        self.dict_init = dict_init
        self.callback = callback
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter
        self.dict_alpha = dict_alpha

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the atoms.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, reset=True)
        k = X.shape[1] if self.n_components is None else int(self.n_components)
        rows = X.astype(np.float64)
        problem = DictionaryProblem(
            rows,
            float(self.alpha),
            bool(self.positive_code),
            bool(self.positive_dict),
            float(self.dict_alpha),
        )
        rng = random.generator(self.random_state)
        solution = learn_dictionary(
            problem,
            self._start(rows, k, rng),
            rng,
            tol=float(self.tol),
            max_iter=int(self.max_iter),
        )
        self.components_ = solution.x.atoms.astype(X.dtype, copy=False)
        self.error_ = solution.trace["objective"].tolist()
        self.n_iter_ = solution.n_iter
        self._n_features_out = k * (2 if self.split_sign else 1)
        self.fit_report_ = check.report(self, solution)
        if self.callback is not None:
            self.callback({"dictionary": solution.x.atoms, "code": solution.x.codes})
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learn the atoms, and code the rows by ``transform_algorithm``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X).transform(X)

    def _check_params(self) -> None:
        check.params(
            self,
            count="max_iter",
            nonnegative="alpha tol dict_alpha",
            flag="positive_dict",
            one_of={"fit_algorithm": ("lars", "cd")},
        )
        self._check_coding()
        if self.n_components is not None:
            check.params(self, count="n_components")
        if self.fit_algorithm == "lars" and self.positive_code:
            raise ValueError(
                "DictionaryLearning: positive_code must be False with fit_algorithm='lars', got "
                "True: Positive constraint not supported for 'lars' coding method."
            )
        if self.callback is not None and not callable(self.callback):
            raise check.fail(self, "callback", "None or a callable", self.callback)
        for name in ("code_init", "dict_init"):
            value = getattr(self, name)
            if value is not None and np.asarray(value).dtype.kind not in "fiu":
                raise check.fail(self, name, "None or an array of numbers", value)

    def _start(self, X: Floats, k: int, rng: np.random.Generator) -> Coded:
        n, p = X.shape
        if self.dict_init is not None:
            atoms = np.array(self.dict_init, dtype=np.float64)
            if atoms.shape != (k, p):
                raise check.fail(self, "dict_init", f"of shape {(k, p)}", atoms.shape)
        else:
            atoms = linalg.svd(X)[2][:k]
            more = rng.standard_normal((k - len(atoms), p)) if k > len(atoms) else np.empty((0, p))
            atoms = np.vstack([atoms, more])
        if self.positive_dict:
            atoms = np.abs(atoms)
        atoms = atoms / np.maximum(np.linalg.norm(atoms, axis=1, keepdims=True), 1e-300)
        codes = np.zeros((n, k))
        if self.code_init is not None:
            codes = np.array(self.code_init, dtype=np.float64)
            if codes.shape != (n, k):
                raise check.fail(self, "code_init", f"of shape {(n, k)}", codes.shape)
        return Coded(codes, atoms)

    def transform(self, X: Any) -> Array:
        """Codes of rows by ``transform_algorithm``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._coded(check.table(self, X), self.components_, float(self.alpha))

    def inverse_transform(self, X: Any) -> Array:
        """Rows that codes stand for.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        return self._decoded(X, self.components_)
