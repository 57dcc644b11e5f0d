"""The archive of an event as a bag: the layout of RFC 8493, which libraries and repositories take in.

Below `data/` stands the archive as it is; beside it, what it is, and the checksum of every file.
"""

from collections.abc import Iterable, Iterator

from standings.archive.making import File, checksum_lines, sum_of
from standings.downloads.citations import SITE, CitedEvent
from tournaments.event.reuse import doi_address

PAYLOAD = "data/"
DECLARATION, INFO = "bagit.txt", "bag-info.txt"
MANIFEST, TAG_MANIFEST = "manifest-sha256.txt", "tagmanifest-sha256.txt"
ESCAPED = str.maketrans({"%": "%25", "\n": "%0A", "\r": "%0D"})
"""Signs of a path that would end a line of a manifest."""


def bagged(of: CitedEvent, files: Iterable[File]) -> Iterator[File]:
    """Yield the files of an archive below `data/`, then those that make a bag of it.

    The same files make the same bag: it is dated by the last day that the data tell of, not by the clock.
    """
    sums, size = dict[str, str](), 0
    for name, content in files:
        path = f"{PAYLOAD}{name}"
        sums[path.translate(ESCAPED)] = sum_of(content)
        size += len(content)
        yield path, content
    tags = {
        DECLARATION: b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        INFO: _info(of, size, len(sums)).encode(),
        MANIFEST: checksum_lines(sums.items()),
    }
    yield from tags.items()
    yield TAG_MANIFEST, checksum_lines((name, sum_of(content)) for name, content in tags.items())


def _info(of: CitedEvent, size: int, count: int) -> str:
    """Return what the bag says of itself; what is not known is left out."""
    event, licence = of.event, of.licence
    facts = {
        "Source-Organization": SITE,
        "External-Description": f"{event.name}. {of.summary}",
        "External-Identifier": doi_address(event.doi) or of.address,
        "Payload-Oxum": f"{size}.{count}",
        "Internal-Sender-Identifier": event.slug,
        "Internal-Sender-Description": f"The data of {of.address}",
        "Licence": " ".join(filter(None, (licence.text, licence.address))),
    }
    # A line that begins with a blank would go on with the one above it.
    return "".join(f"{name}: {' '.join(fact.split())}\n" for name, fact in facts.items() if fact)
