"""The burglary alarm: two independent causes compete to explain one effect."""

from sklearn.utils import Bunch

from margin.datasets.networks._network import network


def load_burglary() -> Bunch:
    r"""Burglary and earthquake both ring the alarm; learning of one explains the other away.

    Serves datasets.03:
    :math:`p(B, E, A) = p(B)\,p(E)\,p(A \mid B, E)` with :math:`p(B{=}1) = 0.01`,
    :math:`p(E{=}1) = 0.02` and :math:`p(A{=}1 \mid B, E)` = 0.001, 0.3, 0.9, 0.95 for
    (B, E) = 00, 01, 10, 11.

    Returns
    -------
    Bunch
        A network: ``nodes``, ``states``, ``edges``, ``parents``, ``cpts``, ``answers``, ``queries``
        and ``network``, the model itself.

    Examples
    --------
    >>> net = load_burglary()
    >>> net.cpts["alarm"][1, 0, 1]
    np.float64(0.9)
    >>> net.network.query("burglary", {"alarm": "yes"})
    burglary  probability
    no        0.434052
    yes       0.565948
    >>> round(net.answers["burglary=yes | alarm=yes"], 10)
    0.565947664
    >>> round(net.answers["burglary=yes | alarm=yes, earthquake=yes"], 10)
    0.030995106
    """
    ring = [[0.001, 0.3], [0.9, 0.95]]
    both, neither = 0.01 * 0.02 * 0.95, 0.99 * 0.98 * 0.001
    only_burglary, only_earthquake = 0.01 * 0.98 * 0.9, 0.99 * 0.02 * 0.3
    alarm = both + neither + only_burglary + only_earthquake
    yes_no = ["no", "yes"]
    return network(
        "load_burglary",
        {"burglary": yes_no, "earthquake": yes_no, "alarm": yes_no},
        [("burglary", "alarm"), ("earthquake", "alarm")],
        {
            "burglary": [0.99, 0.01],
            "earthquake": [0.98, 0.02],
            "alarm": [[[1 - p, p] for p in row] for row in ring],
        },
        {
            "alarm=yes": alarm,
            "alarm=yes | burglary=no": 0.98 * 0.001 + 0.02 * 0.3,
            "alarm=yes | burglary=yes": 0.98 * 0.9 + 0.02 * 0.95,
            "burglary=no, earthquake=no | alarm=yes": neither / alarm,
            "burglary=no, earthquake=yes | alarm=yes": only_earthquake / alarm,
            "burglary=yes, earthquake=no | alarm=yes": only_burglary / alarm,
            "burglary=yes, earthquake=yes | alarm=yes": both / alarm,
            "burglary=yes | alarm=yes": (both + only_burglary) / alarm,
            "earthquake=yes | alarm=yes": (both + only_earthquake) / alarm,
            "burglary=yes | alarm=yes, earthquake=yes": both / (both + only_earthquake),
            "burglary=yes | alarm=yes, earthquake=no": only_burglary / (only_burglary + neither),
            "burglary=yes | earthquake=yes": 0.01,
            "burglary=yes | do(alarm=yes)": 0.01,
        },
        DESCR="Burglary, earthquake and alarm: the worked example of explaining away.",
    )
