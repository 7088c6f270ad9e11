"""What tables and orders of variables say about graphs."""
