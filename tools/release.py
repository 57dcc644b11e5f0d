"""Make a release in build/release: wheel, source, Debian package, checksums and their signature.

    python -m tools.release [KEY]

KEY is a key of GnuPG. Without it, only the wheel and the Debian package are made, of any checkout.
"""

import os
import re
import shutil
import subprocess
import sys
from datetime import date
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
SECTION = re.compile(
    r"^## (?P<version>\S+)(?: – (?P<date>\S+))?\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)


class NotReleasedError(Exception):
    """There is no release; the message is the reason."""


def version_to_release(root: Path) -> str:
    """Return the version of a clean checkout whose changelog describes it. Raise NotReleasedError."""
    [version] = map(str, VERSION.findall((root / "config" / "__init__.py").read_text()))
    if changed := _output(root, "git", "status", "--porcelain"):
        raise NotReleasedError(f"Commit these files first:\n{changed}")
    sections = {each["version"]: each for each in SECTION.finditer((root / "CHANGELOG.md").read_text())}
    if version not in sections or not _is_date(sections[version]["date"]):
        raise NotReleasedError(f"CHANGELOG.md needs a section “## {version} – YYYY-MM-DD” of this version.")
    if "Unreleased" in sections and sections["Unreleased"]["text"].strip():
        raise NotReleasedError(f"CHANGELOG.md has lines under “Unreleased”: they belong to {version}.")
    tag = f"v{version}"
    head = _output(root, "git", "rev-parse", "HEAD")
    if _output(root, "git", "tag", "--list", tag) and _output(root, "git", "rev-parse", f"{tag}^0") != head:
        raise NotReleasedError(f"{version} was released from another commit: raise it in config/__init__.py.")
    return version


def make_release(root: Path, key: str) -> Path:
    """Return the folder with the files of the release. Raise NotReleasedError."""
    version = version_to_release(root)
    folder = root / "build" / "release" / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    name = f"crosstable-{version}"
    archive = ["git", "archive", f"--prefix={name}/", f"--output={folder / name}.tar.gz", "HEAD"]
    subprocess.run(archive, cwd=root, check=True)
    build_package(root, folder)
    sums = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))
    sign = ["gpg", "--batch", "--local-user", key, "--armor", "--detach-sign", "SHA256SUMS"]
    subprocess.run(sign, cwd=folder, check=True)
    return folder


def build_package(root: Path, folder: Path) -> Path:
    """Build the wheel and the Debian package into the folder, and return the package."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    wheel = ["wheel", "--quiet", "--no-build-isolation", "--no-deps", f"--wheel-dir={folder}", str(root)]
    subprocess.run([*pip, *wheel], check=True)
    [built] = folder.glob("*.whl")
    told = os.environ | {"PIP": " ".join(pip)}
    subprocess.run([root / "deploy" / "package", built, folder], env=told, check=True)
    [package] = folder.glob("*.deb")
    return package


def _output(root: Path, *command: str) -> str:
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def _is_date(text: str | None) -> bool:
    try:
        date.fromisoformat(text or "")
    except ValueError:
        return False
    return True


def main(arguments: list[str]) -> None:
    if arguments:
        try:
            folder = make_release(ROOT, arguments[0])
        except NotReleasedError as problem:
            sys.exit(str(problem))
    else:
        folder = ROOT / "build" / "package"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        build_package(ROOT, folder)
    print("\n".join(str(each) for each in sorted(folder.iterdir())))


if __name__ == "__main__":
    main(sys.argv[1:])
