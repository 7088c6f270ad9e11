import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from margin.linear import LogisticRegression
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from margin.multiclass._handed_on import handed_on, rows_of

REDUCTIONS = [
    OneVsRestClassifier,
    OneVsOneClassifier,
    lambda base: OneVsOneClassifier(base, decision="dag"),
    lambda base: OutputCodeClassifier(base, code="exhaustive"),
]
TEXTS = ["red wine", "white wine", "dark beer", "pale beer", "green tea", "black tea"] * 3
DRINKS = np.array(["wine", "wine", "beer", "beer", "tea", "tea"] * 3)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("make", [list, np.array, pd.Series])
def test_texts_reach_the_pipeline(reduction, make):
    model = reduction(make_pipeline(CountVectorizer(), LogisticRegression()))
    model.fit(make(TEXTS), DRINKS)
    assert model.predict(["old wine", "iced tea", "a beer"]).tolist() == ["wine", "tea", "beer"]


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_columns_are_chosen_by_name(reduction):
    frame = pd.DataFrame({"kind": DRINKS, "noise": np.arange(18)})
    base = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["kind"])),
        LogisticRegression(C=100),
    )
    model = reduction(base).fit(frame, DRINKS)
    np.testing.assert_array_equal(model.predict(frame), DRINKS)
    assert list(model.feature_names_in_) == ["kind", "noise"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"noise": "other"}))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_a_frame_is_its_table(reduction):
    X, y = load_iris(return_X_y=True, as_frame=True)
    framed = reduction(LogisticRegression()).fit(X, y)
    plain = reduction(LogisticRegression()).fit(X.to_numpy(), y.to_numpy())
    np.testing.assert_array_equal(framed.predict(X), plain.predict(X.to_numpy()))


def test_tables_are_checked():
    assert not handed_on(np.eye(2))
    assert not handed_on([])
    assert rows_of(np.eye(3), [2]).tolist() == [[0.0, 0.0, 1.0]]


def test_spectral_codes_need_numbers():
    X, y = load_iris(return_X_y=True, as_frame=True)
    assert OutputCodeClassifier(code="spectral").fit(X, y).score(X, y) > 0.9
    with pytest.raises(ValueError, match="could not convert"):
        OutputCodeClassifier(code="spectral").fit(pd.DataFrame({"a": TEXTS, "b": TEXTS}), DRINKS)
