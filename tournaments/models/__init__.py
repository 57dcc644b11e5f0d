"""The record, one module per subject."""

from tournaments.models.account import Passkey, Session
from tournaments.models.bundle import Bundle, BundleFile
from tournaments.models.competitor import Competitor, Player
from tournaments.models.desk import Attendance, Backup, ColumnMapping, Receipt, Upload
from tournaments.models.errorreport import ErrorReport
from tournaments.models.event import Event, FormerSlug, Revision, Round, Series, SiteRevision
from tournaments.models.hall import CaptainLink, LineupCall, LineupSent, ResultSent
from tournaments.models.job import Job
from tournaments.models.login import Login, LoginWait
from tournaments.models.pairing import Game, Pairing
from tournaments.models.proposal import PairingsCheck, Proposal
from tournaments.models.redirect import Redirect
from tournaments.models.ruling import Acknowledgement, Change, ManualTiebreak, Override, Published

__all__ = [
    "Acknowledgement",
    "Attendance",
    "Backup",
    "Bundle",
    "BundleFile",
    "CaptainLink",
    "Change",
    "ColumnMapping",
    "Competitor",
    "ErrorReport",
    "Event",
    "FormerSlug",
    "Game",
    "Job",
    "LineupCall",
    "LineupSent",
    "Login",
    "LoginWait",
    "ManualTiebreak",
    "Override",
    "Pairing",
    "PairingsCheck",
    "Passkey",
    "Player",
    "Proposal",
    "Published",
    "Receipt",
    "Redirect",
    "ResultSent",
    "Revision",
    "Round",
    "Series",
    "Session",
    "SiteRevision",
    "Upload",
]
