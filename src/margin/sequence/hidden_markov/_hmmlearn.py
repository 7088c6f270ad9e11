"""Models of hmmlearn, taken over as they are."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.distributions import Categorical, Poisson
from margin.sequence.hidden_markov._categorical_hmm import CategoricalHMM
from margin.sequence.hidden_markov._gaussian_hmm import GaussianHMM
from margin.sequence.hidden_markov._gmm_hmm import GMMHMM
from margin.sequence.hidden_markov._poisson_hmm import PoissonHMM

_EVERYTHING = ("start", "transition", "emission")


def from_hmmlearn(model: Any) -> Any:
    """A fitted model of ours with the parameters of one of hmmlearn.

    ``GaussianHMM``, ``GMMHMM``, ``CategoricalHMM`` and ``PoissonHMM`` are understood, by their
    names and attributes: hmmlearn itself is not needed. Likelihoods, paths and posteriors then
    agree.

    Parameters
    ----------
    model : object
        With ``startprob_``, ``transmat_`` and what its states show.

    Examples
    --------
    >>> import numpy as np
    >>> class CategoricalHMM:
    ...     startprob_ = np.array([0.6, 0.4])
    ...     transmat_ = np.array([[0.7, 0.3], [0.4, 0.6]])
    ...     emissionprob_ = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> np.exp(from_hmmlearn(CategoricalHMM()).log_prob([[0, 0, 1]])).round(6)
    array([0.13623])
    """
    kind = type(model).__name__
    given = {
        "start_init": model.startprob_,
        "transition_init": model.transmat_,
        "fixed": _EVERYTHING,
    }
    k = len(model.startprob_)
    if kind == "CategoricalHMM":
        table = Categorical(model.emissionprob_).probabilities
        ours: Any = CategoricalHMM(k, emission_init=table, **given)
        return ours.fit(np.zeros(1))
    if kind == "PoissonHMM":
        rates = Poisson(model.lambdas_).rate
        return PoissonHMM(k, rates_init=rates, **given).fit(np.zeros((1, rates.shape[1])))
    if kind == "GaussianHMM":
        means = np.asarray(model.means_)
        full = np.broadcast_to(np.asarray(model.covars_), (k, *2 * means.shape[1:]))
        ours = GaussianHMM(k, means_init=means, covariances_init=full, **given)
        return ours.fit(means[:1])
    if kind == "GMMHMM":
        means = np.asarray(model.means_)
        laws = {
            "weights_init": model.weights_,
            "means_init": means,
            "covariances_init": _full(model),
        }
        return GMMHMM(k, means.shape[1], **laws, **given).fit(means[0, :1])
    wanted = "a GaussianHMM, GMMHMM, CategoricalHMM or PoissonHMM of hmmlearn"
    raise check.fail("from_hmmlearn", "model", wanted, kind)


def _full(model: Any) -> Floats:
    """Covariances of shape (K, M, d, d) of a mixture; "tied" is one for each state there."""
    given, (k, m, d) = np.asarray(model.covars_, dtype=np.float64), np.shape(model.means_)
    if model.covariance_type == "tied":
        given = given[:, None]
    elif model.covariance_type == "diag":
        given = given[..., None] * np.eye(d)
    elif model.covariance_type == "spherical":
        given = given[..., None, None] * np.eye(d)
    return np.broadcast_to(given, (k, m, d, d))
