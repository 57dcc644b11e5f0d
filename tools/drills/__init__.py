"""Fault injection on a production-like site: break something under load and check that no data are lost.

    python -m tools.drills                    # all, takes some minutes
    python -m tools.drills --list
    python -m tools.drills killed_workers --short

A **drill** is a function decorated with `@drill` in a module of the package `faults`. It gets a running site,
breaks something while clients use it, and returns an `Outcome`. All servers are real: granian as started by
the shipped unit, PostgreSQL or an SQLite file, and the shipped nginx if the drill needs it. They listen on
the loopback or on sockets in a temporary folder.
"""
