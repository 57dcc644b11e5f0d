"""Faults, tried on the site as production runs it, and what became of what people did meanwhile.

    python -m drills                    # all of them, some minutes
    python -m drills --list
    python -m drills killed_workers --short

Each module of `drills.faults` is a **drill**: a function under `@drill` that gets a running site, breaks
something while people use it, and returns an `Outcome`. Servers are real: granian as the shipped unit starts
it, PostgreSQL or an SQLite file, the shipped nginx where a drill asks for it; all of them on the loopback or
on sockets in a folder that is removed afterwards.
"""
