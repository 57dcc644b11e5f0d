"""Models, one module per subject; those of accounts are in their package."""

from tournaments.accounts.models import ApiToken, Login, LoginWait, Passkey, Session
from tournaments.models.competitor import Competitor, Player
from tournaments.models.desk import Attendance, Backup, Bundle, BundleFile, ColumnMapping, Receipt, Upload
from tournaments.models.errorreport import ErrorReport
from tournaments.models.event import Event, FormerSlug, Revision, Round, Series, SiteRevision
from tournaments.models.hall import CaptainLink, LineupCall, LineupSent, ResultSent
from tournaments.models.job import Job, Worker
from tournaments.models.pairing import Game, Pairing
from tournaments.models.proposal import PairingsCheck, Proposal
from tournaments.models.redirect import Redirect
from tournaments.models.ruling import Acknowledgement, Change, ManualTiebreak, Override, Published
from tournaments.models.searching import SearchEntry, SearchKind, SearchSpelling
from tournaments.people.models.links import (
    ActSubject,
    EntryName,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    WithheldRow,
)
from tournaments.people.models.person import (
    EntryLink,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonName,
    PersonRevision,
    PersonTitle,
)
from tournaments.people.models.tallies import Medal, MedalCount, PersonTally, TeamTally
from tournaments.people.models.team import Team, TeamCode, TeamLink, TeamName, TeamRevision

__all__ = [
    "Acknowledgement", "ActSubject", "ApiToken", "Attendance", "Backup", "Bundle", "BundleFile",
    "CaptainLink", "Change", "ColumnMapping", "Competitor", "EntryLink", "EntryName", "ErrorReport",
    "Event", "FormerSlug", "Game", "Job", "LineupCall", "LineupSent", "LinkProposal", "LinkRefusal",
    "Login", "LoginWait", "ManualTiebreak", "Medal", "MedalCount", "Override", "Pairing", "PairingsCheck",
    "Passkey", "PeopleAct", "Person", "PersonFederation", "PersonIdentifier", "PersonLink", "PersonName",
    "PersonRevision", "PersonTally", "PersonTitle", "Player", "Proposal", "Published", "Receipt",
    "Redirect", "ResultSent", "Revision", "Round", "SearchEntry", "SearchKind", "SearchSpelling", "Series",
    "Session", "SiteRevision", "Team", "TeamCode", "TeamLink", "TeamName", "TeamRevision", "TeamTally",
    "Upload", "WithheldRow", "Worker",
]  # fmt: skip
