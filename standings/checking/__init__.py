"""Our standings against the published ones (rules § 6)."""
