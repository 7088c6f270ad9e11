"""Answers followed from one strength of regularisation to another."""
