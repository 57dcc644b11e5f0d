"""FIDE tournament reports (TRF16, TRF26): bytes to a document and back (docs/trf.md, ADR 0029)."""
