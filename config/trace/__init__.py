"""Observability: log, error pages, mails to admins and metrics (ADR 0042)."""
