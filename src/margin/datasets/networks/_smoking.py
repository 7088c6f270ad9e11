"""Three causal stories about smoking and cancer that no observational table can tell apart."""

from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.datasets import _requirements as require
from margin.datasets.networks._network import network

_YES_NO = ["no", "yes"]


def load_smoking(model: str = "both") -> Bunch:
    r"""Smoking causes cancer, or a gene causes both, or both stories at once.

    Serves datasets.05. All three models have the same observational table of smoking and
    cancer, p(smoking) = 0.5, p(cancer | smoker) = 0.17, p(cancer | non-smoker) = 0.08, so the naive
    difference is 0.09 in each. They differ in what an intervention would do:

    ========== ============================== ============ ============ ========
    model      arrows                         do(smoking)  do(none)     effect
    ========== ============================== ============ ============ ========
    direct     smoking → cancer               0.17         0.08         0.09
    gene       smoking ← gene → cancer        0.125        0.125        0
    both       all three                      0.14         0.095        0.045
    ========== ============================== ============ ============ ========

    Parameters
    ----------
    model : {"direct", "gene", "both"}
        Which story.

    Returns
    -------
    Bunch
        A network as of :func:`load_burglary`, with ``latent`` naming the node that is not observed
        and ``effect``, the causal difference
        :math:`p(c \mid \text{do}(s{=}1)) - p(c \mid \text{do}(s{=}0))`.

    Notes
    -----
    The graphs are those of the curriculum; the numbers are invented for the lesson.

    Examples
    --------
    >>> for model in ("direct", "gene", "both"):
    ...     net = load_smoking(model)
    ...     print(model, net.answers["cancer=yes | smoking=yes"], net.effect)
    direct 0.17 0.09
    gene 0.17 0.0
    both 0.17 0.045
    """
    require.one_of("load_smoking", ("direct", "gene", "both"), model=model)
    smoker, abstainer = {"direct": (0.17, 0.08), "gene": (0.125, 0.125), "both": (0.14, 0.095)}[
        model
    ]
    answers = {
        "smoking=yes": 0.5,
        "cancer=yes": 0.125,
        "cancer=yes | smoking=yes": 0.17,
        "cancer=yes | smoking=no": 0.08,
        "cancer=yes | do(smoking=yes)": smoker,
        "cancer=yes | do(smoking=no)": abstainer,
    }
    fields = {
        "model": model,
        "effect": {"direct": 0.09, "gene": 0.0, "both": 0.045}[model],
        "DESCR": "Smoking, cancer and a latent gene; the numbers are invented.",
    }
    if model == "direct":
        return network(
            "load_smoking",
            {"smoking": _YES_NO, "cancer": _YES_NO},
            [("smoking", "cancer")],
            {"smoking": [0.5, 0.5], "cancer": [[0.92, 0.08], [0.83, 0.17]]},
            answers,
            latent=[],
            **fields,
        )
    tables: dict[str, ArrayLike] = {
        "gene": [[0.95, 0.05], [0.80, 0.20]],
        # Axes: gene, smoking, cancer.
        "both": [[[0.93, 0.07], [0.91, 0.09]], [[0.88, 0.12], [0.81, 0.19]]],
    }
    arrows = [("gene", "smoking"), ("gene", "cancer")]
    return network(
        "load_smoking",
        {"gene": _YES_NO, "smoking": _YES_NO, "cancer": _YES_NO},
        arrows if model == "gene" else [*arrows, ("smoking", "cancer")],
        {"gene": [0.5, 0.5], "smoking": [[0.8, 0.2], [0.2, 0.8]], "cancer": tables[model]},
        answers,
        latent=["gene"],
        **fields,
    )
