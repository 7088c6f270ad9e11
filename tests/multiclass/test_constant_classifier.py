import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from margin.multiclass._constant_classifier import ConstantClassifier


@pytest.mark.parametrize("answer", [0, 1])
def test_the_answer_is_what_was_seen(answer):
    model = ConstantClassifier().fit(np.zeros((4, 3)), [answer] * 4)
    rows = np.ones((2, 3))
    assert model.predict(rows).tolist() == [answer] * 2
    assert model.predict_proba(rows)[:, answer].tolist() == [1.0, 1.0]
    assert (model.decision_function(rows) > 0).tolist() == [bool(answer)] * 2
    assert model.fit_report_.status.ok


def test_before_a_fit_there_is_no_answer():
    with pytest.raises(NotFittedError):
        ConstantClassifier().predict([[1.0]])
