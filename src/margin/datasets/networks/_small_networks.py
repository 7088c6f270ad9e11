"""Small networks on which conditional independence is taught."""

from sklearn.utils import Bunch

from margin.datasets.networks._network import network

_YES_NO = ["no", "yes"]


def load_rain() -> Bunch:
    """Rain wets the ground and opens umbrellas: dependent, but independent given rain.

    Serves datasets.06. The graph umbrella ← rain → wet ground is the curriculum's;
    the numbers are invented: p(rain) = 0.3, p(umbrella | rain) = 0.9 against 0.1 without,
    p(wet | rain) = 0.95 against 0.2 without.

    Returns
    -------
    Bunch
        A network: ``nodes``, ``states``, ``edges``, ``parents``, ``cpts``, ``answers``, ``queries``
        and ``network``, the model itself.

    Examples
    --------
    >>> answers = load_rain().answers
    >>> round(answers["umbrella=yes"], 4), round(answers["umbrella=yes | wet=yes"], 4)
    (0.34, 0.6365)
    >>> answers["umbrella=yes | wet=yes, rain=yes"] == answers["umbrella=yes | rain=yes"]
    True
    """
    wet = 0.3 * 0.95 + 0.7 * 0.2
    return network(
        "load_rain",
        {"rain": _YES_NO, "umbrella": _YES_NO, "wet": _YES_NO},
        [("rain", "umbrella"), ("rain", "wet")],
        {
            "rain": [0.7, 0.3],
            "umbrella": [[0.9, 0.1], [0.1, 0.9]],
            "wet": [[0.8, 0.2], [0.05, 0.95]],
        },
        {
            "umbrella=yes": 0.3 * 0.9 + 0.7 * 0.1,
            "wet=yes": wet,
            "umbrella=yes | wet=yes": (0.3 * 0.9 * 0.95 + 0.7 * 0.1 * 0.2) / wet,
            "umbrella=yes | rain=yes": 0.9,
            "umbrella=yes | wet=yes, rain=yes": 0.9,
            "umbrella=yes | wet=no, rain=yes": 0.9,
            "rain=yes | wet=yes": 0.3 * 0.95 / wet,
            "umbrella=yes | do(wet=yes)": 0.3 * 0.9 + 0.7 * 0.1,
        },
        DESCR="Rain, umbrella and wet ground; the numbers are invented.",
    )


def load_flu() -> Bunch:
    """Flu causes fever and cough: the tail-to-tail case of d-separation.

    Serves datasets.07. The graph fever ← flu → cough is the curriculum's; the
    numbers are invented: p(flu) = 0.05, p(fever | flu) = 0.9 against 0.05 without, p(cough | flu) =
    0.8 against 0.1 without.

    Returns
    -------
    Bunch
        A network: ``nodes``, ``states``, ``edges``, ``parents``, ``cpts``, ``answers``, ``queries``
        and ``network``, the model itself.

    Examples
    --------
    >>> answers = load_flu().answers
    >>> round(answers["cough=yes"], 4), round(answers["cough=yes | fever=yes"], 4)
    (0.135, 0.4405)
    >>> round(answers["flu=yes | fever=yes, cough=yes"], 4)
    0.8834
    """
    fever = 0.05 * 0.9 + 0.95 * 0.05
    cough = 0.05 * 0.8 + 0.95 * 0.1
    both = 0.05 * 0.9 * 0.8 + 0.95 * 0.05 * 0.1
    return network(
        "load_flu",
        {"flu": _YES_NO, "fever": _YES_NO, "cough": _YES_NO},
        [("flu", "fever"), ("flu", "cough")],
        {
            "flu": [0.95, 0.05],
            "fever": [[0.95, 0.05], [0.1, 0.9]],
            "cough": [[0.9, 0.1], [0.2, 0.8]],
        },
        {
            "fever=yes": fever,
            "cough=yes": cough,
            "cough=yes | fever=yes": both / fever,
            "cough=yes | fever=yes, flu=yes": 0.8,
            "cough=yes | fever=no, flu=yes": 0.8,
            "flu=yes | fever=yes": 0.05 * 0.9 / fever,
            "flu=yes | fever=yes, cough=yes": 0.05 * 0.9 * 0.8 / both,
        },
        DESCR="Flu, fever and cough; the numbers are invented.",
    )


def load_d_separation() -> Bunch:
    """The graph a → e ← f → b with e → c, on which d-separation is exercised.

    Serves datasets.08. Between a and b stand a collider (e, whose child is c) and a fork (f): a
    and b are separated by nothing and by f, and connected once c or e alone is observed. The
    tables are invented and faithful: every dependence the graph allows is there.

    Returns
    -------
    Bunch
        A network as of :func:`load_burglary`, with ``separated``: for every set of the other nodes,
        whether it d-separates a from b.

    Examples
    --------
    >>> graph = load_d_separation()
    >>> [graph.separated[given] for given in ((), ("c",), ("f",), ("c", "f"))]
    [True, False, True, True]
    """
    return network(
        "load_d_separation",
        {node: ["0", "1"] for node in "afebc"},
        [("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")],
        {
            "a": [0.6, 0.4],
            "f": [0.7, 0.3],
            "e": [[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.2, 0.8]]],
            "b": [[0.8, 0.2], [0.25, 0.75]],
            "c": [[0.85, 0.15], [0.1, 0.9]],
        },
        {
            "b=1": 0.7 * 0.2 + 0.3 * 0.75,
            "b=1 | a=1": 0.7 * 0.2 + 0.3 * 0.75,
            "b=1 | a=1, f=1": 0.75,
        },
        separated={
            (): True,
            ("c",): False,
            ("e",): False,
            ("f",): True,
            ("c", "e"): False,
            ("c", "f"): True,
            ("e", "f"): True,
            ("c", "e", "f"): True,
        },
        DESCR="The d-separation exercise a → e ← f → b, e → c; the numbers are invented.",
    )
