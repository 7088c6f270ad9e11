"""Types of the compiled module, written by ``python -m tools.stubs``."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

def build_info() -> dict[str, Any]: ...
def max_threads() -> int: ...
def set_least_work(work: float) -> float:
    """Work from which loops use threads; returns what it was. For tests."""

@overload
def saga_dense(
    unbiased: bool,
    loss: int,
    shape: float,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...
@overload
def saga_dense(
    unbiased: bool,
    loss: int,
    shape: float,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...
@overload
def saga_sparse(
    unbiased: bool,
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...
@overload
def saga_sparse(
    unbiased: bool,
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...
@overload
def saga_sparse(
    unbiased: bool,
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...
@overload
def saga_sparse(
    unbiased: bool,
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    table_rows: int,
    rate: NDArray[np.float64],
    l1: float,
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None: ...

CENTRE_TILE: int = 32

@overload
def nearest_labels(
    X: NDArray[np.float64],
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    n_threads: int,
) -> None: ...
@overload
def nearest_labels(
    X: NDArray[np.float32],
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    n_threads: int,
) -> None: ...
@overload
def centre_pass(
    X: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    tiles: NDArray[np.float32] | None,
    norms: NDArray[np.float64] | None,
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    square: NDArray[np.float64],
    lower: NDArray[np.float64] | None,
    half: NDArray[np.float64] | None,
    move: NDArray[np.float64] | None,
    sums: NDArray[np.float64],
    mass: NDArray[np.float64],
    n_threads: int,
) -> tuple[float, int, int]: ...
@overload
def centre_pass(
    X: NDArray[np.float32],
    weight: NDArray[np.float64] | None,
    tiles: NDArray[np.float32] | None,
    norms: NDArray[np.float64] | None,
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    square: NDArray[np.float64],
    lower: NDArray[np.float64] | None,
    half: NDArray[np.float64] | None,
    move: NDArray[np.float64] | None,
    sums: NDArray[np.float64],
    mass: NDArray[np.float64],
    n_threads: int,
) -> tuple[float, int, int]: ...
@overload
def pack_tiles(
    X: NDArray[np.float64],
    middle: NDArray[np.float64],
    scale: float,
    tiles: NDArray[np.float32],
    norms: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def pack_tiles(
    X: NDArray[np.float32],
    middle: NDArray[np.float64],
    scale: float,
    tiles: NDArray[np.float32],
    norms: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def elkan_labels(
    X: NDArray[np.float64],
    centres: NDArray[np.float64],
    between: NDArray[np.float64],
    move: NDArray[np.float64],
    label: NDArray[np.int32],
    lower: NDArray[np.float64],
    n_threads: int,
) -> int: ...
@overload
def elkan_labels(
    X: NDArray[np.float32],
    centres: NDArray[np.float64],
    between: NDArray[np.float64],
    move: NDArray[np.float64],
    label: NDArray[np.int32],
    lower: NDArray[np.float64],
    n_threads: int,
) -> int: ...
@overload
def nearer(
    X: NDArray[np.float64],
    point: NDArray[np.float64],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def nearer(
    X: NDArray[np.float32],
    point: NDArray[np.float64],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def two_sides(
    X: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    tiles: NDArray[np.float32],
    radius: NDArray[np.float32],
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    about: NDArray[np.float64],
    mass: NDArray[np.float64],
    squares: NDArray[np.float64],
    sums: NDArray[np.float64],
    n_threads: int,
) -> tuple[int, int, float]: ...
@overload
def two_sides(
    X: NDArray[np.float32],
    weight: NDArray[np.float64] | None,
    tiles: NDArray[np.float32],
    radius: NDArray[np.float32],
    middle: NDArray[np.float64],
    scale: float,
    centres: NDArray[np.float64],
    label: NDArray[np.int32],
    about: NDArray[np.float64],
    mass: NDArray[np.float64],
    squares: NDArray[np.float64],
    sums: NDArray[np.float64],
    n_threads: int,
) -> tuple[int, int, float]: ...
def agglomerate(
    distances: NDArray[np.float64],
    linkage: int,
    pair: NDArray[np.int64],
    height: NDArray[np.float64],
) -> None: ...
def agglomerate_rows(
    columns: NDArray[np.float64],
    linkage: int,
    by_means: bool,
    pair: NDArray[np.int64],
    height: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def pair_distances(
    X: NDArray[np.float64],
    columns: NDArray[np.float64],
    root: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def number_merges(
    pair: NDArray[np.int64], children: NDArray[np.int64], count: NDArray[np.int64]
) -> None: ...
@overload
def smo_scores(
    cache: NDArray[np.float64],
    slots: NDArray[np.int64],
    delta: NDArray[np.float64],
    f: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def smo_scores(
    cache: NDArray[np.float32],
    slots: NDArray[np.int64],
    delta: NDArray[np.float64],
    f: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def smo_gather(
    cache: NDArray[np.float64],
    slots: NDArray[np.int64],
    columns: NDArray[np.int64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def smo_gather(
    cache: NDArray[np.float32],
    slots: NDArray[np.int64],
    columns: NDArray[np.int64],
    out: NDArray[np.float32],
    n_threads: int,
) -> None: ...
@overload
def smo_keep(
    rows: NDArray[np.float64], slots: NDArray[np.int64], cache: NDArray[np.float64], n_threads: int
) -> None: ...
@overload
def smo_keep(
    rows: NDArray[np.float32], slots: NDArray[np.int64], cache: NDArray[np.float32], n_threads: int
) -> None: ...
def chain_log_forward_backward(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    log_start: NDArray[np.float64],
    log_transition: NDArray[np.float64],
    posterior: NDArray[np.float64],
    counts: NDArray[np.float64],
    pairs: NDArray[np.float64] | None,
    log_likelihood: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_moments(
    X: NDArray[np.float64],
    shares: NDArray[np.float64],
    centres: NDArray[np.float64],
    diagonal: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_symbol_counts(
    codes: NDArray[np.float64],
    shares: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_correct(
    filtered: NDArray[np.float64],
    offsets: NDArray[np.int64],
    transition: NDArray[np.float64],
    smoothed: NDArray[np.float64],
) -> None: ...
def chain_sample_backward(
    filtered: NDArray[np.float64],
    offsets: NDArray[np.int64],
    transition: NDArray[np.float64],
    levels: NDArray[np.float64],
    paths: NDArray[np.int32],
    n_threads: int,
) -> None: ...
def chain_walk(
    start: NDArray[np.float64],
    transition: NDArray[np.float64],
    offsets: NDArray[np.int64],
    levels: NDArray[np.float64],
    path: NDArray[np.int32],
) -> None: ...
def chain_segment_sums(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    log_start: NDArray[np.float64],
    log_transition: NDArray[np.float64],
    log_duration: NDArray[np.float64],
    log_survival: NDArray[np.float64],
    posterior: NDArray[np.float64],
    counts: NDArray[np.float64],
    lasted: NDArray[np.float64],
    log_likelihood: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_segment_viterbi(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    log_start: NDArray[np.float64],
    log_transition: NDArray[np.float64],
    log_duration: NDArray[np.float64],
    log_survival: NDArray[np.float64],
    path: NDArray[np.int32],
    log_prob: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_forward_backward(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    start: NDArray[np.float64],
    transition: NDArray[np.float64],
    final: NDArray[np.float64] | None,
    weight: NDArray[np.float64] | None,
    posterior: NDArray[np.float64],
    counts: NDArray[np.float64],
    log_likelihood: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_filter(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    start: NDArray[np.float64],
    transition: NDArray[np.float64],
    filtered: NDArray[np.float64] | None,
    log_likelihood: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_symbol_sums(
    codes: NDArray[np.float64],
    offsets: NDArray[np.int64],
    start: NDArray[np.float64],
    transition: NDArray[np.float64],
    table: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    pairs: NDArray[np.float64],
    shown: NDArray[np.float64],
    first: NDArray[np.float64],
    visits: NDArray[np.float64],
    log_likelihood: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_viterbi(
    log_emission: NDArray[np.float64],
    offsets: NDArray[np.int64],
    log_start: NDArray[np.float64],
    log_transition: NDArray[np.float64],
    path: NDArray[np.int32],
    log_prob: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chain_k_best(
    log_emission: NDArray[np.float64],
    log_start: NDArray[np.float64],
    log_transition: NDArray[np.float64],
    paths: NDArray[np.int32],
    log_prob: NDArray[np.float64],
) -> None: ...
@overload
def gather_columns(
    X: NDArray[np.float64],
    index: NDArray[np.int64],
    root: NDArray[np.float64],
    centred: bool,
    out: NDArray[np.float64],
    mean: NDArray[np.float64],
) -> None: ...
@overload
def gather_columns(
    X: NDArray[np.float32],
    index: NDArray[np.int64],
    root: NDArray[np.float64],
    centred: bool,
    out: NDArray[np.float64],
    mean: NDArray[np.float64],
) -> None: ...
@overload
def weighted_moments(
    columns: NDArray[np.float64],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def weighted_moments(
    columns: NDArray[np.float32],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def weighted_moments(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def weighted_moments(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def weighted_moments(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def weighted_moments(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    h: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def combine_rows(
    rows: NDArray[np.float64], coef: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
@overload
def sparse_combine(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
@overload
def sparse_combine(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
@overload
def sparse_combine(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
@overload
def sparse_combine(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
@overload
def correlate(
    X: NDArray[np.float64],
    v: NDArray[np.float64],
    shift: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def correlate(
    X: NDArray[np.float32],
    v: NDArray[np.float64],
    shift: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def chi_squared_tail(x: float, dof: float) -> float: ...
def contingency_counts(
    codes: NDArray[np.uint16],
    cards: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    columns: Sequence[int],
    out: NDArray[np.float64],
) -> None: ...
def categorical_test(
    codes: NDArray[np.uint16],
    cards: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    i: int,
    j: int,
    given: Sequence[int],
    statistic: int,
    pool: int,
    min_count: float,
) -> tuple[float, float, float, bool]: ...
def categorical_skeleton(
    codes: NDArray[np.uint16],
    cards: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    alpha: float,
    statistic: int,
    pool: int,
    min_count: float,
    max_level: int,
    start: NDArray[np.uint8],
    required: NDArray[np.uint8],
    candidates: NDArray[np.uint8] | None,
    adjacency: NDArray[np.uint8],
    largest_p: NDArray[np.float64],
    n_threads: int,
    max_tests: int,
) -> dict[str, Any]: ...
def gram_descent(
    gram: NDArray[np.float64],
    q: NDArray[np.float64],
    w: NDArray[np.float64],
    slope: NDArray[np.float64],
    energy: float,
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    gap_tol: float,
    slope_tol: float,
) -> tuple[int, float]: ...
def gram_path(
    gram: NDArray[np.float64],
    q: NDArray[np.float64],
    coefs: NDArray[np.float64],
    gaps: NDArray[np.float64],
    energy: float,
    l1: NDArray[np.float64],
    l2: NDArray[np.float64],
    positive: bool,
    max_epochs: int,
    gap_tol: float,
    slope_tol: float,
) -> list[int]: ...
@overload
def dense_descent(
    columns: NDArray[np.float64],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
@overload
def dense_descent(
    columns: NDArray[np.float32],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
@overload
def dense_blocks(
    columns: NDArray[np.float64],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def dense_blocks(
    columns: NDArray[np.float32],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def sparse_blocks(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def sparse_blocks(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def sparse_blocks(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def sparse_blocks(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    curvature: NDArray[np.float64],
    w: NDArray[np.float64],
    residual: NDArray[np.float64],
    scale: float,
    l1: float,
    l2: float,
    max_epochs: int,
    tol: float,
) -> int: ...
@overload
def sparse_descent(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
@overload
def sparse_descent(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
@overload
def sparse_descent(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
@overload
def sparse_descent(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    index: NDArray[np.int64],
    mean: NDArray[np.float64] | None,
    curvature: NDArray[np.float64],
    h: NDArray[np.float64],
    w: NDArray[np.float64],
    v: NDArray[np.float64],
    l1: float,
    l2: float,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> tuple[int, float, float, float]: ...
def gram_lars(
    gram: NDArray[np.float64],
    start: NDArray[np.float64],
    alpha_min: float,
    max_iter: int,
    leaves: bool,
    positive: bool,
) -> tuple[list[float], list[float], list[int], list[int]]: ...
def table_lars(
    columns: NDArray[np.float64],
    target: NDArray[np.float64],
    alpha_min: float,
    max_iter: int,
    leaves: bool,
    positive: bool,
) -> tuple[list[float], list[float], list[int], list[int]]: ...
def small_count_products(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    other_indptr: NDArray[np.int64],
    other_indices: NDArray[np.int32],
    other_values: NDArray[np.float64],
    columns: int,
    symmetric: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> bool: ...
def count_products(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    other_indptr: NDArray[np.int64],
    other_indices: NDArray[np.int32],
    other_values: NDArray[np.float64],
    columns: int,
    symmetric: bool,
    fresh: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def number_keys(keys: NDArray[np.uint64], out: NDArray[np.int32]) -> int: ...
def count_rows(
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    n_ids: int,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> int: ...
def distinct_integers(
    values: NDArray[np.int64], codes: NDArray[np.int64], labels: NDArray[np.int64]
) -> int: ...
@overload
def dual_face_dense(
    X: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_face_dense(
    X: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_face_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_face_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_face_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_face_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...
@overload
def dual_hinge_dense(
    X: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_hinge_dense(
    X: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_hinge_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_hinge_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float64],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_hinge_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_hinge_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float32],
    target: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    ridge: NDArray[np.float64],
    square: NDArray[np.float64],
    epsilon: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> tuple[int, float]: ...
@overload
def dual_logistic_dense(
    X: NDArray[np.float64],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def dual_logistic_dense(
    X: NDArray[np.float32],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def dual_logistic_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def dual_logistic_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def dual_logistic_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def dual_logistic_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
def dual_logistic_kernel(
    K: NDArray[np.float64],
    order: NDArray[np.int64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    square: NDArray[np.float64],
    alpha: float,
    tau: float,
    u: NDArray[np.float64],
    r: NDArray[np.float64],
    f: NDArray[np.float64],
) -> None: ...
def edge_rows(index: dict[Any, int], edges: tuple[Any, ...]) -> object: ...
def distance_blocks(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    x_sums: NDArray[np.float64] | None,
    y_sums: NDArray[np.float64] | None,
    n_threads: int,
) -> float: ...

class DistanceLines:
    def __init__(self, x: NDArray[np.float64], y: NDArray[np.float64], n_threads: int) -> None: ...
    def own(self) -> tuple[float, float, float, float]: ...
    def products(self, order: NDArray[np.int64] | None, n_threads: int) -> tuple[float, float]: ...

def median_distance(columns: NDArray[np.float64]) -> float: ...
def function_moments(
    argument: NDArray[np.float64],
    n_polynomials: int,
    columns: NDArray[np.float64],
    turns: NDArray[np.float64],
    phase: NDArray[np.float64],
    origin: NDArray[np.float64],
    sums: NDArray[np.float64],
    inner: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def function_combinations(
    argument: NDArray[np.float64],
    n_polynomials: int,
    columns: NDArray[np.float64],
    turns: NDArray[np.float64],
    phase: NDArray[np.float64],
    origin: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    offset: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def gaussian_rows(
    A: NDArray[np.float64],
    norms: NDArray[np.float64],
    panels: NDArray[np.float64],
    panel_norms: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def gaussian_rows(
    A: NDArray[np.float32],
    norms: NDArray[np.float32],
    panels: NDArray[np.float32],
    panel_norms: NDArray[np.float32],
    out: NDArray[np.float32],
    n_threads: int,
) -> None: ...
@overload
def gaussian_sums(
    A: NDArray[np.float64],
    norms: NDArray[np.float64],
    panels: NDArray[np.float64],
    panel_norms: NDArray[np.float64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def gaussian_sums(
    A: NDArray[np.float32],
    norms: NDArray[np.float32],
    panels: NDArray[np.float32],
    panel_norms: NDArray[np.float32],
    coef: NDArray[np.float32],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def gaussian_density(
    X: NDArray[np.float64],
    means: NDArray[np.float64],
    roots: NDArray[np.float64],
    constants: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def gaussian_density(
    X: NDArray[np.float32],
    means: NDArray[np.float64],
    roots: NDArray[np.float64],
    constants: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def column_products(
    X: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    centre: NDArray[np.float64] | None,
    group: NDArray[np.int64] | None,
    rows: NDArray[np.int64] | None,
    targets: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def column_products(
    X: NDArray[np.float32],
    weight: NDArray[np.float64] | None,
    centre: NDArray[np.float64] | None,
    group: NDArray[np.int64] | None,
    rows: NDArray[np.int64] | None,
    targets: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def row_products(
    X: NDArray[np.float64],
    centre: NDArray[np.float64] | None,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def row_products(
    X: NDArray[np.float32],
    centre: NDArray[np.float64] | None,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...

gram_panel: int = 12

def refine_colours(
    indptr: NDArray[np.int64],
    heads: NDArray[np.int32],
    kinds: NDArray[np.uint8] | None,
    colours: NDArray[np.int32],
    sizes: NDArray[np.int64],
    n_threads: int,
) -> int: ...
def path_counts(
    offsets: NDArray[np.int64],
    indptr: NDArray[np.int64],
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    n_labels: int,
    n_threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]: ...
def greedy_elimination(
    rows: NDArray[np.uint64],
    log_weight: NDArray[np.float64],
    rule: int,
    seed: int,
    order: NDArray[np.int64],
    cliques: NDArray[np.uint64],
    maximal: NDArray[np.uint8],
) -> None: ...
def exact_elimination(
    rows: NDArray[np.uint64], log_weight: NDArray[np.float64], order: NDArray[np.int64]
) -> None: ...
def kalman_filter(
    Y: NDArray[np.float64],
    offsets: NDArray[np.int64],
    A: NDArray[np.float64],
    Q: NDArray[np.float64],
    C: NDArray[np.float64],
    R: NDArray[np.float64],
    b: NDArray[np.float64],
    d: NDArray[np.float64],
    mean: NDArray[np.float64],
    cov: NDArray[np.float64],
    diffuse: NDArray[np.float64] | None,
    n_diffuse: int,
    log_prob: NDArray[np.float64],
    before_mean: NDArray[np.float64] | None,
    before_cov: NDArray[np.float64] | None,
    after_mean: NDArray[np.float64] | None,
    after_cov: NDArray[np.float64] | None,
    n_threads: int,
) -> None: ...
def kalman_smooth(
    Y: NDArray[np.float64],
    offsets: NDArray[np.int64],
    A: NDArray[np.float64],
    Q: NDArray[np.float64],
    C: NDArray[np.float64],
    R: NDArray[np.float64],
    b: NDArray[np.float64],
    d: NDArray[np.float64],
    mean: NDArray[np.float64],
    cov: NDArray[np.float64],
    diffuse: NDArray[np.float64] | None,
    n_diffuse: int,
    log_prob: NDArray[np.float64],
    smooth_mean: NDArray[np.float64] | None,
    smooth_cov: NDArray[np.float64] | None,
    cross: NDArray[np.float64] | None,
    sums: NDArray[np.float64] | None,
    slopes: NDArray[np.float64] | None,
    n_threads: int,
) -> None: ...
@overload
def count_steps(
    K: NDArray[np.float64],
    visits: NDArray[np.int64],
    code: NDArray[np.int64],
    machines: NDArray[np.int64],
    slope: float,
    elapsed: float,
    f: NDArray[np.float64],
    counts: NDArray[np.float64],
    late: NDArray[np.float64] | None,
) -> int: ...
@overload
def count_steps(
    K: NDArray[np.float32],
    visits: NDArray[np.int64],
    code: NDArray[np.int64],
    machines: NDArray[np.int64],
    slope: float,
    elapsed: float,
    f: NDArray[np.float64],
    counts: NDArray[np.float64],
    late: NDArray[np.float64] | None,
) -> int: ...
@overload
def radial_gradient(
    kind: int,
    a: float,
    X: NDArray[np.float64],
    weight: NDArray[np.float64],
    out: NDArray[np.float64],
    shape: bool,
    total: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_gradient(
    kind: int,
    a: float,
    X: NDArray[np.float32],
    weight: NDArray[np.float32],
    out: NDArray[np.float64],
    shape: bool,
    total: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_cross_gradient(
    kind: int,
    a: float,
    X: NDArray[np.float64],
    Z: NDArray[np.float64],
    weight: NDArray[np.float64],
    out: NDArray[np.float64],
    points: NDArray[np.float64],
    shape: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_cross_gradient(
    kind: int,
    a: float,
    X: NDArray[np.float32],
    Z: NDArray[np.float32],
    weight: NDArray[np.float32],
    out: NDArray[np.float64],
    points: NDArray[np.float64],
    shape: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_direct(
    kind: int,
    order: int,
    a: float,
    X: NDArray[np.float64],
    Z: NDArray[np.float64],
    out: NDArray[np.float64],
    symmetric: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_direct(
    kind: int,
    order: int,
    a: float,
    X: NDArray[np.float32],
    Z: NDArray[np.float32],
    out: NDArray[np.float32],
    symmetric: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_products(
    kind: int,
    order: int,
    a: float,
    X: NDArray[np.float64] | None,
    Z: NDArray[np.float64] | None,
    nx: NDArray[np.float64],
    nz: NDArray[np.float64],
    out: NDArray[np.float64],
    symmetric: bool,
    n_threads: int,
) -> None: ...
@overload
def radial_products(
    kind: int,
    order: int,
    a: float,
    X: NDArray[np.float32] | None,
    Z: NDArray[np.float32] | None,
    nx: NDArray[np.float32],
    nz: NDArray[np.float32],
    out: NDArray[np.float32],
    symmetric: bool,
    n_threads: int,
) -> None: ...
@overload
def linear_multiclass_dense(
    X: NDArray[np.float64],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
@overload
def linear_multiclass_dense(
    X: NDArray[np.float32],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
@overload
def linear_multiclass_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
@overload
def linear_multiclass_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float64],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
@overload
def linear_multiclass_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    values: NDArray[np.float32],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
@overload
def linear_multiclass_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.float32],
    constant: float,
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    square: NDArray[np.float64],
    b: NDArray[np.float64],
    W: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    limit: int,
    shrinks: bool,
) -> int: ...
def pair_messages(
    unary: NDArray[np.float64],
    edges: NDArray[np.int32],
    kinds: NDArray[np.int32],
    tables: NDArray[np.float64],
    messages: NDArray[np.float64],
    trace: NDArray[np.float64],
    beliefs: NDArray[np.float64],
    maximise: bool,
    schedule: int,
    damping: float,
    tol: float,
    n_threads: int,
) -> tuple[int, float, float]: ...

class Junction:
    def __init__(
        self,
        cards: NDArray[np.int64],
        start: NDArray[np.int64],
        members: NDArray[np.int64],
        roles: NDArray[np.uint8],
        query: NDArray[np.int64],
        order: NDArray[np.int64],
        heuristic: int,
        batch: bool,
    ) -> None: ...
    def describe(self) -> dict[str, Any]: ...
    def entries(self) -> float: ...
    def marginals(
        self,
        tables: NDArray[np.float64],
        evidence: NDArray[np.int32],
        likelihoods: Sequence[tuple[int, NDArray[np.float64]]],
        log_mass: NDArray[np.float64],
        out: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    def counts(
        self,
        tables: NDArray[np.float64],
        evidence: NDArray[np.int32],
        likelihoods: Sequence[tuple[int, NDArray[np.float64]]],
        log_mass: NDArray[np.float64],
        weight: NDArray[np.float64],
        out: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    def joint(
        self,
        tables: NDArray[np.float64],
        evidence: NDArray[np.int32],
        likelihoods: Sequence[tuple[int, NDArray[np.float64]]],
        log_mass: NDArray[np.float64],
        out: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    def best(
        self,
        tables: NDArray[np.float64],
        evidence: NDArray[np.int32],
        likelihoods: Sequence[tuple[int, NDArray[np.float64]]],
        log_mass: NDArray[np.float64],
        out: NDArray[np.int32],
        n_threads: int,
    ) -> None: ...

@overload
def mixture_columns(
    X: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    means: NDArray[np.float64],
    scales: NDArray[np.float64],
    heights: NDArray[np.float64],
    levels: NDArray[np.float64],
    beta: float,
    sums: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def mixture_columns(
    X: NDArray[np.float32],
    weight: NDArray[np.float64] | None,
    means: NDArray[np.float64],
    scales: NDArray[np.float64],
    heights: NDArray[np.float64],
    levels: NDArray[np.float64],
    beta: float,
    sums: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def mixture_expectation(
    X: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    means: NDArray[np.float64],
    roots: NDArray[np.float64],
    constants: NDArray[np.float64],
    beta: float,
    given: bool,
    table: NDArray[np.float64] | None,
    total: NDArray[np.float64] | None,
    first: NDArray[np.float64] | None,
    second: NDArray[np.float64] | None,
    n_threads: int,
) -> float: ...
@overload
def mixture_expectation(
    X: NDArray[np.float32],
    weight: NDArray[np.float64] | None,
    means: NDArray[np.float64],
    roots: NDArray[np.float64],
    constants: NDArray[np.float64],
    beta: float,
    given: bool,
    table: NDArray[np.float64] | None,
    total: NDArray[np.float64] | None,
    first: NDArray[np.float64] | None,
    second: NDArray[np.float64] | None,
    n_threads: int,
) -> float: ...
@overload
def class_moments(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    shift: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def class_moments(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    shift: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def momentum_dense(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
@overload
def momentum_dense(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
@overload
def momentum_sparse(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
@overload
def momentum_sparse(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
@overload
def momentum_sparse(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
@overload
def momentum_sparse(
    kind: int,
    momentum: float,
    second: float,
    epsilon: float,
    taken: int,
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    l2: float,
    intercept: bool,
    w: NDArray[np.float64],
    first_state: NDArray[np.float64],
    second_state: NDArray[np.float64],
) -> None: ...
def multiclass_pass(
    kind: int,
    gram: NDArray[np.float64],
    order: NDArray[np.int64],
    codes: NDArray[np.int64],
    cap: NDArray[np.float64],
    pace: float,
    b: NDArray[np.float64],
    f: NDArray[np.float64],
    bias: NDArray[np.float64],
) -> None: ...
@overload
def class_sums(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    out: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def class_sums(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    out: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def normal_scores(
    X: NDArray[np.float64],
    mean: NDArray[np.float64],
    half: NDArray[np.float64],
    constant: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def normal_scores(
    X: NDArray[np.float32],
    mean: NDArray[np.float64],
    half: NDArray[np.float64],
    constant: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...

PANEL_WIDTH: int = 32

@overload
def brute_nearest(
    X: NDArray[np.float64],
    panels: NDArray[np.float32],
    start: NDArray[np.float32],
    lift: NDArray[np.float32],
    Q: NDArray[np.float64],
    rows: NDArray[np.float32],
    own: NDArray[np.float32],
    distance: NDArray[np.float64],
    number: NDArray[np.int64],
    most: int,
    n_threads: int,
) -> None: ...
@overload
def brute_nearest(
    X: NDArray[np.float32],
    panels: NDArray[np.float32],
    start: NDArray[np.float32],
    lift: NDArray[np.float32],
    Q: NDArray[np.float64],
    rows: NDArray[np.float32],
    own: NDArray[np.float32],
    distance: NDArray[np.float64],
    number: NDArray[np.int64],
    most: int,
    n_threads: int,
) -> None: ...
@overload
def brute_within(
    X: NDArray[np.float64],
    panels: NDArray[np.float32],
    start: NDArray[np.float32],
    lift: NDArray[np.float32],
    Q: NDArray[np.float64],
    rows: NDArray[np.float32],
    limit: NDArray[np.float32],
    radius: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
@overload
def brute_within(
    X: NDArray[np.float32],
    panels: NDArray[np.float32],
    start: NDArray[np.float32],
    lift: NDArray[np.float32],
    Q: NDArray[np.float64],
    rows: NDArray[np.float32],
    limit: NDArray[np.float32],
    radius: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
def kernel_sums(
    blocks: NDArray[np.float64],
    order: NDArray[np.int64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    leaf_blocks: int,
    measure: int,
    power: float,
    weight: NDArray[np.float64],
    cumulated: NDArray[np.float64],
    Q: NDArray[np.float64],
    kernel: int,
    bandwidth: float,
    log_scale: float,
    atol: float,
    rtol: float,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def tree_nearest(
    blocks: NDArray[np.float64],
    order: NDArray[np.int64],
    lower: NDArray[np.float64] | None,
    upper: NDArray[np.float64] | None,
    leaf_blocks: int,
    measure: int,
    power: float,
    Q: NDArray[np.float64],
    distance: NDArray[np.float64],
    number: NDArray[np.int64],
    n_threads: int,
) -> None: ...
@overload
def tree_nearest(
    blocks: NDArray[np.float32],
    order: NDArray[np.int64],
    lower: NDArray[np.float64] | None,
    upper: NDArray[np.float64] | None,
    leaf_blocks: int,
    measure: int,
    power: float,
    Q: NDArray[np.float64],
    distance: NDArray[np.float64],
    number: NDArray[np.int64],
    n_threads: int,
) -> None: ...
@overload
def tree_within(
    blocks: NDArray[np.float64],
    order: NDArray[np.int64],
    lower: NDArray[np.float64] | None,
    upper: NDArray[np.float64] | None,
    leaf_blocks: int,
    measure: int,
    power: float,
    Q: NDArray[np.float64],
    radius: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
@overload
def tree_within(
    blocks: NDArray[np.float32],
    order: NDArray[np.int64],
    lower: NDArray[np.float64] | None,
    upper: NDArray[np.float64] | None,
    leaf_blocks: int,
    measure: int,
    power: float,
    Q: NDArray[np.float64],
    radius: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
@overload
def select_smallest(
    D: NDArray[np.float64], value: NDArray[np.float64], column: NDArray[np.int64], n_threads: int
) -> None: ...
@overload
def select_smallest(
    D: NDArray[np.float32], value: NDArray[np.float64], column: NDArray[np.int64], n_threads: int
) -> None: ...

NEIGHBOR_WIDTH: int = 16

@overload
def grow_tree(
    X: NDArray[np.float64],
    order: NDArray[np.int64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    leaf_blocks: int,
    measure: int,
    power: float,
    boxes: bool,
    n_threads: int,
) -> None: ...
@overload
def grow_tree(
    X: NDArray[np.float32],
    order: NDArray[np.int64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    leaf_blocks: int,
    measure: int,
    power: float,
    boxes: bool,
    n_threads: int,
) -> None: ...
@overload
def pack_blocks(X: NDArray[np.float64], blocks: NDArray[np.float64], n_threads: int) -> None: ...
@overload
def pack_blocks(X: NDArray[np.float32], blocks: NDArray[np.float32], n_threads: int) -> None: ...
def newton_length(
    shift: NDArray[np.float64],
    inverse: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    epsilon: float,
    z: NDArray[np.float64],
    along: NDArray[np.float64],
    a: float,
    b: float,
) -> float: ...
def newton_steps(
    X: NDArray[np.float64],
    shift: NDArray[np.float64],
    inverse: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    epsilon: float,
    last: float,
    free: bool,
    anchor: NDArray[np.float64],
    pace: float,
    tol: float,
    limit: int,
    w: NDArray[np.float64],
    z: NDArray[np.float64],
    beta: NDArray[np.float64],
) -> int: ...
def nonnegative_passes(
    W: NDArray[np.float64],
    gram: NDArray[np.float64],
    product: NDArray[np.float64],
    l1: float,
    l2: float,
    passes: int,
    n_threads: int,
) -> float: ...
def nonnegative_rows(
    W: NDArray[np.float64],
    gram: NDArray[np.float64],
    product: NDArray[np.float64],
    done: NDArray[np.bool_],
    n_threads: int,
) -> None: ...
def gaussian_triangle(
    columns: NDArray[np.float64],
    width: float,
    kernel: NDArray[np.float64],
    means: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def centred_products(
    k: NDArray[np.float64],
    k_means: NDArray[np.float64],
    l: NDArray[np.float64],
    l_means: NDArray[np.float64],
    n_threads: int,
) -> tuple[float, float]: ...
def pair_squares(
    first: NDArray[np.float64], second: NDArray[np.float64], n_threads: int
) -> float: ...
def least_dependent(
    columns: NDArray[np.float64],
    correlation: NDArray[np.float64],
    guess: NDArray[np.float64],
    candidate: NDArray[np.uint8],
    ratio: NDArray[np.float64],
    n_threads: int,
) -> tuple[int, int]: ...
def gaussian_skeleton(
    correlation: NDArray[np.float64],
    n_rows: float,
    cut: float,
    max_level: int,
    start: NDArray[np.uint8],
    required: NDArray[np.uint8],
    candidates: NDArray[np.uint8] | None,
    adjacency: NDArray[np.uint8],
    largest_p: NDArray[np.float64],
    n_threads: int,
    max_tests: int,
) -> dict[str, Any]: ...
def normal_partition_sweeps(
    X: NDArray[np.float64],
    holes: NDArray[np.uint8] | None,
    label: NDArray[np.int32],
    lower: NDArray[np.float64],
    strength: float,
    df: float,
    log_alpha: float,
    n_sweeps: int,
    seed: int,
    step: int,
) -> float: ...
def column_partition_sweeps(
    X: NDArray[np.float64],
    label: NDArray[np.int32],
    kind: NDArray[np.int32],
    first: NDArray[np.int64],
    parameters: NDArray[np.float64],
    log_alpha: float,
    n_sweeps: int,
    seed: int,
    step: int,
) -> float: ...
@overload
def pegasos_dense(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_dense(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    alpha: float,
    offset: float,
    constant: float,
    projection: bool,
    v: NDArray[np.float64],
    c: NDArray[np.float64],
    shrunk: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
) -> None: ...
@overload
def pegasos_ascent_dense(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def pegasos_ascent_dense(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def pegasos_ascent_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def pegasos_ascent_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def pegasos_ascent_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def pegasos_ascent_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    order: NDArray[np.int64],
    cap: NDArray[np.float64],
    alpha: float,
    constant: float,
    b: NDArray[np.float64],
    w: NDArray[np.float64],
) -> None: ...
@overload
def perceptron_dense(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
@overload
def perceptron_dense(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
@overload
def perceptron_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
@overload
def perceptron_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
@overload
def perceptron_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
@overload
def perceptron_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    rate: NDArray[np.float64],
    intercept: bool,
    w: NDArray[np.float64],
    sum: NDArray[np.float64] | None,
    dual: NDArray[np.float64],
    dual_sum: NDArray[np.float64] | None,
    mistakes: NDArray[np.int64],
    elapsed: float,
    best_w: NDArray[np.float64] | None,
    best_dual: NDArray[np.float64] | None,
    best_mistakes: NDArray[np.int64] | None,
    state: NDArray[np.float64] | None,
    every: bool,
) -> int: ...
def loss_sweep(
    loss: int,
    z: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    slope: NDArray[np.float64],
    curvature: NDArray[np.float64] | None,
    n_threads: int,
) -> float: ...
def softmax_sweep(
    z: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    slope: NDArray[np.float64],
    probability: NDArray[np.float64] | None,
    n_threads: int,
) -> float: ...
def possible_d_sep(
    joined: NDArray[np.uint8], heads: NDArray[np.uint8], within: NDArray[np.uint8]
) -> None: ...
@overload
def csr_product(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def csr_product(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def csr_product(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def csr_product(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    coef: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def linear_pass(
    loss: int,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    offset: float,
    curvature: NDArray[np.float64] | None,
    gradient: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def linear_pass(
    loss: int,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    offset: float,
    curvature: NDArray[np.float64] | None,
    gradient: NDArray[np.float64],
    n_threads: int,
) -> float: ...
def walk_sums(
    offsets: NDArray[np.int64],
    indptr: NDArray[np.int64],
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    radii: NDArray[np.float64],
    symmetric: NDArray[np.uint8],
    n_left: int,
    right_from: int,
    decay: float,
    n_steps: int,
    pairs: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64] | None,
    n_threads: int,
) -> None: ...
@overload
def row_keys_dense(
    X: NDArray[np.float64], key: NDArray[np.uint64], square: NDArray[np.float64], n_threads: int
) -> None: ...
@overload
def row_keys_dense(
    X: NDArray[np.float32], key: NDArray[np.uint64], square: NDArray[np.float64], n_threads: int
) -> None: ...
@overload
def row_keys_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    key: NDArray[np.uint64],
    square: NDArray[np.float64],
) -> None: ...
@overload
def row_keys_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    key: NDArray[np.uint64],
    square: NDArray[np.float64],
) -> None: ...
@overload
def row_keys_sparse(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    key: NDArray[np.uint64],
    square: NDArray[np.float64],
) -> None: ...
@overload
def row_keys_sparse(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    key: NDArray[np.uint64],
    square: NDArray[np.float64],
) -> None: ...
def shuffle_rows(order: NDArray[np.int64], block: int, seed: int) -> None: ...
@overload
def row_value_dense(
    loss: int,
    shape: float,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def row_value_dense(
    loss: int,
    shape: float,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def row_value_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def row_value_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def row_value_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def row_value_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    w: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def smo_solve(
    K: NDArray[np.float64],
    beta: NDArray[np.float64],
    gradient: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    split: int,
    tol: float,
    reduction: float,
    limit: int,
) -> tuple[int, float, float, float]: ...
@overload
def smo_solve(
    K: NDArray[np.float32],
    beta: NDArray[np.float64],
    gradient: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    split: int,
    tol: float,
    reduction: float,
    limit: int,
) -> tuple[int, float, float, float]: ...
def smoothing_spline(
    gap: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    strength: float,
    fitted: NDArray[np.float64],
    bend: NDArray[np.float64],
    leverage: NDArray[np.float64],
) -> None: ...
def state_space_whiten(
    order: NDArray[np.int32],
    variance: NDArray[np.float64],
    rate: NDArray[np.float64],
    variance_slope: NDArray[np.float64],
    rate_slope: NDArray[np.float64],
    noise_slope: float,
    gap: NDArray[np.float64],
    noise: NDArray[np.float64],
    Y: NDArray[np.float64],
    white: NDArray[np.float64],
    slope: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None: ...
def state_space_smooth(
    order: NDArray[np.int32],
    variance: NDArray[np.float64],
    rate: NDArray[np.float64],
    gap: NDArray[np.float64],
    noise: NDArray[np.float64],
    marked: NDArray[np.uint8],
    Y: NDArray[np.float64],
    mean: NDArray[np.float64],
    var: NDArray[np.float64],
    solved: NDArray[np.float64],
    inverse: NDArray[np.float64],
) -> None: ...
@overload
def sgd_dense(
    loss: int,
    shape: float,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
@overload
def sgd_dense(
    loss: int,
    shape: float,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
@overload
def sgd_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
@overload
def sgd_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
@overload
def sgd_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
@overload
def sgd_sparse(
    loss: int,
    shape: float,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    order: NDArray[np.int64],
    batch: int,
    rate: NDArray[np.float64],
    mix: NDArray[np.float64] | None,
    l1: float,
    l2: float,
    intercept: bool,
    passive: int,
    w: NDArray[np.float64],
    mean: NDArray[np.float64] | None,
    paid: NDArray[np.float64] | None,
) -> None: ...
def number_bytes(symbols: NDArray[np.uint8], out: NDArray[np.int32]) -> int: ...
def window_keys(
    codes: NDArray[np.int32],
    offsets: NDArray[np.int64],
    base: int,
    k: int,
    out: NDArray[np.uint64],
    out_offsets: NDArray[np.int64],
) -> None: ...
def subsequence_sums(
    left: NDArray[np.int32],
    left_offsets: NDArray[np.int64],
    right: NDArray[np.int32],
    right_offsets: NDArray[np.int64],
    length: int,
    decay: float,
    pairs: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64] | None,
    n_threads: int,
) -> None: ...
def structure_climb(
    scorer: Scorer,
    adjacency: NDArray[np.uint8],
    forbidden: NDArray[np.uint8],
    required: NDArray[np.uint8],
    max_parents: int,
    tabu: int,
    patience: int,
    max_iter: int,
    tol: float,
    n_threads: int,
) -> tuple[list[float], int]: ...
def structure_anneal(
    scorer: Scorer,
    adjacency: NDArray[np.uint8],
    forbidden: NDArray[np.uint8],
    required: NDArray[np.uint8],
    max_parents: int,
    hot: float,
    cold: float,
    n_proposals: int,
    seed: int,
) -> tuple[list[float], bool]: ...
def family_table(
    scorer: Scorer, masks: NDArray[np.uint64], out: NDArray[np.float64], n_threads: int
) -> None: ...
def best_network(
    scores: NDArray[np.float64], parents: NDArray[np.uint64], n_threads: int
) -> float: ...
def order_chain(
    scores: NDArray[np.float64],
    masks: NDArray[np.uint64],
    burn_in: int,
    n_samples: int,
    thin: int,
    seed: int,
    edges: NDArray[np.float64],
    trace: NDArray[np.float64],
) -> tuple[float, int]: ...

class Scorer:
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_evaluated(self) -> int: ...
    def score(self, child: int, parents: Sequence[int]) -> float: ...

class CategoricalScorer(Scorer):
    def __init__(
        self,
        codes: NDArray[np.uint16],
        cards: NDArray[np.int64],
        weight: NDArray[np.float64] | None,
        kind: int,
        sample_size: float,
        penalty_rows: float,
    ) -> None: ...

class GaussianScorer(Scorer):
    def __init__(
        self, covariance: NDArray[np.float64], n_rows: float, kind: int, penalty_rows: float
    ) -> None: ...

class BlockScorer(Scorer):
    def __init__(
        self,
        covariance: NDArray[np.float64],
        sizes: Sequence[int],
        n_rows: float,
        kind: int,
        penalty_rows: float,
    ) -> None: ...

class SwitchedScorer(Scorer):
    def __init__(self, parts: Sequence[Scorer], which: Sequence[int]) -> None: ...

class ClassSearch:
    def __init__(
        self,
        scorer: Scorer,
        adjacency: NDArray[np.uint8],
        forbidden: NDArray[np.uint8],
        required: NDArray[np.uint8],
        separated: NDArray[np.uint8],
        max_degree: int,
        max_steps: int,
        tol: float,
        n_threads: int,
    ) -> None: ...
    @property
    def exhausted(self) -> bool: ...
    def improve(self, phase: int) -> tuple[float, int, int, list[int]] | None: ...
    def steps(self, phase: int) -> list[tuple[float, int, int, list[int]]]: ...
    def write(self, informed: bool, out: NDArray[np.uint8]) -> None: ...

@overload
def table_sum(values: NDArray[np.float64], n_threads: int) -> float: ...
@overload
def table_sum(values: NDArray[np.float32], n_threads: int) -> float: ...
@overload
def table_scores(
    X: NDArray[np.float64],
    offset: NDArray[np.int64],
    table: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def table_scores(
    X: NDArray[np.float32],
    offset: NDArray[np.int64],
    table: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def table_counts(
    X: NDArray[np.float64],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    offset: NDArray[np.int64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def table_counts(
    X: NDArray[np.float32],
    code: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    offset: NDArray[np.int64],
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def toeplitz_inverse(
    rows: NDArray[np.float64],
    least: NDArray[np.float64],
    columns: NDArray[np.float64],
    log_det: NDArray[np.float64],
    smallest: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def collapsed_topic_sweep(
    first: NDArray[np.int64],
    word: NDArray[np.int32],
    topic: NDArray[np.int32],
    word_topic: NDArray[np.int32],
    prior: NDArray[np.float64],
    eta: float,
    seed: int,
    sweep: int,
) -> None: ...
def delayed_topic_sweep(
    first: NDArray[np.int64],
    word: NDArray[np.int32],
    topic: NDArray[np.int32],
    word_topic: NDArray[np.int32],
    prior: NDArray[np.float64],
    eta: float,
    seed: int,
    sweep: int,
    n_parts: int,
    n_threads: int,
) -> bool: ...
def given_topics_sweep(
    first: NDArray[np.int64],
    word: NDArray[np.int32],
    topic: NDArray[np.int32],
    word_given_topic: NDArray[np.float64],
    prior: NDArray[np.float64],
    seed: int,
    sweep: int,
    word_topic: NDArray[np.int32],
    n_threads: int,
) -> None: ...
@overload
def variational_documents(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    topics: NDArray[np.float64],
    prior: NDArray[np.float64],
    max_iter: int,
    tol: float,
    gamma: NDArray[np.float64],
    theta: NDArray[np.float64],
    ratio: NDArray[np.float64],
    value: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def variational_documents(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    data: NDArray[np.float64],
    topics: NDArray[np.float64],
    prior: NDArray[np.float64],
    max_iter: int,
    tol: float,
    gamma: NDArray[np.float64],
    theta: NDArray[np.float64],
    ratio: NDArray[np.float64],
    value: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def topic_left_to_right(
    first: NDArray[np.int64],
    word: NDArray[np.int32],
    word_given_topic: NDArray[np.float64],
    prior: NDArray[np.float64],
    n_particles: int,
    seed: int,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def fragment_sums(
    offsets: NDArray[np.int64],
    indptr: NDArray[np.int64],
    children: NDArray[np.int32],
    rules: NDArray[np.int32],
    n_left: int,
    right_from: int,
    decay: float,
    pairs: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64] | None,
    n_threads: int,
) -> None: ...
@overload
def unit_pass(
    loss: int,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    u: NDArray[np.float64],
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    l2: float,
    curvature: NDArray[np.float64],
    gradient: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def unit_pass(
    loss: int,
    X: NDArray[np.float32],
    y: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    u: NDArray[np.float64],
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    l2: float,
    curvature: NDArray[np.float64],
    gradient: NDArray[np.float64],
    n_threads: int,
) -> float: ...
@overload
def unit_direction(
    X: NDArray[np.float64],
    curvature: NDArray[np.float64],
    gradient: NDArray[np.float64],
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    l2: float,
    direction: NDArray[np.float64],
) -> bool: ...
@overload
def unit_direction(
    X: NDArray[np.float32],
    curvature: NDArray[np.float64],
    gradient: NDArray[np.float64],
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    l2: float,
    direction: NDArray[np.float64],
) -> bool: ...
@overload
def grow_exact(
    X: NDArray[np.float64],
    sorted: NDArray[np.uint64] | None,
    categorical: NDArray[np.uint8],
    classes: NDArray[np.int32] | None,
    n_classes: NDArray[np.int64],
    numbers: NDArray[np.float64] | None,
    sorted_numbers: NDArray[np.uint64] | None,
    criterion: int,
    weight: NDArray[np.float64] | None,
    seeds: NDArray[np.uint64],
    usable: NDArray[np.uint8] | None,
    directions: NDArray[np.int32] | None,
    groups: NDArray[np.uint8] | None,
    missing_bins: NDArray[np.int32] | None,
    random_splits: bool,
    max_depth: int,
    min_samples_split: int,
    min_samples_leaf: int,
    min_weight_fraction_leaf: float,
    min_impurity_decrease: float,
    max_features: int,
    max_leaf_nodes: int,
    packed_bytes: int,
    n_threads: int,
) -> dict[str, Any]: ...
@overload
def grow_exact(
    X: NDArray[np.float32],
    sorted: NDArray[np.uint64] | None,
    categorical: NDArray[np.uint8],
    classes: NDArray[np.int32] | None,
    n_classes: NDArray[np.int64],
    numbers: NDArray[np.float64] | None,
    sorted_numbers: NDArray[np.uint64] | None,
    criterion: int,
    weight: NDArray[np.float64] | None,
    seeds: NDArray[np.uint64],
    usable: NDArray[np.uint8] | None,
    directions: NDArray[np.int32] | None,
    groups: NDArray[np.uint8] | None,
    missing_bins: NDArray[np.int32] | None,
    random_splits: bool,
    max_depth: int,
    min_samples_split: int,
    min_samples_leaf: int,
    min_weight_fraction_leaf: float,
    min_impurity_decrease: float,
    max_features: int,
    max_leaf_nodes: int,
    packed_bytes: int,
    n_threads: int,
) -> dict[str, Any]: ...
@overload
def grow_exact(
    X: NDArray[np.uint8],
    sorted: NDArray[np.uint64] | None,
    categorical: NDArray[np.uint8],
    classes: NDArray[np.int32] | None,
    n_classes: NDArray[np.int64],
    numbers: NDArray[np.float64] | None,
    sorted_numbers: NDArray[np.uint64] | None,
    criterion: int,
    weight: NDArray[np.float64] | None,
    seeds: NDArray[np.uint64],
    usable: NDArray[np.uint8] | None,
    directions: NDArray[np.int32] | None,
    groups: NDArray[np.uint8] | None,
    missing_bins: NDArray[np.int32] | None,
    random_splits: bool,
    max_depth: int,
    min_samples_split: int,
    min_samples_leaf: int,
    min_weight_fraction_leaf: float,
    min_impurity_decrease: float,
    max_features: int,
    max_leaf_nodes: int,
    packed_bytes: int,
    n_threads: int,
) -> dict[str, Any]: ...
@overload
def sort_columns(
    X: NDArray[np.float64], categorical: NDArray[np.uint8], out: NDArray[np.uint64], n_threads: int
) -> None: ...
@overload
def sort_columns(
    X: NDArray[np.float32], categorical: NDArray[np.uint8], out: NDArray[np.uint64], n_threads: int
) -> None: ...
def logistic_slopes(
    y: NDArray[np.float64],
    raw: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    g: NDArray[np.float32],
    h: NDArray[np.float32],
    n_threads: int,
) -> float: ...
def squared_slopes(
    y: NDArray[np.float64],
    raw: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    g: NDArray[np.float32],
    h: NDArray[np.float32] | None,
    n_threads: int,
) -> float: ...
def softmax_losses(
    y: NDArray[np.int32],
    raw: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    log_sum: NDArray[np.float64],
    n_threads: int,
) -> float: ...
def class_slopes(
    own: int,
    y: NDArray[np.int32],
    raw: NDArray[np.float64],
    log_sum: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    bend: float,
    g: NDArray[np.float32],
    h: NDArray[np.float32],
    n_threads: int,
) -> None: ...

class BinnedTable:
    @property
    def n_rows(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def copy_codes(self, out: NDArray[np.uint8]) -> None: ...

def table_of_codes(
    codes: NDArray[np.uint8],
    n_bins: NDArray[np.int32],
    categorical: NDArray[np.bool_],
    n_threads: int,
) -> BinnedTable: ...
@overload
def quantile_cuts(
    X: NDArray[np.float64],
    rows: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    max_bins: int,
    skip: NDArray[np.bool_],
    n_threads: int,
) -> list[list[float]]: ...
@overload
def quantile_cuts(
    X: NDArray[np.float32],
    rows: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    max_bins: int,
    skip: NDArray[np.bool_],
    n_threads: int,
) -> list[list[float]]: ...
@overload
def encode_bins(
    X: NDArray[np.float64],
    cut_offsets: NDArray[np.int64],
    cuts: NDArray[np.float64],
    code_offsets: NDArray[np.int64],
    code_bins: NDArray[np.uint8],
    n_bins: NDArray[np.int32],
    categorical: NDArray[np.bool_],
    n_threads: int,
) -> BinnedTable: ...
@overload
def encode_bins(
    X: NDArray[np.float32],
    cut_offsets: NDArray[np.int64],
    cuts: NDArray[np.float64],
    code_offsets: NDArray[np.int64],
    code_bins: NDArray[np.uint8],
    n_bins: NDArray[np.int32],
    categorical: NDArray[np.bool_],
    n_threads: int,
) -> BinnedTable: ...
def node_depths(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    offsets: NDArray[np.int64],
    depth: NDArray[np.int64],
) -> None: ...

class TreeRules:
    def __init__(
        self,
        max_leaves: int,
        max_depth: int,
        min_rows: int,
        min_split: int,
        min_curvature: float,
        min_gain: float,
        l2: float,
        cat_smooth: float,
        cat_l2: float,
        level_by_level: bool,
        split_features: int,
        monotone: Sequence[int],
        interaction: Sequence[Sequence[int]],
    ) -> None: ...

class TreeGrower:
    def __init__(self, table: BinnedTable, rules: TreeRules) -> None: ...
    def grow(
        self,
        g: NDArray[np.float32],
        h: NDArray[np.float32] | None,
        rows: NDArray[np.uint32] | None,
        weight: NDArray[np.float64] | None,
        columns: NDArray[np.bool_] | None,
        seed: int,
        output: int,
        n_threads: int,
    ) -> None: ...
    def shrink_and_add(self, rate: float, raw: NDArray[np.float64], n_threads: int) -> None: ...
    def add_to_rows(
        self, table: BinnedTable, rows: NDArray[np.uint32], raw: NDArray[np.float64], n_threads: int
    ) -> None: ...
    def copy_leaves(self, order: NDArray[np.uint32], starts: NDArray[np.int64]) -> None: ...
    def set_leaf_values(self, values: NDArray[np.float64]) -> None: ...
    def copy_leaf_values(self, values: NDArray[np.float64]) -> None: ...
    def copy_trees(
        self,
        offsets: NDArray[np.int64],
        output: NDArray[np.int32],
        questions: NDArray[np.int32],
        numbers: NDArray[np.float64],
        sets: NDArray[np.uint32],
    ) -> None: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def n_order(self) -> int: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_sets(self) -> int: ...

class PackedForest:
    @overload
    def add(
        self,
        X: NDArray[np.float64],
        first_tree: int,
        last_tree: int,
        out: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    @overload
    def add(
        self,
        X: NDArray[np.float32],
        first_tree: int,
        last_tree: int,
        out: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    @overload
    def apply(
        self,
        X: NDArray[np.float64],
        first_tree: int,
        last_tree: int,
        out: NDArray[np.int32],
        n_threads: int,
    ) -> None: ...
    @overload
    def apply(
        self,
        X: NDArray[np.float32],
        first_tree: int,
        last_tree: int,
        out: NDArray[np.int32],
        n_threads: int,
    ) -> None: ...

def pack_forest(
    n_features: int,
    n_outputs: int,
    offsets: NDArray[np.int64],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float64],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    missing_left: NDArray[np.bool_],
    categories: NDArray[np.int32],
    category_words: NDArray[np.int32],
    category_bits: NDArray[np.uint32],
    value: NDArray[np.float64],
    output: NDArray[np.int32],
) -> PackedForest: ...
def pruning_steps(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    risk: NDArray[np.float64],
    node: NDArray[np.int32],
    strength: NDArray[np.float64],
    total: NDArray[np.float64],
) -> int: ...
@overload
def explain_forest(
    forest: PackedForest,
    cover: NDArray[np.float64],
    X: NDArray[np.float64],
    background: NDArray[np.float64],
    pairs: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
@overload
def explain_forest(
    forest: PackedForest,
    cover: NDArray[np.float64],
    X: NDArray[np.float32],
    background: NDArray[np.float32],
    pairs: bool,
    out: NDArray[np.float64],
    n_threads: int,
) -> None: ...
