import pytest
from sklearn.base import BaseEstimator

from margin.core import atomic


class Model(BaseEstimator):
    def __init__(self, alpha=1.0):
        self.alpha = alpha

    @atomic
    def fit(self, X, *, then=None):
        """Fit it."""
        self.seen_ = X
        if then is not None:
            self.half_ = X
            del self.n_
            raise then
        self.n_ = len(X)
        return self


def test_a_fit_that_works_is_left_alone():
    model = Model()
    assert model.fit([1, 2]) is model
    assert vars(model) == {"alpha": 1.0, "seen_": [1, 2], "n_": 2}


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt(), MemoryError()])
def test_a_fit_that_raises_leaves_the_old_model(error):
    model = Model(alpha=3.0).fit([1, 2])
    before = dict(vars(model))
    with pytest.raises(type(error)):
        model.fit([9, 9, 9], then=error)
    assert vars(model) == before


def test_a_first_fit_that_raises_leaves_an_unfitted_model():
    model = Model()
    with pytest.raises(AttributeError):
        model.fit([1], then=ValueError())
    assert vars(model) == {"alpha": 1.0}


def test_the_wrapper_keeps_name_and_docstring():
    assert Model.fit.__name__ == "fit"
    assert Model.fit.__doc__ == "Fit it."
