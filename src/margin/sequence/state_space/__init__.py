"""Linear systems behind noise: learned, structural and observed ones."""
