"""The shapes of the answers as JSON Schema; those that an event file has too are its own."""

from functools import cache

from tournaments.event.values import Schema
from tournaments.formats.json.schema import definitions

COMPONENTS = "#/components/schemas/"

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer", "minimum": 1}
TRUTH: Schema = {"type": "boolean"}
ADDRESS: Schema = {"type": "string", "format": "uri"}
FIGURE: Schema = {
    "type": "string",
    "description": "An exact figure in points: 372.5, 19687/9, 6/4; never rounded.",
}

RESTS_ON: Schema = {
    "type": "string",
    "description": "The results that the standings rest on: during round 9: 4 of 34 results in.",
}


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> Schema:
    """A schema by its name."""
    return {"$ref": COMPONENTS + name}


_VALUE = _object(
    text={"type": "string", "description": "As the table prints it: 372½."},
    levels={**_list(FIGURE), "description": "A figure per level; none where nothing was decided."},
)

OWN: dict[str, Schema] = {
    "Index": _object(
        name=TEXT,
        version=TEXT,
        document=ADDRESS,
        endpoints=_list(_object(path=TEXT, summary=TEXT)),
    ),
    "Events": _object(
        total=COUNT,
        page=NUMBER,
        pages=NUMBER,
        previous=_or_null(ADDRESS),
        next=_or_null(ADDRESS),
        events=_list(ref("EventBrief")),
    ),
    "EventBrief": _object(
        slug=ref("slug"),
        name=TEXT,
        series=_or_null(TEXT),
        place=TEXT,
        country=TEXT,
        start=TEXT,
        end=TEXT,
        state={"enum": ["live", "final", "archived"]},
        discipline=TEXT,
        entrants={"enum": ["teams", "players"]},
        schedule={"enum": ["swiss", "round-robin", "double-round-robin"]},
        rounds=NUMBER,
        competitors=COUNT,
        address=ADDRESS,
    ),
    "EventAnswer": _object(
        event=ref("event"),
        version=NUMBER,
        told_until={
            **_or_null(TEXT),
            "description": "The last day that the data tell of: a date, or a year.",
        },
        competitors=COUNT,
        rounds=_list(
            _object(
                number=NUMBER,
                date=TEXT,
                state={"enum": ["published", "closed"]},
                pairings=COUNT,
                awaited=COUNT,
                address=ADDRESS,
            )
        ),
        links=_object(page=ADDRESS, standings=ADDRESS, competitors=ADDRESS, event_file=ADDRESS),
    ),
    "Standings": _object(
        event=ref("slug"),
        version=NUMBER,
        after=COUNT,
        rests_on=RESTS_ON,
        system=TEXT,
        criteria=_list(TEXT),
        rows=_list(ref("Row")),
    ),
    "Row": _object(
        number=NUMBER,
        name=TEXT,
        code=TEXT,
        place={**_or_null(NUMBER), "description": "None outside the competition."},
        shared=TRUTH,
        outside=TRUTH,
        marks=_list({"enum": ["withdrawn", "annulled", "pending", "unknown", "pairing", "value", "place"]}),
        values={"type": "object", "additionalProperties": _VALUE},
        decided_by={
            **_or_null(TEXT),
            "description": "The criterion that parted the row from the one above; place where a ruling did.",
        },
    ),
    "RoundAnswer": _object(
        event=ref("slug"),
        version=NUMBER,
        number=NUMBER,
        date=TEXT,
        state={"enum": ["published", "closed"]},
        pairings=_list(ref("pairing")),
    ),
    "Competitors": _object(event=ref("slug"), version=NUMBER, competitors=_list(ref("competitor"))),
    "CompetitorAnswer": _object(
        event=ref("slug"),
        version=NUMBER,
        after=COUNT,
        rests_on=RESTS_ON,
        competitor=ref("competitor"),
        standing=ref("Row"),
        rounds=_list(
            _object(
                round=NUMBER,
                total={**FIGURE, "description": "Match or game points so far, whichever are primary."},
                place={**_or_null(NUMBER), "description": "After the round; none outside the competition."},
                pairing={
                    **_or_null(ref("pairing")),
                    "description": "None where no pairing of the round names it.",
                },
            )
        ),
    ),
    "Check": _object(
        event=ref("slug"),
        version=NUMBER,
        verdict={
            "enum": ["agrees", "partial", "differs", "unchecked"],
            "description": "In full, in the part that was published, not, or nothing was published.",
        },
        publisher=TEXT,
        source=TEXT,
        taken={**_or_null(TEXT), "description": "The day on which they were taken from the source."},
        tables=_list(_object(after=COUNT, columns=_list(ref("Agreement")))),
    ),
    "Agreement": _object(
        label={"type": "string", "description": "As the source prints it; order for the places."},
        rows=COUNT,
        agreeing={**_or_null(COUNT), "description": "None where no criterion is known by this label."},
        differences=_list(ref("Figures")),
        ruled={**_list(ref("Figures")), "description": "Where a ruling gives another figure."},
    ),
    "Figures": _object(
        number=NUMBER,
        published=TEXT,
        computed={"type": "string", "description": "Without what was ruled by hand."},
        ruled={
            "type": "string",
            "description": "Empty where it is as computed; * where it was ruled itself.",
        },
        why={"type": "string", "description": "Why they differ, where that is understood."},
    ),
    "Explanation": _object(
        event=ref("slug"),
        version=NUMBER,
        after=COUNT,
        rests_on=RESTS_ON,
        criterion=TEXT,
        competitor=_object(number=NUMBER, name=TEXT),
        text=TEXT,
        levels=_list(FIGURE),
        ruled={**TRUTH, "description": "An arbiter replaced the value."},
        computed={**_list(FIGURE), "description": "What the lines come to."},
        sums={**_list(TEXT), "description": "How the lines add up, a text per level."},
        lines=_list(ref("Line")),
    ),
    "Line": _object(
        round=_or_null(NUMBER),
        opponent=_or_null(NUMBER),
        against=TEXT,
        kind={
            "enum": [
                *("absent", "played", "forfeit", "bye", "half-bye", "zero-bye"),
                *("pending", "unknown", "annulled"),
            ]
        },
        virtual=TRUTH,
        amount=FIGURE,
        text=TEXT,
        factors=_list(_object(text=TEXT, symbol=TEXT)),
        counted=TRUTH,
        notes=_list(TEXT),
        inner=_or_null(_object(competitor=NUMBER, criterion=TEXT)),
    ),
    "Criteria": _object(
        criteria=_list(
            _object(
                code=TEXT, name=TEXT, abbreviation=TEXT, rule=TEXT, source=TEXT, scaled=TRUTH, page=ADDRESS
            )
        ),
        systems=_list(_object(code=TEXT, name=TEXT, frozen=TRUTH, criteria=_list(TEXT), unplayed=TEXT)),
        policies=_list(TEXT),
    ),
    "Document": {"type": "object", "required": ["openapi", "info", "paths", "components"]},
    "Fault": _object(error=TEXT),
}


@cache
def components() -> dict[str, Schema]:
    """Every schema by its name: our own, and those of the event file."""
    of_files = definitions(COMPONENTS)
    del of_files["document"]
    return {**OWN, **of_files}
