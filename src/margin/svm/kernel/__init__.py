"""Machines with kernels: classification, regression and novelty detection."""
