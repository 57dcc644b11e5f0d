"""The criteria, one module per family; importing this registers them all."""

from standings.engine.criteria import direct, duration, opponents, own, ratings, sonneborn

__all__ = ["direct", "duration", "opponents", "own", "ratings", "sonneborn"]
