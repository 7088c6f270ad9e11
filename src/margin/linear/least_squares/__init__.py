"""Least squares under other assumptions: constraints, errors in all columns, non-linear laws."""
