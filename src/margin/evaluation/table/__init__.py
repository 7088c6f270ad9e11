"""The table: what its columns are, the task they pose, rows set aside, matrices for the models."""
