"""What is counted of games and players beside the standings."""
