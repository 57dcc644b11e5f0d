"""Caches of public pages, and pages during an outage of the database (ADR 0034 to 0036).

| cached | where | lifetime |
|---|---|---|
| pages, compressed | `page_cache`, in Django's cache | two hours; the key has revision, epoch and build |
| pages of URLs in any number, such as searches | `page_cache` | five minutes, at most 500 in that time |
| standings | `standings.services`, in Django's cache | five minutes, Django's default; the same key |
| last known revision of each event and of the site | `outage_copies` | an hour, shared once a minute |
| responses in shared caches | headers of `cached_pages` | one second, and one while they are revalidated |
| marks of content that was taken off the pages | `tournaments.operations.takedowns` | an hour |
"""
