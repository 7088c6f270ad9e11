"""Normal approximations of latent values with a normal prior, at the mode or by moments."""
