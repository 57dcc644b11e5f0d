"""The database within deadlines: our backends, what they raise, and how few threads wait for it."""
