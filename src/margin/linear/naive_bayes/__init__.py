"""Naive Bayes: kinds of columns, the classifiers over them, and labels that are missing."""
