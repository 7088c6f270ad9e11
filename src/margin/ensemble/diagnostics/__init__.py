"""What an ensemble does with noise: margins, interpolation, spikes, averaging."""
