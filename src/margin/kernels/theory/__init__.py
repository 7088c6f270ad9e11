"""What kernels are: validity, function spaces, alignment, invariance."""
