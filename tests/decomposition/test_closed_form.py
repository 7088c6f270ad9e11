from margin.core import Status
from margin.decomposition._closed_form import closed_form


def test_it_has_converged_with_what_it_is_told():
    solution = closed_form(2, "QR", ("a mend",))
    assert solution.status is Status.CONVERGED
    assert (solution.objective, solution.solver, solution.repairs) == (2.0, "QR", ("a mend",))
