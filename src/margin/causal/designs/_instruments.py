"""Instruments: effects where the confounders are hidden."""

from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from scipy.linalg import eigh
from scipy.stats import chi2, f
from sklearn.base import BaseEstimator

from margin.causal.effects._questions import Names, as_names
from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._intervals import analytic, confidence, multiplied, replicates
from margin.causal.methods._lines import solve_normal
from margin.causal.methods._scores import Scores
from margin.causal.tables._columns import expanded, numbers
from margin.causal.tables._rows import cluster_codes, weighed_rows
from margin.core import atomic, check
from margin.core.random import generator
from margin.core.types import Floats, Indices


class InstrumentalVariables(BaseEstimator):
    r"""Effect by variables that move the treatment and nothing else (causal.24).

    In :math:`y = \theta^\top t + \gamma^\top w + u` the treatments may depend on :math:`u`, the
    instruments :math:`z` do not. With covariates taken out of everything,

    .. math:: \hat\theta = \bigl(T^\top (I - k M) T\bigr)^{-1} T^\top (I - k M) y,\qquad
        M = I - Z (Z^\top Z)^{-1} Z^\top

    where :math:`k = 1` is two-stage least squares and limited-information maximum likelihood takes
    the smallest root, which is less biased if instruments are weak. ``"gmm"`` weights the moments
    by their covariance, which is efficient where the noise varies.

    Parameters
    ----------
    treatment, outcome : names
    instruments : name or list of names
        At least as many as treatments.
    covariates : list of names, optional
    method : {"2sls", "liml", "gmm"}, default="2sls"
    level : float, default=0.95
    n_bootstrap : int, default=0
        Replicates by weights on the influence functions; 0 for analytic intervals.
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    effect_ : float or ndarray
    std_error_ : float or ndarray
        Robust against unequal variances.
    interval_ : ndarray
    first_stage_f_ : float
        F of the instruments in the first stage (smallest eigenvalue of Cragg and Donald for several
        treatments); below 10 instruments are called weak.
    weak_ : bool
    overidentification_ : tuple of float or None
        Hansen's J and its p-value, where there are more instruments than treatments.
    endogeneity_ : tuple of float
        Wu and Hausman's F that treatments need no instrument, and its p-value.
    anderson_rubin_ : ndarray of shape (2,) or None
        Interval that is valid with weak instruments too, for one treatment; may be infinite or
        empty (None).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> z, u, e = rng.standard_normal((3, 5000))
    >>> t = z + u + e
    >>> frame = {"z": z, "t": t, "y": 2 * t + 3 * u}
    >>> model = InstrumentalVariables("t", "y", "z").fit(frame)
    >>> bool(abs(model.effect_ - 2) < 0.1), model.weak_
    (True, False)
    """

    def __init__(
        self, treatment: Any = None, outcome: Any = None, instruments: Any = None, *,
        covariates: Any = (), method: str = "2sls", level: float = 0.95, n_bootstrap: int = 0,
        random_state: Any = None,
    ) -> None:  # fmt: skip
        self.treatment = treatment
        self.outcome = outcome
        self.instruments = instruments
        self.covariates = covariates
        self.method = method
        self.level = level
        self.n_bootstrap = n_bootstrap
        self.random_state = random_state

    @atomic
    def fit(
        self, frame: Any, y: Any = None, sample_weight: Any = None, clusters: Any = None
    ) -> Self:
        """Estimate the effect from a frame.

        Parameters
        ----------
        frame : data frame or mapping of names to columns
        y : ignored
        sample_weight : array-like of shape (n,), optional
        clusters : name or array-like of shape (n,), optional
            Rows whose errors are common: of the estimate, and of Hansen's J.

        Returns
        -------
        self
        """
        check.params(self, one_of={"method": ("2sls", "liml", "gmm")})
        level = confidence(self, self.level)
        n_bootstrap = replicates(self, self.n_bootstrap)
        names, outcome, tools, others = self._names()
        rows = weighed_rows(self, frame, (outcome, *names, *tools, *others), sample_weight)
        groups = cluster_codes(self, frame, clusters, rows.used)
        frame, n = rows.columns, rows.n
        values = numbers(self, frame, outcome)
        T = np.column_stack([numbers(self, frame, name) for name in names])
        Z, _ = expanded(self, frame, tools, n)
        W, _ = expanded(self, frame, others, n)
        if Z.shape[1] < T.shape[1]:
            raise check.fail(self, "instruments", f"at least {T.shape[1]}", Z.shape[1])
        root = np.sqrt(rows.shares)
        W = np.column_stack([np.ones(n), W]) * root[:, None]
        data = np.column_stack([values, T, Z]) * root[:, None]
        size = np.linalg.norm(data, axis=0)
        data = data - W @ solve_normal(W.T @ W, W.T @ data)
        m = T.shape[1]
        v, T, Z = data[:, 0], data[:, 1 : m + 1], data[:, m + 1 :]
        own = "neither constant nor combinations of each other or covariates"
        self._refuse_deficient(Z, size[m + 1 :], "instruments", own)
        fitted = Z @ solve_normal(Z.T @ Z, Z.T @ T)
        self._refuse_deficient(fitted, size[1 : m + 1], "instruments", "related to the treatment")
        dof = n - W.shape[1] - Z.shape[1]
        if dof < 1:
            raise check.fail(self, "frame", "more rows than columns", n)
        theta, left, gram = _solved(self.method, v, T, Z, fitted, groups)
        u = v - T @ theta
        influence = np.asarray(n * np.linalg.solve(gram, (left * u[:, None]).T).T, np.float64)
        scores = Scores(tuple(map(str, names)), theta, influence)
        ones = np.ones(n)
        if n_bootstrap:
            rng = generator(self.random_state)
            errors = multiplied(scores, ones, level, n_bootstrap, rng, groups)
        else:
            errors = analytic(scores, ones, level, groups)
        single = m == 1
        self.scores_ = scores
        self.effect_ = float(theta[0]) if single else theta
        self.std_error_ = float(errors.std_error[0]) if single else errors.std_error
        self.interval_ = errors.interval[0] if single else errors.interval
        self.first_stage_f_ = _first_stage(T, Z, fitted, dof)
        self.weak_ = self.first_stage_f_ < 10
        self.overidentification_ = _hansen(u, Z, m, groups)
        self.endogeneity_ = _wu_hausman(v, T, fitted, dof)
        self.anderson_rubin_ = _anderson_rubin(v, T[:, 0], Z, dof, level) if single else None
        self.n_rows_ = n
        return self

    def _names(self) -> tuple[Names, Hashable, Names, Names]:
        """Treatments, outcome, instruments and covariates, no column in two roles."""
        names = as_names(self, "treatment", self.treatment)
        outcome = as_names(self, "outcome", self.outcome)
        tools = as_names(self, "instruments", self.instruments)
        empty = self.covariates is None or (
            isinstance(self.covariates, list | tuple) and not self.covariates
        )
        others = () if empty else as_names(self, "covariates", self.covariates)
        if len(outcome) > 1:
            raise check.fail(self, "outcome", "one column", self.outcome)
        taken: set[Hashable] = set(names)
        for role, group in (("outcome", outcome), ("instruments", tools), ("covariates", others)):
            twice = [name for name in group if name in taken]
            if twice:
                raise check.fail(self, role, "columns that have no other role", twice[0])
            taken |= set(group)
        return names, outcome[0], tools, others

    def _refuse_deficient(self, A: Floats, size: Floats, name: str, requirement: str) -> None:
        left = np.linalg.norm(A, axis=0)
        empty = bool((left <= 1e-10 * size).any())
        if empty or np.linalg.cond(A / left) > 1e9:
            raise check.fail(self, name, requirement, self.instruments)

    def summary(self) -> EffectSummary:
        """Estimates, errors and tests."""
        facts: dict[str, Any] = {"first-stage F": round(self.first_stage_f_, 2)}
        if self.overidentification_ is not None:
            facts["Hansen's J"] = "{:.3f} (p = {:.3f})".format(*self.overidentification_)
        facts["Wu-Hausman"] = "{:.3f} (p = {:.3f})".format(*self.endogeneity_)
        notes = ("instruments are weak: rely on anderson_rubin_",) if self.weak_ else ()
        return EffectSummary(
            f"instrumental variables ({self.method})", self.scores_.names, self.scores_.values,
            np.atleast_1d(self.std_error_), np.atleast_2d(self.interval_), self.level, self.n_rows_,
            facts, notes,
        )  # fmt: skip


