"""Parameters of topic models that are refused, and by which words."""

import pytest

from margin.mixture import LatentDirichletAllocation
from margin.mixture.topics._topic_checks import check_topic_params


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"topic_word_prior": 0.0}, "topic_word_prior must be a number above 0, got 0.0"),
        ({"batch_size": 0}, "batch_size must be an integer of at least 1, got 0"),
        ({"max_doc_update_iter": -1}, "max_doc_update_iter must be an integer of at least 0"),
        ({"max_iter": True}, "max_iter must be an integer of at least 0, got True"),
        ({"evaluate_every": 1.5}, "evaluate_every must be an integer, got 1.5"),
        ({"learning_offset": float("inf")}, "learning_offset must be a number of at least 1"),
        ({"learning_decay": 2.0}, "learning_decay must be"),
        ({"total_samples": 0}, "total_samples must be a number above 0, got 0"),
    ],
)
def test_refused(options, words):
    with pytest.raises(ValueError, match=f"LatentDirichletAllocation: {words}"):
        check_topic_params(LatentDirichletAllocation(**options))


def test_defaults_pass():
    check_topic_params(LatentDirichletAllocation())
