"""The prior of a variational mixture, as given or from the rows."""

from typing import Any

import numpy as np

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions import ColumnMoments, Moments
from margin.linalg import cholesky
from margin.mixture.finite._gaussian_checks import definite, numbers, spread_shape
from margin.mixture.finite._row_groups import Stream, Table, column_moments
from margin.mixture.finite._variational_steps import GaussianPrior


def prior_of(owner: Any, rows: Table | Stream) -> tuple[GaussianPrior, tuple[str, ...]]:
    """The prior that the parameters of a mixture name, else the rows; and what was mended.

    Parameters
    ----------
    owner : BayesianGaussianMixture
        Whose parameters they are, and whom errors name.
    rows : Table or Stream
    """
    columns, kind = column_moments(owner, rows), owner.covariance_type
    d = len(columns.mean)
    concentration = _positive(owner, "weight_concentration_prior", 1.0 / owner.n_components)
    precision = _positive(owner, "mean_precision_prior", 1.0)
    mean = columns.mean
    if owner.mean_prior is not None:
        mean = numbers(owner, "mean_prior", owner.mean_prior)
        if mean.shape != (d,):
            need = f"of shape ({d},)"
            raise check.fail(owner, "mean_prior", need, f"shape {mean.shape}")
    df = _positive(owner, "degrees_of_freedom_prior", float(d))
    if df <= d - 1:
        raise ValueError(
            f"{type(owner).__name__}: degrees_of_freedom_prior must be above {d - 1}, got {df}: "
            f"The parameter 'degrees_of_freedom_prior' should be greater than {d - 1}, but got "
            f"{df:.3f}."
        )
    covariance, notes = _covariance_prior(owner, rows, columns)
    sticks = owner.weight_concentration_prior_type == "dirichlet_process"
    shape = spread_shape(kind, 1, d)[1 if kind in ("full", "diag", "spherical") else 0 :]
    return (
        GaussianPrior(concentration, sticks, mean, precision, df, covariance.reshape(shape)),
        notes,
    )


def _covariance_prior(
    owner: Any, rows: Table | Stream, columns: ColumnMoments
) -> tuple[Floats, tuple[str, ...]]:
    """Scale of the prior; that of the rows is mended where it is singular."""
    kind, d = owner.covariance_type, len(columns.mean)
    matrix = kind in ("full", "tied")
    if owner.covariance_prior is not None:
        value = numbers(owner, "covariance_prior", owner.covariance_prior)
        shape = (d, d) if matrix else (d,) if kind == "diag" else ()
        if value.shape != shape:
            need = f"of shape {shape}"
            raise check.fail(owner, "covariance_prior", need, f"shape {value.shape}")
        word = f"{kind} covariance_prior"
        return definite(owner, "covariance_prior", word, value, kind), ()
    spare = np.where(columns.weight > 1, columns.weight - 1, 1.0)
    variances = columns.scatter / spare
    if kind in ("diag", "spherical"):
        value = variances if kind == "diag" else np.asarray(variances.mean())
        thin = ~(value > 0)
        mended = np.where(thin, max(float(owner.reg_covar), 1e-6), value)
        return mended, _told(bool(thin.any()))
    if any(np.isnan(X).any() for X, _ in rows.blocks()):
        value = np.diag(variances)
    else:
        moments: Any = sum(Moments.of(X, weight) for X, weight in rows.blocks())
        value = moments.scatter / max(moments.weight - 1, 1.0)
    try:
        cholesky(value, name="covariance_prior", max_jitter=0.0)
    except FitError:
        ridge = max(float(owner.reg_covar), 1e-6 * float(variances.mean()))
        return value + (ridge or 1e-6) * np.eye(d), _told(True)
    return value, ()


def _positive(owner: Any, name: str, default: float) -> float:
    """A hyperparameter above 0, or its default."""
    if getattr(owner, name) is None:
        return default
    check.params(owner, positive=name)
    return float(getattr(owner, name))


def _told(mended: bool) -> tuple[str, ...]:
    return ("covariance_prior: columns do not vary freely, variance was added",) if mended else ()
