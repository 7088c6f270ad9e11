"""The same two processors for everyone.

Imported before NumPy, whose libraries read the environment when they are loaded.
"""

import os

COUNT = 2
VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def limit(count: int = COUNT) -> None:
    """Let this process and its children use ``count`` threads.

    The environment reaches OpenMP and the BLAS libraries. oneDAL's thread pool reads only the
    processors that the process may run on, so those are restricted as well, where the system can.
    """
    for variable in VARIABLES:
        os.environ[variable] = str(count)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])
