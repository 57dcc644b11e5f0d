"""Events without a database: documents, rules, scores, result codes and checks."""
