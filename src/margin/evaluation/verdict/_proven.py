"""What a score over few folds proves, beside models that ran them all."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from margin.evaluation.race._evidence import gap

Blocks = Mapping[int, Sequence[float]]


def proven(
    means: Mapping[str, float],
    blocks: Mapping[str, Blocks],
    *,
    enough: int,
    test_share: float,
    baselines: Collection[str] = (),
) -> dict[str, float]:
    """Scores to rank by: that of a model with few folds less one standard error of its advantage.

    Of many models with few folds the best one was also the luckiest, so what leads a ranking by
    plain means is what was looked at least. The advantage is that over the best model with enough
    folds, which shares them; where nobody has enough all are as uncertain, and where the error is
    not known the model stands no higher than that best one.

    Parameters
    ----------
    means : mapping of str to float
        Scores of the models, adjusted for the folds that they missed.
    blocks : mapping of str to mapping of int to sequence of float
        Their block scores by fold.
    enough : int
        Folds that prove a score.
    test_share : float
        Held-out rows per training row of a fold.
    baselines : collection of str
        Models that others are not held against.

    Examples
    --------
    >>> sure, lucky = {f: [0.7, 0.8] for f in range(5)}, {0: [0.8, 0.8], 1: [0.7, 0.9]}
    >>> ranked_by = proven(
    ...     {"sure": 0.75, "lucky": 0.8}, {"sure": sure, "lucky": lucky}, enough=5, test_share=0.25)
    >>> ranked_by["sure"], round(ranked_by["lucky"], 4)
    (0.75, 0.7646)
    """
    full = [n for n in means if len(blocks[n]) >= enough and n not in baselines]
    full = [n for n in full if not math.isnan(means[n])]
    if not full:
        return dict(means)
    best = max(full, key=lambda name: means[name])
    proved = dict(means)
    for name in means:
        if len(blocks[name]) < enough and name not in baselines:
            se = gap(blocks[name], blocks[best], test_share=test_share).se
            known = means[name] - se
            proved[name] = known if math.isfinite(se) else min(means[name], means[best])
    return proved
