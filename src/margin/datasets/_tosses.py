"""Coins and dice: counts, likelihoods and conjugate posteriors that a hand can check."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw

_COIN = "HHTTTHH"
_DIE = [3, 6, 1, 6, 2, 5, 6, 3, 4, 6]


def load_coin_tosses() -> Bunch:
    r"""Seven tosses of a coin, HHTTTHH, under a uniform prior.

    Serves datasets.20: with :math:`h` heads of :math:`n` and the prior
    :math:`\text{Beta}(a_h, a_t)` the estimate is :math:`h/n` by maximum likelihood and
    :math:`(h + a_h)/(n + a_h + a_t)` by the posterior mean, which is the predictive probability.

    Returns
    -------
    Bunch
        ``data`` (0 tails, 1 heads), ``states``, ``counts``, ``prior``, ``posterior``, ``answers``
        as exact fractions.

    Examples
    --------
    >>> coin = load_coin_tosses()
    >>> coin.counts.tolist(), [str(p) for p in coin.answers["maximum likelihood"]]
    ([3, 4], ['3/7', '4/7'])
    >>> [str(p) for p in coin.answers["posterior mean"]]
    ['4/9', '5/9']
    """
    codes = np.array([1 if toss == "H" else 0 for toss in _COIN])
    return _tosses(
        codes, ["tails", "heads"], [1, 1], None, "load_coin_tosses", "Seven tosses of a coin."
    )


def load_dice_rolls() -> Bunch:
    r"""Ten rolls of a die under a uniform Dirichlet prior.

    Serves datasets.20: with counts :math:`N_k` and the prior :math:`\text{Dir}(a)` the posterior is
    :math:`\text{Dir}(a + N)` with mean :math:`(N_k + a_k)/(N + \sum_j a_j)`. The rolls are
    invented.

    Returns
    -------
    Bunch
        As :func:`load_coin_tosses`, with the faces 1 to 6 as states.

    Examples
    --------
    >>> dice = load_dice_rolls()
    >>> dice.counts.tolist()
    [1, 1, 2, 1, 1, 4]
    >>> [str(p) for p in dice.answers["posterior mean"]]
    ['1/8', '1/8', '3/16', '1/8', '1/8', '5/16']
    """
    faces = [str(face) for face in range(1, 7)]
    return _tosses(
        np.array(_DIE) - 1, faces, [1] * 6, None, "load_dice_rolls", "Ten rolls of a die."
    )


def make_coin_tosses(
    n_samples: int = 100,
    *,
    probability: float = 0.5,
    prior: Sequence[float] = (1, 1),
    random_state: Any = None,
) -> Bunch:
    r"""Tosses of a coin that shows heads with a known probability.

    Serves datasets.20: :math:`p(x \mid \theta) = \theta^x (1 - \theta)^{1 - x}`.

    Parameters
    ----------
    n_samples : int
        Number of tosses.
    probability : float
        :math:`\theta`, of heads.
    prior : pair of positive numbers
        Imaginary tosses that showed tails and heads.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        As :func:`load_coin_tosses`, with the true ``probabilities``.

    Examples
    --------
    >>> coin = make_coin_tosses(1000, probability=0.3, random_state=0)
    >>> round(float(coin.answers["maximum likelihood"][1]), 3)
    0.322
    """
    require.count("make_coin_tosses", n_samples=n_samples)
    require.between("make_coin_tosses", 0, 1, probability=probability)
    theta = np.array([1 - probability, probability])
    codes = draw(np.tile(theta, (n_samples, 1)), generator(random_state))
    return _tosses(
        codes, ["tails", "heads"], prior, theta, "make_coin_tosses", "Tosses of a coin, generated."
    )


def make_dice_rolls(
    n_samples: int = 100,
    *,
    probabilities: ArrayLike | None = None,
    prior: Sequence[float] | None = None,
    random_state: Any = None,
) -> Bunch:
    r"""Rolls of a die with known probabilities of its faces.

    Serves datasets.20: :math:`p(x \mid \theta) = \prod_k \theta_k^{[x = k]}`.

    Parameters
    ----------
    n_samples : int
        Number of rolls.
    probabilities : array-like, optional
        :math:`\theta`; absent, six fair faces. Its length is the number of faces.
    prior : sequence of positive numbers, optional
        Imaginary rolls of each face; absent, one each.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        As :func:`load_coin_tosses`, with the true ``probabilities``.

    Examples
    --------
    >>> dice = make_dice_rolls(60, probabilities=[0.5, 0.25, 0.25], random_state=0)
    >>> int(dice.counts.sum()), len(dice.answers["posterior mean"])
    (60, 3)
    """
    require.count("make_dice_rolls", n_samples=n_samples)
    theta = np.full(6, 1 / 6) if probabilities is None else np.asarray(probabilities, dtype=float)
    require.distribution("make_dice_rolls", probabilities=theta)
    codes = draw(np.tile(theta, (n_samples, 1)), generator(random_state))
    faces = [str(face + 1) for face in range(len(theta))]
    pseudo = [1] * len(theta) if prior is None else prior
    return _tosses(codes, faces, pseudo, theta, "make_dice_rolls", "Rolls of a die, generated.")


def _tosses(
    codes: Places,
    states: list[str],
    prior: Sequence[float],
    probabilities: Floats | None,
    owner: str,
    description: str,
) -> Bunch:
    if len(prior) != len(states) or any(not np.isfinite(a) or a <= 0 for a in prior):
        raise ValueError(f"{owner}: prior must be {len(states)} positive numbers, got {prior!r}")
    counts = np.bincount(codes, minlength=len(states))
    pseudo = [Fraction(a) for a in prior]
    total, strength = int(counts.sum()), sum(pseudo)
    return Bunch(
        data=codes,
        states=states,
        counts=counts,
        prior=np.array([float(a) for a in prior]),
        posterior=counts + np.array([float(a) for a in prior]),
        probabilities=probabilities,
        answers={
            "maximum likelihood": [Fraction(int(n), total) for n in counts],
            "posterior mean": [
                (int(n) + a) / (total + strength) for n, a in zip(counts, pseudo, strict=True)
            ],
        },
        DESCR=description,
    )
