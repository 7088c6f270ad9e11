"""What the parameters of a topic model must be."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core import check

METHODS = ("batch", "online", "gibbs", "parallel_gibbs")


def check_topic_params(owner: Any) -> None:
    """Refuse parameters of :class:`LatentDirichletAllocation` that make no sense, by name."""
    check.params(
        owner,
        positive="total_samples",
        nonnegative="perp_tol mean_change_tol",
        fraction="learning_decay",
        count="n_components batch_size",
        one_of={"learning_method": METHODS},
    )
    for name in ("doc_topic_prior", "topic_word_prior"):
        if getattr(owner, name) is not None:
            check.params(owner, positive=name)
    rules: Mapping[str, tuple[float, str]] = {
        "max_iter": (0, "an integer of at least 0"),
        "max_doc_update_iter": (0, "an integer of at least 0"),
        "evaluate_every": (-np.inf, "an integer"),
    }
    for name, (least, need) in rules.items():
        value = getattr(owner, name)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise check.fail(owner, name, need, value)
    offset = owner.learning_offset
    if isinstance(offset, bool) or not isinstance(offset, int | float | np.number):
        raise check.fail(owner, "learning_offset", "a number of at least 1", offset)
    if not 1.0 <= offset < np.inf:
        raise check.fail(owner, "learning_offset", "a number of at least 1", offset)
