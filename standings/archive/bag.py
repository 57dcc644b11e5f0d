"""The archive of an event as a BagIt bag (RFC 8493), which libraries and repositories accept.

The archive is under `data/`, next to metadata and the checksums of all files.
"""

from collections.abc import Iterable, Iterator

from standings.archive.builder import File, checksum_lines, sha256_hex
from standings.downloads.citations import SITE, CitedEvent
from tournaments.event.reuse import doi_address

PAYLOAD = "data/"
DECLARATION, INFO = "bagit.txt", "bag-info.txt"
MANIFEST, TAG_MANIFEST = "manifest-sha256.txt", "tagmanifest-sha256.txt"
ESCAPED = str.maketrans({"%": "%25", "\n": "%0A", "\r": "%0D"})
"""Characters of a path that would end a line of a manifest."""


def bag_files(of: CitedEvent, files: Iterable[File]) -> Iterator[File]:
    """Yield the files of an archive below `data/`, followed by the tag files of the bag.

    The same files give the same bag: its date is the last day in the data, not the current one.
    """
    sums, size = dict[str, str](), 0
    for name, content in files:
        path = f"{PAYLOAD}{name}"
        sums[path.translate(ESCAPED)] = sha256_hex(content)
        size += len(content)
        yield path, content
    tags = {
        DECLARATION: b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        INFO: _info(of, size, len(sums)).encode(),
        MANIFEST: checksum_lines(sums.items()),
    }
    yield from tags.items()
    yield TAG_MANIFEST, checksum_lines((name, sha256_hex(content)) for name, content in tags.items())


def _info(of: CitedEvent, size: int, count: int) -> str:
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
    # A line that starts with a space would continue the line above.
    return "".join(f"{name}: {' '.join(fact.split())}\n" for name, fact in facts.items() if fact)
