"""The errors are what callers may already catch."""

from margin.inference import MemoryLimitError, ZeroProbabilityError


def test_errors_have_a_family_and_carry_what_a_program_needs():
    assert issubclass(ZeroProbabilityError, ValueError)
    assert issubclass(MemoryLimitError, MemoryError)
    assert ZeroProbabilityError("impossible").rows == ()
    error = MemoryLimitError("too large", (1, 2), 3e9)
    assert (error.clique, error.bytes_needed) == ((1, 2), 3e9)
