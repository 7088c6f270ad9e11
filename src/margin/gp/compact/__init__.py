"""Processes with kernels of compact support."""
