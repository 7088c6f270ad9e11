"""Discovery: causal graphs learnt from data, and how sure their edges are."""
