"""Two real tables where the whole says the opposite of its parts (Simpson's paradox)."""

from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.types import Array, Indices
from margin.datasets._tabular import tabular
from margin.datasets.networks._network import network

# Applicants and admitted, per department: men, then women.
_BERKELEY = {
    "A": (825, 512, 108, 89),
    "B": (560, 353, 25, 17),
    "C": (325, 120, 593, 202),
    "D": (417, 138, 375, 131),
    "E": (191, 53, 393, 94),
    "F": (272, 16, 341, 24),
}

# Treated and recovered, per stone size: open surgery, then minimally invasive treatment.
_KIDNEY = {"small": (87, 81, 270, 234), "big": (263, 192, 80, 55)}


def _counts(rows: dict[str, tuple[int, int, int, int]]) -> Indices:
    """Array [stratum, group, outcome] with outcome 0 = no, 1 = yes."""
    table = np.asarray(list(rows.values())).reshape(-1, 2, 2)
    totals, successes = table[..., 0], table[..., 1]
    return np.stack([totals - successes, successes], axis=-1)


def _individuals(counts: Indices) -> Indices:
    """One row (stratum, group, outcome) per person, in the order of the table."""
    cells = np.argwhere(np.ones_like(counts, dtype=bool))
    return np.repeat(cells, counts.ravel(), axis=0)


def load_berkeley(*, as_frame: bool = False) -> Bunch:
    r"""Graduate admissions at Berkeley, 1973: men are preferred overall, women in 4 of 6 fields.

    Serves datasets.01. The lawsuit reads the graph sex → admitted; the defence
    reads sex → department → admitted (with a possible arrow sex → admitted): the total effect
    :math:`p(\text{yes} \mid \text{do}(\text{sex}))` is large, the direct effect at a given
    department is small, and where it is significant (department A) it favours women.

    Parameters
    ----------
    as_frame : bool
        Return pandas objects with words instead of codes.

    Returns
    -------
    Bunch
        ``data`` (4425, 2) codes of sex and department, one row per applicant; ``target`` 1 if
        admitted; ``counts`` [department, sex, admitted]; the network (``nodes``, ``states``,
        ``edges``, ``parents``, ``cpts``) with the defence's complete graph, whose tables are the
        observed frequencies; ``answers`` as exact fractions; ``standardised``, the admission rate
        of each sex if it applied to departments as everybody did; ``g_tests``, the pair (G, p) of
        the likelihood-ratio test of sex against admission, overall and per department.

    Notes
    -----
    Department F is printed here with 272 men of whom 16 were admitted, which is what the stated
    totals (2590, 1192) add up to; other printings of the table have 373 and 22.

    References
    ----------
    Bickel, Hammel, O'Connell (1975). Sex bias in graduate admissions. Science 187.

    Examples
    --------
    >>> table = load_berkeley()
    >>> table.answers["admitted=yes | sex=male"], table.answers["admitted=yes | sex=female"]
    (Fraction(596, 1295), Fraction(557, 1835))
    >>> {sex: round(rate, 4) for sex, rate in table.standardised.items()}
    {'male': 0.3948, 'female': 0.4382}
    """
    counts = _counts(_BERKELEY)
    people = _individuals(counts)
    states = {"sex": ["male", "female"], "department": list(_BERKELEY), "admitted": ["no", "yes"]}
    per_sex = counts.sum(axis=2).T
    graph = network(
        "load_berkeley",
        states,
        [("sex", "department"), ("sex", "admitted"), ("department", "admitted")],
        {
            "sex": per_sex.sum(axis=1) / per_sex.sum(),
            "department": per_sex / per_sex.sum(axis=1, keepdims=True),
            "admitted": (counts / counts.sum(axis=2, keepdims=True)).transpose(1, 0, 2),
        },
        {
            "admitted=yes | sex=male": Fraction(1192, 2590),
            "admitted=yes | sex=female": Fraction(557, 1835),
            "admitted=yes | do(sex=male)": Fraction(1192, 2590),
            "admitted=yes | do(sex=female)": Fraction(557, 1835),
            "admitted=yes | sex=male, department=A": Fraction(512, 825),
            "admitted=yes | sex=female, department=A": Fraction(89, 108),
        },
    )
    g_tests = {
        "total": (111.82992397, 3.893e-26),
        "A": (19.05400994, 1.27070e-05),
        "B": (0.25864295, 0.611054),
        "C": (0.75098435, 0.386165),
        "D": (0.29786652, 0.585223),
        "E": (0.99038637, 0.319648),
        "F": (0.33384938, 0.563401),
    }
    return _bunch(
        people[:, [1, 0]],
        people[:, 2],
        graph,
        counts,
        as_frame,
        standardised={"male": 0.3947909894, "female": 0.4381626096},
        g_tests=g_tests,
        DESCR="Admissions to six departments of the University of California, Berkeley, 1973.",
    )


