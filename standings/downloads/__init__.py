"""An event to take away."""
