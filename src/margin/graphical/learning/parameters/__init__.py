"""Parameters of directed models that are not plain counts."""
