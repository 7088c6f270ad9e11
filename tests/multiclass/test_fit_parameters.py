import numpy as np
from scipy import sparse
from sklearn import config_context

from margin.linear import LogisticRegression
from margin.multiclass import OneVsRestClassifier
from margin.multiclass._fit_parameters import of_rows, routed


def test_only_what_has_an_entry_per_row_is_cut():
    rows = np.array([0, 2])
    given = {"a": np.arange(3), "b": [5, 6, 7], "c": np.arange(2), "d": 1.0}
    cut = of_rows(given | {"e": sparse.csr_array(np.eye(3))}, rows, 3)
    np.testing.assert_array_equal(cut["a"], [0, 2])
    assert list(cut["b"]) == [5, 7]
    assert cut["c"] is given["c"]
    assert cut["d"] == 1.0
    np.testing.assert_array_equal(cut["e"].toarray(), np.eye(3)[rows])


def test_routing_hands_over_what_was_asked_for():
    assert routed(OneVsRestClassifier(), "fit", {"a": 1}) == {"a": 1}
    with config_context(enable_metadata_routing=True):
        asks = LogisticRegression().set_fit_request(sample_weight=True)
        given = routed(OneVsRestClassifier(asks), "fit", {"sample_weight": [1.0]})
    assert given == {"sample_weight": [1.0]}