def _solved(
    method: str, y: Floats, T: Floats, Z: Floats, fitted: Floats, groups: Indices | None
) -> tuple[Floats, Floats, Floats]:
    """Estimate, the rows that multiply the residuals, and the matrix before the estimate."""
    left = fitted
    if method == "liml":
        both = np.column_stack([y, T])
        inside = both.T @ both
        outside = inside - both.T @ Z @ solve_normal(Z.T @ Z, Z.T @ both)
        k = float(eigh(inside, outside, eigvals_only=True)[0])
        left = T - k * (T - fitted)
    theta = np.linalg.solve(left.T @ T, left.T @ y)
    if method == "gmm":
        left = Z @ np.linalg.solve(_moments(y - T @ theta, Z, groups), Z.T @ T)
        theta = np.linalg.solve(left.T @ T, left.T @ y)
    return np.asarray(theta, dtype=np.float64), left, left.T @ T


def _first_stage(T: Floats, Z: Floats, fitted: Floats, dof: int) -> float:
    noise = (T - fitted).T @ (T - fitted) / dof
    signal = fitted.T @ fitted / Z.shape[1]
    return float(eigh(signal, noise + 1e-300 * np.eye(len(noise)), eigvals_only=True)[0])


def _moments(u: Floats, Z: Floats, groups: Indices | None) -> Floats:
    """Covariance of the moments, common to the rows of a cluster."""
    rows = Z * u[:, None]
    if groups is not None:
        rows = np.column_stack([np.bincount(groups, part) for part in rows.T])
        if len(rows) <= rows.shape[1]:
            need = f"more than the {rows.shape[1]} instruments"
            raise check.fail("InstrumentalVariables", "clusters", need, len(rows))
    return np.asarray(rows.T @ rows)


