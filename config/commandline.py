"""The command `crosstable`: a site on one computer, without settings (docs/install.md)."""

import os
import secrets
import socket
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

from platformdirs import user_data_path

from config import __version__, push, withworker

USER = "organiser"
"""The first account; its password is set through a link."""

STARTING = 120
"""Seconds for the server to start before the browser is opened."""


def main() -> None:
    parser = ArgumentParser(prog="crosstable", description="Standings of draughts and chess tournaments.")
    parser.add_argument("--version", action="version", version=f"Crosstable {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in {
        "serve": "serve the site of this computer, and open it in the browser",
        "demo": "the same with real events to try, in a folder of its own",
    }.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("--port", type=int, default=8000, help="port: %(default)s")
        command.add_argument("--no-browser", action="store_true", help="open no browser")
        if name == "serve":
            command.add_argument(
                "--lan", action="store_true", help="also for phones and computers in the same network"
            )
    commands.add_parser("update", help="after the installation of a new version: update the database")
    command = commands.add_parser("restore", help="replace the database by a backup")
    command.add_argument("file", metavar="FILE", help="a file of the folder of backups")
    command = commands.add_parser("backup", help="back up the database and test the backup")
    command.add_argument("folder", metavar="FOLDER", nargs="?", help="default: backups in the site's folder")
    command = commands.add_parser("push", help="send files of a pairing program to a site (docs/push.md)")
    command.add_argument("files", metavar="FILE", nargs="+", help="also a folder: its newest PGN or PDN file")
    command.add_argument("--to", metavar="SITE", required=True, help="address of the site or of the event")
    command.add_argument("--event", metavar="SLUG", help="default: that of the token, or the file's name")
    command.add_argument("--watch", action="store_true", help="send the files again after each change")
    command.add_argument("--answer", action="append", default=[], metavar="NAME=TEXT", help="of a question")
    command.add_argument("--reason", action="append", dest="answer", type="reason={}".format, metavar="TEXT")
    command.add_argument("--yes", action="store_true", help="no question before the first push")
    command.add_argument("--insecure", action="store_true", help="without TLS, in a network that you trust")
    command = commands.add_parser("borrow", help="change an event of a site here, and send it each change")
    command.add_argument(
        "event", metavar="ADDRESS", help="the event's page: https://results.example/events/open/"
    )
    command.add_argument(
        "--insecure", action="store_true", help="without TLS, in a local network that you trust"
    )
    text = "run a command of manage.py, such as `crosstable manage validate FILE`"
    commands.add_parser("manage", help=text, add_help=False)  # the command has its own help
    options, rest = parser.parse_known_args()
    if rest and options.command not in {"demo", "manage"}:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    home = prepare_home("demo" if options.command == "demo" else "")
    if options.command == "manage":
        run_django(*rest)
    elif options.command == "borrow":
        borrow_event(options, home)
    elif options.command == "backup":
        run_django("backup", options.folder or str(home / "backups"))
    elif options.command == "restore":
        update(home, "--restore", options.file)
    elif options.command == "update":
        update(home)
    else:
        sys.exit(
            push.run_push(options, home) if options.command == "push" else serve_site(options, rest, home)
        )


def prepare_home(part: str = "") -> Path:
    """Return the folder of the site. Set the variables that the settings need, if they are not set."""
    base = os.environ.get("CROSSTABLE_HOME") or user_data_path("crosstable", appauthor=False)
    home = Path(base).absolute() / part
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    (home / "backups").mkdir(exist_ok=True)
    secret = home / "secret-key"
    if "SECRET_KEY" not in os.environ and not secret.exists():
        # The name appears only with the complete content, also if two commands start at the same time.
        new = home / f"secret-key-{os.getpid()}"
        new.touch(mode=0o600)
        new.write_text(secrets.token_urlsafe(64))
        with suppress(FileExistsError):
            os.link(new, secret)
        new.unlink()
    for name, value in {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        "HTTPS": "False",
        "PROXIES": "0",
        "LOG_LEVEL": "WARNING",
        "ACCESS_LOG": "False",
    }.items():
        os.environ.setdefault(name, value)
    os.environ["CROSSTABLE_HOME"] = str(home)
    if "SECRET_KEY" not in os.environ:
        os.environ["SECRET_KEY"] = secret.read_text()
    return home


