"""Bagging: the mean or the vote of models trained on draws of rows and features."""
