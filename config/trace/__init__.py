"""What the site tells of itself while it runs: its log, error pages, mails to admins, figures (ADR 0042)."""
