"""The keys of every object in an event file, in canonical order: what reader and writer know."""

DOCUMENT = (
    "format",
    "version",
    "event",
    "competitors",
    "rounds",
    "overrides",
    "changes",
    "acknowledged",
    "published",
)
EVENT = (
    "slug", "former_slugs", "name", "series", "place", "country", "start", "end", "state", "discipline",
    "entrants", "teams_are", "schedule", "rounds", "boards", "scoring", "system", "criteria", "rules",
    "display", "sources", "licence", "notes", "trf",
)  # fmt: skip
SCORING = ("game", "results", "match")
RULES = ("primary", "bye", "wins_count_byes", "withdrawal_at_half", "unplayed")
BYE = ("game", "match")
DISPLAY = ("places", "cell_number", "columns")
COMPETITOR = (
    "number", "name", "code", "flag", "title", "rating", "rating_class", "club", "city", "sex", "born",
    "categories", "fide_id", "fmjd_id", "outside", "withdrawn_after", "requested_byes", "manual",
    "manual_after", "players",
)  # fmt: skip
PLAYER = (
    "board", "name", "title", "rating", "club", "city", "sex", "born", "categories", "fide_id", "fmjd_id",
)  # fmt: skip
ROUND = ("number", "date", "state", "pairings")
PAIRING = (
    "table", "first", "second", "kind", "score", "match_points", "advantage", "games_played", "games", "note",
)  # fmt: skip
GAME = (
    "board", "first", "second", "first_fide_id", "second_fide_id", "white", "score", "kind", "advantage",
    "games_played",
)  # fmt: skip
OVERRIDE = (
    "id", "kind", "round", "table", "competitor", "criterion", "levels", "place", "criteria", "from", "to",
    "undoes", "was", "after", "reason", "by", "at", "moved",
)  # fmt: skip
CHANGED_RULES = (
    "entrants", "schedule", "boards", "scoring", "system", "criteria", "primary", "bye", "wins_count_byes",
    "withdrawal_at_half", "unplayed",
)  # fmt: skip
CHANGE = ("round", "table", "was", "now", "reason", "by", "at", "moved")
ACKNOWLEDGED = ("finding", "round", "table", "reason", "by", "at")
PUBLISHED = ("order", "columns", "after_round", "publisher", "source", "taken", "known")
PUBLISHED_TABLE = ("order", "columns", "source")
KNOWN = ("what", "competitors", "why")
