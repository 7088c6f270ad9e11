"""Tests of dependence by kernels and by distances, and conditional ones."""
