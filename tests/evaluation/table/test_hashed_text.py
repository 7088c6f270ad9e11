"""Short texts as numbers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from margin.evaluation import HashedText, describe_columns, preprocessor

RNG = np.random.default_rng(0)
TITLES = RNG.choice(["Mr.", "Mrs.", "Miss"], 300)
NAMES = pd.DataFrame({"name": [f"{t} {''.join(RNG.choice(list('abcdefgh'), 6))}" for t in TITLES]})


def test_shared_words_can_be_learned_from():
    Z = HashedText().fit_transform(NAMES)
    assert Z.shape == (300, 24)
    model = LogisticRegression(max_iter=1000).fit(Z[:200], TITLES[:200])
    assert model.score(Z[200:], TITLES[200:]) > 0.95


def test_texts_nobody_has_seen_and_gaps():
    text = HashedText(n_components=3).fit(NAMES)
    new = pd.DataFrame({"name": ["Mr. Zzyzx", None, np.nan, "", 7, "?"]})
    Z = text.transform(new)
    assert Z.shape == (6, 3)
    assert np.isfinite(Z).all()
    np.testing.assert_allclose(Z[1:4], 0.0)
    assert text.get_feature_names_out().tolist() == [f"name text {i}" for i in range(3)]


def test_same_texts_same_numbers():
    text = HashedText(n_components=4).fit(NAMES)
    np.testing.assert_array_equal(text.transform(NAMES), text.transform(NAMES.copy()))
    again = HashedText(n_components=4).fit(NAMES)
    np.testing.assert_allclose(again.transform(NAMES), text.transform(NAMES))


@pytest.mark.parametrize("texts", [["a"], [None, None, None], ["", ""]])
def test_nothing_to_project(texts):
    frame = pd.DataFrame({"name": pd.Series(texts, dtype=object)})
    assert (HashedText().fit_transform(frame) == 0).all()


def test_the_preprocessing_uses_them():
    frame = NAMES.assign(x=RNG.normal(size=300))
    frame.loc[::7, "name"] = None
    Z = preprocessor(frame, describe_columns(frame)).fit_transform(frame)
    assert Z.shape == (300, 25)
    assert np.isfinite(Z).all()
