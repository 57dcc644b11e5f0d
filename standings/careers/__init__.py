"""What persons and teams made over events: read of kept standings and of boards, and added up."""