def load_kidney_stones(*, as_frame: bool = False) -> Bunch:
    r"""Two treatments of kidney stones: B cures more patients, A is better for every patient.

    Serves datasets.02. Size is a common cause of treatment and recovery, hence
    :math:`p(y \mid \text{do}(x)) = \sum_z p(z)\, p(y \mid x, z)` differs from
    :math:`p(y \mid x) = \sum_z p(z \mid x)\, p(y \mid x, z)` and reverses the ranking.

    Parameters
    ----------
    as_frame : bool
        Return pandas objects with words instead of codes.

    Returns
    -------
    Bunch
        ``data`` (700, 2) codes of treatment and size, one row per patient; ``target`` 1 if
        recovered; ``counts`` [size, treatment, recovered]; the network of observed frequencies;
        ``answers`` as exact fractions, including the interventions; ``average_effect`` of A
        against B; ``propensity`` p(A | size); ``g_tests``, the pairs (G, p).

    References
    ----------
    Charig et al. (1986). Comparison of treatment of renal calculi. BMJ 292.

    Examples
    --------
    >>> table = load_kidney_stones()
    >>> float(table.answers["recovered=yes | treatment=A"])
    0.78
    >>> float(table.answers["recovered=yes | do(treatment=A)"])
    0.8325462173856037
    >>> float(table.answers["recovered=yes | do(treatment=B)"])
    0.778875
    """
    counts = _counts(_KIDNEY)
    people = _individuals(counts)
    states = {"size": list(_KIDNEY), "treatment": ["A", "B"], "recovered": ["no", "yes"]}
    per_size = counts.sum(axis=2)
    do_a = Fraction(357, 700) * Fraction(81, 87) + Fraction(343, 700) * Fraction(192, 263)
    do_b = Fraction(357, 700) * Fraction(234, 270) + Fraction(343, 700) * Fraction(55, 80)
    graph = network(
        "load_kidney_stones",
        states,
        [("size", "treatment"), ("size", "recovered"), ("treatment", "recovered")],
        {
            "size": per_size.sum(axis=1) / per_size.sum(),
            "treatment": per_size / per_size.sum(axis=1, keepdims=True),
            "recovered": counts / counts.sum(axis=2, keepdims=True),
        },
        {
            "recovered=yes | treatment=A": Fraction(273, 350),
            "recovered=yes | treatment=B": Fraction(289, 350),
            "recovered=yes | size=small, treatment=A": Fraction(81, 87),
            "recovered=yes | size=small, treatment=B": Fraction(234, 270),
            "recovered=yes | size=big, treatment=A": Fraction(192, 263),
            "recovered=yes | size=big, treatment=B": Fraction(55, 80),
            "recovered=yes | do(treatment=A)": do_a,
            "recovered=yes | do(treatment=B)": do_b,
        },
    )
    g_tests = {
        "total": (2.31482869, 0.12814542),
        "small": (2.90798953, 0.08814169),
        "big": (0.54232024, 0.46147273),
    }
    return _bunch(
        people[:, [1, 0]],
        people[:, 2],
        graph,
        counts,
        as_frame,
        average_effect=do_a - do_b,
        propensity={"small": Fraction(87, 357), "big": Fraction(263, 343)},
        g_tests=g_tests,
        DESCR="Recovery of 700 patients with kidney stones under two treatments.",
    )


def _bunch(
    data: Array,
    target: Array,
    graph: Bunch,
    counts: Array,
    as_frame: bool,
    **truth: Any,
) -> Bunch:
    group, stratum = ("treatment", "size") if "size" in graph.nodes else ("sex", "department")
    outcome = graph.nodes[-1]
    return tabular(
        data,
        target,
        feature_names=[group, stratum],
        target_name=outcome,
        labels={name: graph.states[name] for name in (group, stratum)},
        target_names=graph.states[outcome],
        as_frame=as_frame,
        counts=counts,
        **graph,
        **truth,
    )
