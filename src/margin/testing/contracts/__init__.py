"""What every block and engine is held to."""
