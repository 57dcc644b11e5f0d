"""What people in the hall send without an account: captains their line-ups, players their results."""
