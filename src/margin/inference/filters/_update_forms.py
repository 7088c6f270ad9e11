"""Ways to write the correction of a Kalman filter, equal on paper and not in floating point."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference.filters._kalman import KalmanFiltered, rows_of
from margin.inference.filters._linear_system import LinearSystem
from margin.linalg import cholesky

_LOG_2PI = float(np.log(2 * np.pi))


def kalman_update(
    mean: Floats, cov: Floats, y: Floats, C: Floats, R: Floats, form: str = "joseph"
) -> tuple[Floats, Floats, float]:
    r"""Mean and covariance after a row, and its log density (sequence.34).

    .. math::
        \text{moment:}\quad & F = (I - K C) P \\
        \text{joseph:}\quad & F = (I - K C) P (I - K C)^\top + K R K^\top \\
        \text{information:}\quad & F = (P^{-1} + C^\top R^{-1} C)^{-1}
            \quad\text{(Woodbury)} \\
        \text{square root:}\quad & \begin{pmatrix} R^{1/2} & C P^{1/2} \\ 0 & P^{1/2} \end{pmatrix}
            \Theta = \begin{pmatrix} S^{1/2} & 0 \\ \bar K & F^{1/2} \end{pmatrix},\ \Theta
            \text{ orthogonal}

    The plain form loses definiteness as the noise becomes small beside the prior. Joseph's is
    dearer, not cheaper, and symmetric and definite by construction; the square root has twice the
    digits; the information form suits many outputs of few states, and needs definite ``P`` and
    ``R``.

    Parameters
    ----------
    mean, cov : ndarray of shape (n,) and (n, n)
        Before the row.
    y : ndarray of shape (m,)
        All observed.
    C, R : ndarray of shape (m, n) and (m, m)
    form : {"moment", "joseph", "information", "square_root"}

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> for form in ("moment", "joseph", "information", "square_root"):
    ...     found = kalman_update(np.zeros(1), one, np.ones(1), one, one, form)
    ...     print(found[0], found[1].round(12))
    [0.5] [[0.5]]
    [0.5] [[0.5]]
    [0.5] [[0.5]]
    [0.5] [[0.5]]
    """
    v = y - C @ mean
    if form == "square_root":
        return _square_root(mean, cov, v, C, R)
    S = C @ cov @ C.T + R
    factor = cholesky((S + S.T) / 2, name="covariance of a row", max_jitter=0.0)
    log_prob = -0.5 * (float(factor.quadratic(v)) + factor.log_det + len(v) * _LOG_2PI)
    K = factor.solve(C @ cov).T
    left = np.eye(len(mean)) - K @ C
    if form == "moment":
        return mean + K @ v, left @ cov, log_prob
    if form == "joseph":
        return mean + K @ v, left @ cov @ left.T + K @ R @ K.T, log_prob
    if form != "information":
        known = "'moment', 'joseph', 'information', 'square_root'"
        raise check.fail("kalman_update", "form", f"one of {known}", form)
    eye = np.eye(len(mean))
    prior = cholesky(cov, name="covariance of the state", max_jitter=0.0)
    noise = cholesky(R, name="covariance of the noise", max_jitter=0.0)
    precision = prior.solve(eye) + C.T @ noise.solve(C)
    after = cholesky((precision + precision.T) / 2, name="precision")
    F = after.solve(eye)
    return mean + after.solve(C.T @ noise.solve(v)), (F + F.T) / 2, log_prob


def filter_by_form(system: LinearSystem, Y: ArrayLike, form: str = "joseph") -> KalmanFiltered:
    """Filter over one sequence, with the correction written in a form of your choice.

    Parameters
    ----------
    system : LinearSystem
        Without a diffuse part.
    Y : array-like of shape (T,) or (T, m)
        NaN means unobserved.
    form : {"moment", "joseph", "information", "square_root"}

    See Also
    --------
    kalman_filter : the same answers, compiled.
    """
    table, _ = rows_of(system, Y)
    if system.diffuse is not None:
        raise check.fail("filter_by_form", "system", "without a diffuse part", "one with it")
    T, n = len(table), system.n_states
    filtered = KalmanFiltered(
        np.zeros(1), np.empty((T, n)), np.empty((T, n, n)), np.empty((T, n)), np.empty((T, n, n))
    )
    x, P = system.mean, system.cov
    for t in range(T):
        at = system if system.constant else system.at(t)
        if t:
            x, P = at.A @ x + at.b, at.A @ P @ at.A.T + at.Q
        filtered.predicted_mean[t], filtered.predicted_cov[t] = x, P
        seen = np.flatnonzero(~np.isnan(table[t]))
        if len(seen):
            y = table[t, seen] - at.d[seen]
            x, P, gain = kalman_update(x, P, y, at.C[seen], at.R[np.ix_(seen, seen)], form)
            filtered.log_prob[0] += gain
        filtered.mean[t], filtered.cov[t] = x, P
    return filtered


def _root(S: Floats) -> Floats:
    values, vectors = np.linalg.eigh((S + S.T) / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _square_root(
    mean: Floats, cov: Floats, v: Floats, C: Floats, R: Floats
) -> tuple[Floats, Floats, float]:
    m, root = len(v), _root(cov)
    array = np.block([[_root(R), C @ root], [np.zeros((len(mean), m)), root]])
    lower = np.linalg.qr(array.T)[1].T
    S, K, F = lower[:m, :m], lower[m:, :m], lower[m:, m:]
    white = np.linalg.solve(S, v)
    log_det = 2.0 * float(np.sum(np.log(np.abs(np.diagonal(S)))))
    log_prob = -0.5 * (float(white @ white) + log_det + m * _LOG_2PI)
    return mean + K @ white, F @ F.T, log_prob
