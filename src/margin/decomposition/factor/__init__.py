"""Factor analysis: maximum likelihood on the covariance, and rotations of the loadings."""
