"""Kernels of scikit-learn taken into ours, and ours into theirs."""
