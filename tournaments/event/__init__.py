"""What an event is, without a database: its document, rules, scores, result codes and checks."""
