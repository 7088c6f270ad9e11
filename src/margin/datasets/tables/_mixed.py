"""A table as people have them: dates, words, levels, identifiers, gaps."""

from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.utils import Bunch

from margin.core import extra
from margin.core.random import generator
from margin.core.types import Array, Floats
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw

_REGIONS = ["north", "east", "south", "west"]
_REGION = np.array([0.4, 0.3, 0.2, 0.1])
_REGION_EFFECT = np.array([0.0, 0.6, -0.8, 1.2])
_LEVELS = ["low", "medium", "high"]
_LEVEL = np.array([0.25, 0.5, 0.25])
_LEVEL_EFFECT = np.array([1.2, 0.0, -1.2])
_OPENINGS = ["The delivery was", "I found the service", "Your shop is", "The packaging was"]
_MIDDLES = ["quick", "friendly", "a little slow", "better than expected", "rather confusing"]
_CLOSINGS = ["and I would order again", "but the price is high", "thank you", "please call me back"]
_EFFECTS = {"age": -0.5, "income": 0.0, "visits": -0.9, "tenure": -0.7}

#: The true scale of every column of :func:`make_mixed_table`, apart from the target.
MIXED_SCALES = {
    "customer_id": "identifier",
    "signed_up": "date",
    "region": "nominal",
    "satisfaction": "ordinal",
    "age": "ratio",
    "income": "ratio",
    "visits": "absolute",
    "country": "constant",
    "comment": "text",
}


def make_mixed_table(
    n_samples: int = 600,
    *,
    task: str = "classification",
    missing_rate: float = 0.08,
    random_state: Any = None,
) -> Bunch:
    r"""Customers of a shop: every kind of column, some values missing, a known law.

    With standardised age, visits and time since signing up, the score is
    :math:`\eta = -0.5\,\text{age} - 0.9\,\text{visits} - 0.7\,\text{tenure} + \text{region}
    + \text{satisfaction}`; classification draws ``churned`` from :math:`\sigma(\eta)`, regression
    sets ``spend`` to :math:`100 - 20\eta + 15\varepsilon`. Income, comment, country and
    identifier say nothing. Values are missing completely at random.

    Parameters
    ----------
    n_samples : int
        Number of rows, at least 2.
    task : {"classification", "regression"}
        Kind of target.
    missing_rate : float
        Probability that a value of age, income, region or satisfaction is missing.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``frame``; ``data`` and ``target``; ``target_name``; ``scales``, what each column truly is;
        ``effects``, the law; ``score`` :math:`\eta`; ``probability`` of churning (classification);
        ``expected`` spend and ``noise`` (regression).

    Examples
    --------
    >>> table = make_mixed_table(random_state=0)
    >>> table.frame.shape, table.target_name
    ((600, 10), 'churned')
    >>> table.frame["satisfaction"].cat.categories.tolist()
    ['low', 'medium', 'high']
    """
    owner = "make_mixed_table"
    require.count(owner, minimum=2, n_samples=n_samples)
    require.one_of(owner, ("classification", "regression"), task=task)
    require.between(owner, 0, 1, open_high=True, missing_rate=missing_rate)
    rng = generator(random_state)
    columns = _columns(n_samples, rng)
    score = _score(columns)
    truth: dict[str, Any] = {}
    if task == "classification":
        target_name, truth["probability"] = "churned", expit(score)
        churned = rng.random(n_samples) < truth["probability"]
        target = np.where(churned, "yes", "no")
    else:
        target_name, truth["expected"], truth["noise"] = "spend", 100 - 20 * score, 15.0
        target = truth["expected"] + truth["noise"] * rng.standard_normal(n_samples)
    frame = _frame(columns, missing_rate, rng)
    frame[target_name] = target
    return Bunch(
        frame=frame,
        data=frame.drop(columns=target_name),
        target=frame[target_name],
        target_name=target_name,
        task=task,
        scales=dict(MIXED_SCALES),
        effects={
            **_EFFECTS,
            "region": dict(zip(_REGIONS, _REGION_EFFECT.tolist(), strict=True)),
            "satisfaction": dict(zip(_LEVELS, _LEVEL_EFFECT.tolist(), strict=True)),
        },
        score=score,
        DESCR="Customers of a shop with columns of every kind, generated.",
        **truth,
    )


def _columns(n_samples: int, rng: np.random.Generator) -> dict[str, Array]:
    age = np.clip(rng.normal(45, 14, n_samples), 18, 90).round()
    words = [
        f"{rng.choice(_OPENINGS)} {rng.choice(_MIDDLES)}, {rng.choice(_CLOSINGS)} ({number})."
        for number in range(n_samples)
    ]
    return {
        "customer_id": np.array([f"C{number:06d}" for number in rng.permutation(n_samples)]),
        "days": rng.integers(0, 3 * 365, n_samples),
        "region": draw(np.tile(_REGION, (n_samples, 1)), rng),
        "satisfaction": draw(np.tile(_LEVEL, (n_samples, 1)), rng),
        "age": age,
        "income": np.exp(rng.normal(10.3, 0.5, n_samples)).round(2),
        "visits": rng.poisson(6, n_samples),
        "comment": np.array(words),
    }


def _score(columns: dict[str, Array]) -> Floats:
    """The law, in units that do not depend on the sample."""
    standard = {
        "age": (columns["age"] - 45) / 14,
        "visits": (columns["visits"] - 6) / np.sqrt(6),
        # Later sign-up means shorter tenure.
        "tenure": -(columns["days"] - 547) / 316,
    }
    score = _REGION_EFFECT[columns["region"]] + _LEVEL_EFFECT[columns["satisfaction"]]
    for name, values in standard.items():
        score = score + _EFFECTS[name] * values
    return np.asarray(score)


def _frame(columns: dict[str, Array], missing_rate: float, rng: np.random.Generator) -> Any:
    pd = extra("pandas", "as_frame=True")
    first_day = np.datetime64("2021-01-01", "s")
    frame = pd.DataFrame(
        {
            "customer_id": columns["customer_id"],
            "signed_up": first_day + columns["days"] * np.timedelta64(1, "D"),
            "region": np.asarray(_REGIONS)[columns["region"]],
            "satisfaction": pd.Categorical.from_codes(
                columns["satisfaction"], categories=_LEVELS, ordered=True
            ),
            "age": columns["age"],
            "income": columns["income"],
            "visits": columns["visits"],
            "country": "CH",
            "comment": columns["comment"],
        }
    )
    for name in ("age", "income", "region", "satisfaction"):
        frame[name] = frame[name].mask(rng.random(len(frame)) < missing_rate)
    return frame
