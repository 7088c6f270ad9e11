import subprocess
import sys

import pandas as pd
import pytest

from margin import datasets
from margin.datasets import DEFAULT_BUILTIN, builtin, builtin_names

CLASSES = {
    "breast_cancer": 2,
    "iris": 3,
    "wine": 3,
    "digits": 10,
    "berkeley": 2,
    "kidney_stones": 2,
    "parking": 2,
    "mixed": 2,
}
ROWS = {
    "breast_cancer": 569,
    "iris": 150,
    "wine": 178,
    "digits": 1797,
    "diabetes": 442,
    "berkeley": 4425,
    "kidney_stones": 700,
    "cars": 400,
    "mixed": 600,
}


def test_names_and_default():
    assert builtin_names()[0] == DEFAULT_BUILTIN == builtin().name == "breast_cancer"
    assert set(builtin_names()) == {*CLASSES, "diabetes", "cars"}


@pytest.mark.parametrize("name", builtin_names())
def test_table_is_ready_to_use(name):
    table = builtin(name)
    frame = table.frame
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.is_unique
    assert table.target in frame.columns
    assert frame.index.equals(pd.RangeIndex(len(frame)))
    assert table.description.endswith((".", "?"))
    assert not frame[table.target].isna().any()
    if name in ROWS:
        assert len(frame) == ROWS[name]
    if name in CLASSES:
        labels = set(frame[table.target])
        assert len(labels) == CLASSES[name]
        assert all(isinstance(label, str) for label in labels)
    else:
        assert pd.api.types.is_float_dtype(frame[table.target])
    pd.testing.assert_frame_equal(frame, builtin(name).frame)


def test_labels_match_the_source():
    assert builtin("breast_cancer").frame["diagnosis"].value_counts().to_dict() == {
        "benign": 357,
        "malignant": 212,
    }
    assert builtin("wine").frame["cultivar"].value_counts().to_dict() == {
        "cultivar 1": 59,
        "cultivar 2": 71,
        "cultivar 3": 48,
    }
    admitted = builtin("berkeley").frame.groupby("sex")["admitted"].value_counts()
    assert admitted["male", "yes"] == 1192
    assert admitted["female", "yes"] == 557
    sexes = builtin("diabetes").frame["sex"].value_counts().to_dict()
    assert sexes == {"sex 1": 235, "sex 2": 207}


def test_unknown_name_is_refused_with_the_list():
    with pytest.raises(ValueError, match="builtin: name must be one of 'breast_cancer', 'iris'"):
        builtin("titanic")


def test_public_names_exist():
    assert sorted(datasets.__all__) == sorted(set(datasets.__all__))
    for name in datasets.__all__:
        thing = getattr(datasets, name)
        assert not callable(thing) or thing.__doc__.strip()


def test_works_without_pandas_and_matplotlib():
    """Blocked imports: everything but frames must still be there."""
    code = (
        "import sys\n"
        "sys.modules['pandas'] = sys.modules['matplotlib'] = None\n"
        "from margin import datasets\n"
        "assert datasets.load_berkeley().data.shape == (4425, 2)\n"
        "assert datasets.make_cars(5, random_state=0).data.shape == (5, 7)\n"
        "assert 'sklearn.datasets' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
