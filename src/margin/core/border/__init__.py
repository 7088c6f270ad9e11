"""What may be asked for: the rules of parameters and the words of a refusal."""
