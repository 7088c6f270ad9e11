"""Principal components of tables: exact, in the dual, randomised, incremental; truncated SVD."""