def run_django(*arguments: str) -> None:
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - reads the variables

    execute_from_command_line(["crosstable manage", *arguments])


def update(home: Path, *options: str) -> None:
    run_django("collectstatic", "--no-input", "--verbosity", "0")  # pages need their names
    run_django("update", *options, str(home / "backups"))


def borrow_event(options: Namespace, home: Path) -> None:
    update(home)
    from tournaments.recording.events import home as homes  # noqa: PLC0415 - needs the setup
    from tournaments.recording.refusal import Refused  # noqa: PLC0415 - the same

    site = push.Site(options.event, home, insecure=options.insecure)
    try:
        event = homes.borrow(site)
    except (Refused, push.NotSentError) as refusal:
        sys.exit(str(refusal.args[0]))
    sys.stdout.write(
        f"{event.name} is changed here now: start `crosstable serve`, and give it back at its desk.\n"
    )


def serve_site(options: Namespace, of_demo: list[str], home: Path) -> int:
    """Serve the site until Ctrl-C, with its worker. Return the exit code.

    `of_demo`: options of `manage.py demo`, such as `--restore`.
    """
    is_for_all = options.command == "serve" and options.lan
    host = address_in_network() if is_for_all else "127.0.0.1"
    if is_for_all:
        os.environ["ALLOWED_HOSTS"] += f",{host},{socket.gethostname()},{socket.gethostname()}.local"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0" if is_for_all else host, options.port))  # noqa: S104 - chosen with --lan
        except OSError:
            sys.stderr.write(
                f"Port {options.port} is in use. Is Crosstable running already? Else choose another: "
                f"crosstable {options.command} --port {options.port + 1}\n"
            )
            return 1
    sys.stdout.write("Crosstable is starting. The first start takes up to a minute.\n")
    sys.stdout.flush()
    update(home)
    if options.command == "demo":
        run_django("demo", *of_demo)
        run_django("update_lists")
    path = invitation() if options.command == "serve" else ""
    own = f"http://127.0.0.1:{options.port}/"
    sys.stdout.write(f"Crosstable {__version__}. The data are in {home}.\nThe site: {own}  (end: Ctrl-C)\n")
    if path:
        sys.stdout.write(f"Set the password of the account “{USER}” here: {own}{path}\n")
    if is_for_all:
        import segno  # noqa: PLC0415 - only needed here

        everyone = f"http://{host}:{options.port}/"
        sys.stdout.write(f"In this network: {everyone}\n")
        segno.make(everyone).terminal(compact=True)
    sys.stdout.flush()
    if not options.no_browser:
        Thread(target=open_browser, args=(options.port, own + path), daemon=True).start()
    interface = "0.0.0.0" if is_for_all else host  # noqa: S104 - chosen with --lan
    server = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--http", "1"]
    server += ["--blocking-threads", "16", "--respawn-failed-workers", "--log-level", "error"]
    server += ["--host", interface, "--port", str(options.port), "config.wsgi:application"]
    return withworker.main(["--", *server])


def invitation() -> str:
    """Return the path of the page that sets the first password; blank if an account has a password."""
    import django  # noqa: PLC0415 - reads the variables

    django.setup()
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs the setup

    from tournaments.accounts.services.password_links import path_of_link  # noqa: PLC0415 - the same

    if any(each.has_usable_password() for each in User.objects.all()):
        return ""
    user, _created = User.objects.get_or_create(
        username=USER, defaults={"is_staff": True, "is_superuser": True, "password": "!"}
    )
    return path_of_link(user).removeprefix("/")


def address_in_network() -> str:
    """Return the address of this computer in its network. Connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def open_browser(port: int, address: str) -> None:
    for _ in range(STARTING):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            webbrowser.open(address)
            return
        sleep(1)


if __name__ == "__main__":
    main()
