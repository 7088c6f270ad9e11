"""Discovery: causal graphs learnt from data, how sure their edges are, and how far they are off."""
