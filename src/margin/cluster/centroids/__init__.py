"""k-means and its kin: batches, bisection, spheres, kernels, medoids, histograms."""
