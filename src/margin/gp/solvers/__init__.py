"""The linear algebra of a process: exact, iterative, by inducing points, along a line."""
