"""What a fitted machine can be asked about itself: margins, sensitivity, support."""
