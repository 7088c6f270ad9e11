"""Rows as data: ragged, sparse, distinct, plain."""
