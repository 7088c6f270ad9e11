"""Penalties as negative logarithms of prior densities."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._l1 import L1
from margin.penalties._l2 import L2
from margin.penalties._quadratic import Quadratic


def from_gaussian_prior(
    *, variance: float | None = None, precision: Any = None, noise_variance: float = 1.0
) -> L2 | Quadratic:
    r"""Penalty whose minimiser is the most probable ``w`` under a Gaussian prior (penalties.08).

    With Gaussian noise of variance :math:`\sigma^2` and the loss :math:`\tfrac12 (z - y)^2`, the
    posterior mode under :math:`w \sim N(0, \tau^2 I)` minimises the sum of losses plus
    :math:`\tfrac{\sigma^2}{2 \tau^2} \|w\|^2`; under :math:`N(0, \Lambda^{-1})`, plus
    :math:`\tfrac{\sigma^2}{2} w^\top \Lambda w`. Where the loss is a negative log-likelihood
    already (logistic, softmax, a CRF), leave ``noise_variance`` at one.

    Parameters
    ----------
    variance : float, optional
        Prior variance :math:`\tau^2` of every coefficient, above 0.
    precision : array-like of shape (p, p), optional
        Prior precision :math:`\Lambda`, in place of ``variance``.
    noise_variance : float
        :math:`\sigma^2`, above 0.

    Examples
    --------
    >>> from_gaussian_prior(variance=0.25, noise_variance=2.0)
    L2(alpha=8.0)
    """
    _positive("from_gaussian_prior", "noise_variance", noise_variance)
    if (variance is None) == (precision is None):
        need = "given, or precision, and not both"
        raise check.fail("from_gaussian_prior", "variance", need, variance)
    if variance is None:
        return Quadratic(precision, noise_variance)
    _positive("from_gaussian_prior", "variance", variance)
    return L2(noise_variance / variance)


def from_laplace_prior(*, scale: float, noise_variance: float = 1.0) -> L1:
    r"""Penalty of the Laplace prior :math:`p(w) = e^{-|w|/b} / 2b` (penalties.08).

    The posterior mode minimises the sum of :math:`\tfrac12 (z - y)^2` plus
    :math:`\tfrac{\sigma^2}{b} \|w\|_1`.

    Examples
    --------
    >>> from_laplace_prior(scale=0.5, noise_variance=2.0)
    L1(alpha=4.0)
    """
    _positive("from_laplace_prior", "scale", scale)
    _positive("from_laplace_prior", "noise_variance", noise_variance)
    return L1(noise_variance / scale)


def log_prior(penalty: L1 | L2 | Quadratic, w: Floats, noise_variance: float = 1.0) -> float:
    r"""Logarithm of the normalised prior density a penalty stands for (penalties.08).

    - :class:`L2`: :math:`N(0, \sigma^2/\alpha)` for each coefficient;
    - :class:`L1`: :math:`\tfrac{\alpha}{2\sigma^2} e^{-\alpha |w| / \sigma^2}` for each;
    - :class:`Quadratic`: :math:`N(0, \sigma^2 (\alpha \Omega)^{-1})`, proper only if
      :math:`\Omega` is regular (otherwise refused).

    Examples
    --------
    >>> import numpy as np
    >>> round(log_prior(L1(1.0), np.zeros(1)), 6)  # log 1/2
    -0.693147
    """
    _positive("log_prior", "noise_variance", noise_variance)
    if not penalty.alpha > 0:
        raise check.fail("log_prior", "penalty", "of a strength above 0", penalty)
    energy = penalty.value(w) / noise_variance
    rate = penalty.alpha / noise_variance
    if isinstance(penalty, L1):
        return w.size * float(np.log(rate / 2.0)) - energy
    if isinstance(penalty, L2):
        return 0.5 * w.size * float(np.log(rate / (2.0 * np.pi))) - energy
    sign, log_det = np.linalg.slogdet(rate / (2.0 * np.pi) * penalty.omega)
    if sign <= 0:
        raise check.fail("log_prior", "penalty", "of a regular omega", "a singular one")
    return 0.5 * float(log_det) * (w.size // len(penalty.omega)) - energy


def _positive(owner: str, name: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
        raise check.fail(owner, name, "a number above 0", value)
