"""Machines that learn by visiting rows: Pegasos and the kernel perceptron."""
