"""Sweeps over the topics of words, and variational proportions of documents."""