def _hansen(u: Floats, Z: Floats, m: int, groups: Indices | None) -> tuple[float, float] | None:
    if Z.shape[1] == m:
        return None
    g = Z.T @ u
    J = float(g @ np.linalg.solve(_moments(u, Z, groups), g))
    return J, float(chi2.sf(J, Z.shape[1] - m))


def _wu_hausman(y: Floats, T: Floats, fitted: Floats, dof: int) -> tuple[float, float]:
    m = T.shape[1]
    both = np.column_stack([T, T - fitted])
    short = y - T @ solve_normal(T.T @ T, T.T @ y)
    long = y - both @ solve_normal(both.T @ both, both.T @ y)
    free = max(dof - m, 1)
    F = float((short @ short - long @ long) / m / max(long @ long / free, 1e-300))
    return F, float(f.sf(max(F, 0.0), m, free))


def _anderson_rubin(y: Floats, t: Floats, Z: Floats, dof: int, level: float) -> Floats | None:
    """Values at which instruments explain nothing of what is left: a quadratic inequality."""
    critical = float(f.ppf(level, Z.shape[1], dof)) * Z.shape[1] / dof

    def parts(a: Floats, b: Floats) -> float:
        inside = float(a @ Z @ solve_normal(Z.T @ Z, Z.T @ b))
        return float(inside - critical * (float(a @ b) - inside))

    qa, qb, qc = parts(t, t), -2 * parts(t, y), parts(y, y)
    root = qb**2 - 4 * qa * qc
    if qa > 0:
        if root < 0:
            return None
        reach = np.sqrt(root)
        return np.array([(-qb - reach) / (2 * qa), (-qb + reach) / (2 * qa)])
    return np.array([-np.inf, np.inf])
