"""Requests for secret URLs fail in every way, and no log contains the URLs."""

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.site import Site
from tools.drills.visitors import Visitor

TOKEN = "a-token-that-nobody-may-read"  # noqa: S105 - made up
SECRETS = (f"/hall/{TOKEN}/", f"/admin/password/{TOKEN}/", f"/nothing/?key={TOKEN}")
KIND = "application/x-www-form-urlencoded"


@drill("The application goes away, a body is too large, and no log has an address", "sqlite", nginx=True)
def no_address_in_a_log(site: Site) -> Outcome:
    """Request secret URLs, also with a body that is too large, and with the application stopped."""
    visitor, statuses = Visitor(site), []
    for path in SECRETS:
        statuses.append(visitor.get(path).status)
        statuses.append(visitor.post(path, b"a" * 100_000, Content_Type=KIND).status)
    site.stop()
    statuses += [visitor.get(path).status for path in SECRETS]
    site.start()
    if 413 not in statuses or 502 not in statuses:
        raise DrillError(f"nothing failed as it should: {statuses}")
    logs = {file.name: file.read_text(errors="replace") for file in site.folder.rglob("*.log")}
    found = [name for name, text in logs.items() if TOKEN in text or "client: " in text]
    if found:
        raise DrillError(f"an address is in {found}")
    return Outcome(
        remarks=[f"{len(statuses)} requests: {sorted(set(statuses))}; logs: {', '.join(sorted(logs))}"]
    )
