"""Redirect: where an address of the site that was here before leads now."""

from django.db import models

LONGEST_PATH = 500


class Redirect(models.Model):
    """An address of an old site and ours that it leads to, for ever; it hangs on no event.

    `path` is as `tournaments.models.redirects.key_of` writes it: decoded, in small letters, without a slash
    at its end, what it asks for in order.
    """

    path = models.CharField(max_length=LONGEST_PATH, unique=True)
    target = models.CharField(max_length=LONGEST_PATH)

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        return self.path
