"""Linear models learnt row by row: stochastic gradients and the perceptron."""
