import pandas as pd
import pytest

from margin import datasets
from margin.cli import _read
from margin.cli._errors import CommandError


def refusal(path):
    with pytest.raises(CommandError) as caught:
        _read.table(str(path))
    return str(caught.value)


@pytest.fixture
def file(tmp_path):
    def write(content, name="x.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_default_and_named_built_in_tables():
    assert _read.table(None).target == "diagnosis"
    for name in datasets.builtin_names():
        found = _read.table(name)
        assert found.target in found.frame.columns
        assert found.source == f"{name} (built-in)"


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_csv_of_any_delimiter(file, sign):
    path = file(sign.join("abc") + "\n" + sign.join(["1", "x", "2.5"]) + "\n")
    assert _read.file(path).to_dict("list") == {"a": [1], "b": ["x"], "c": [2.5]}


def test_decimal_commas(file):
    assert _read.file(file("a;b\n1,5;x\n-2,25;y\n"))["a"].tolist() == [1.5, -2.25]


def test_parquet_by_name_and_by_content(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    for name in ("x.parquet", "x.data"):
        frame.to_parquet(tmp_path / name)
        pd.testing.assert_frame_equal(_read.file(tmp_path / name), frame)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "x.csv is empty"),
        (" \n\n", "x.csv is empty"),
        ("a,b\n", "has column names but no rows"),
        ("a,b,a\n1,2,3\n", "repeated: 'a'"),
        ("a,b\n1,2\n1,2,3\n", "Expected 2 fields in line 3, saw 3"),
        ("a,b\n1,2,3\n1,2,3\n", "more fields than there are column names"),
        ('a,b\n"1,2\n3,4\n', "not a readable table"),
        (b"a,b\n\xff,1\n", "byte 0xff at position 4 (line 2)"),
    ],
)
def test_bad_csv(file, content, words):
    assert words in refusal(file(content))


def test_corrupt_parquet(file, tmp_path):
    assert "not a readable Parquet file" in refusal(file(b"PAR1 nonsense", "x.parquet"))
    pd.DataFrame({"a": range(100)}).to_parquet(tmp_path / "y.parquet")
    whole = (tmp_path / "y.parquet").read_bytes()
    assert "not a readable Parquet file" in refusal(file(whole[:-20], "z.parquet"))


def test_missing_things_are_named_with_a_hint(file, tmp_path):
    path = file("a,b\n1,2\n", "sales.csv")
    wanted = path.with_name("sale.csv")
    assert refusal(wanted) == f"no such file: {wanted}; did you mean 'sales.csv'?"
    assert refusal("breast_cancr").endswith("did you mean 'breast_cancer'?")
    assert "built-in tables are 'breast_cancer'" in refusal("zzz")
    assert "is a folder" in refusal(tmp_path)
