import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from margin import native
from margin.core import threads


def test_none_means_all_and_negative_counts_back():
    available = native.max_threads()
    assert threads.count(None) == available
    assert threads.count(-1) == available
    assert threads.count(-2) == max(1, available - 1)
    assert threads.count(-10_000) == 1


def test_a_positive_number_is_taken_literally():
    assert threads.count(3) == 3
    assert threads.count(np.int64(2)) == 2
    assert type(threads.count(np.int64(2))) is int


@pytest.mark.parametrize("bad", [0, 1.5, 2.0, True, "2", "all", np.nan, np.inf])
def test_anything_else_is_refused(bad):
    with pytest.raises(ValueError, match="n_jobs must be None or a non-zero integer") as caught:
        threads.count(bad)
    assert str(caught.value).endswith(f"got {bad!r}")


def test_a_limit_from_threadpoolctl_is_honoured():
    if not native.build_info()["openmp"]:
        pytest.skip("built without OpenMP")
    with threadpool_limits(1, user_api="openmp"):
        assert threads.count(None) == 1
        assert threads.count(-1) == 1


def test_blocks_of_one_blas_thread_overlap_and_give_back():
    def counts():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    before = counts()
    outer, inner = threads.single_blas(), threads.single_blas()
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert set(counts()) <= {1}
    inner.__exit__(None, None, None)
    assert counts() == before
