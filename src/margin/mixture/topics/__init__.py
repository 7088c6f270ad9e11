"""Topic models of counted words: inference, held-out probability, coherence."""
