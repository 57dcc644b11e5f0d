"""The write API: tokens, files, results and boards from other programs (ADR 0047)."""
