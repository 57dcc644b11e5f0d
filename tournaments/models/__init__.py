"""The record, one module per subject."""

from tournaments.models.account import Passkey, Session
from tournaments.models.competitor import Competitor, Player
from tournaments.models.desk import Backup, ColumnMapping, Receipt, Upload
from tournaments.models.event import Event, FormerSlug, Revision, Round, Series, SiteRevision
from tournaments.models.job import Job
from tournaments.models.login import Login, LoginWait
from tournaments.models.pairing import Game, Pairing
from tournaments.models.redirect import Redirect
from tournaments.models.ruling import Acknowledgement, Change, ManualTiebreak, Override, Published

__all__ = [
    "Acknowledgement",
    "Backup",
    "Change",
    "ColumnMapping",
    "Competitor",
    "Event",
    "FormerSlug",
    "Game",
    "Job",
    "Login",
    "LoginWait",
    "ManualTiebreak",
    "Override",
    "Pairing",
    "Passkey",
    "Player",
    "Published",
    "Receipt",
    "Redirect",
    "Revision",
    "Round",
    "Series",
    "Session",
    "SiteRevision",
    "Upload",
]
