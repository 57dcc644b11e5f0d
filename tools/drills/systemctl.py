"""Replacement for systemctl without systemd: starts units as their files specify, without sandboxing.

`tools.drills.deployment` copies it into the chroot, so it cannot import modules of the project. Timers
are only checked for existence.
"""

import grp
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS = Path("/usr/lib/systemd/system")
SECONDS = 60
FOLDERS = {"RuntimeDirectory": "/run", "StateDirectory": "/var/lib", "CacheDirectory": "/var/cache"}
OTHERS = {
    ("nginx", "start"): "nginx",
    ("nginx", "stop"): "nginx -s quit",
    ("nginx", "reload"): "nginx -s reload",
    ("nfs-server", "start"): "exportfs -r",
    ("nfs-server", "stop"): "exportfs -au",
    ("postgresql", "start"): "pg_ctlcluster 15 main start",
    ("postgresql", "stop"): "pg_ctlcluster 15 main stop",
    ("redis-server", "start"): "/etc/init.d/redis-server start",
    ("redis-server", "stop"): "/etc/init.d/redis-server stop",
}


class Unit:
    """A unit, read from its file."""

    def __init__(self, name: str) -> None:
        self.name = name
        file = UNITS / f"{name}.service"
        if not file.exists():
            file = UNITS / f"{name.partition('@')[0]}@.service"
        text = file.read_text().replace("\\\n", " ").replace("%i", name.partition("@")[2]).replace("%N", name)
        self.lines = [line.partition("=") for line in text.splitlines() if line and line[0] not in "#["]
        self.log = Path("/var/log") / f"{name}.log"
        self.process = Path("/var/tmp") / f"{name}.pid"  # noqa: S108 - inside the drill's chroot

    def values(self, key: str) -> list[str]:
        return [value for name, _, value in self.lines if name == key]

    def environment(self) -> dict[str, str]:
        """Return the environment of the service: its files override, and the caller's is not inherited."""
        told = [part for value in self.values("Environment") for part in shlex.split(value)]
        for file in self.values("EnvironmentFile"):
            lines = Path(file).read_text().splitlines()
            told += [line for line in lines if line and line[0] not in "#;"]
        found = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"} | dict(
            line.split("=", 1) for line in told
        )
        unset = shlex.split(" ".join(self.values("UnsetEnvironment")))
        return {name: value for name, value in found.items() if name not in unset}

    def start(self) -> int:
        """Start the unit; return the exit code of a oneshot service, 0 for other services."""
        (user,), (group,) = self.values("User"), self.values("Group")
        owner, owners = pwd.getpwnam(user).pw_uid, grp.getgrnam(group).gr_gid
        for key, place in FOLDERS.items():
            for name in " ".join(self.values(key)).split():
                Path(place, name).mkdir(parents=True, exist_ok=True)
                os.chown(Path(place, name), owner, owners)
        more = [grp.getgrnam(name).gr_gid for name in self.values("SupplementaryGroups") if _is_group(name)]
        about = {
            "cwd": self.values("WorkingDirectory")[0],
            "env": self.environment(),
            "user": owner,
            "group": owners,
            "extra_groups": [pwd.getpwnam(user).pw_gid, *more],
            "umask": int(self.values("UMask")[0], 8),
        }
        for command in self.values("ExecStartPre"):
            subprocess.run(shlex.split(command), check=True, **about)  # type: ignore[call-overload]  # options as a dict
        program = shlex.split(self.values("ExecStart")[0])
        if "oneshot" in self.values("Type"):
            return int(subprocess.run(program, check=False, **about).returncode)  # type: ignore[call-overload]  # options as a dict
        with self.log.open("ab") as log:
            process = subprocess.Popen(  # type: ignore[call-overload]  # options as a dict
                program, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **about
            )
        self.process.write_text(str(process.pid))
        socket = about["env"].get("GRANIAN_UDS")  # type: ignore[attr-defined]  # of the same dict
        end = time.monotonic() + (SECONDS if socket else 2)
        while process.poll() is None and time.monotonic() < end and not (socket and Path(socket).exists()):
            time.sleep(0.2)
        return process.poll() or 0

    def stop(self) -> None:
        if not self.process.exists():
            return
        number = int(self.process.read_text())
        self.process.unlink()
        try:
            os.kill(number, signal.SIGTERM)
            end = time.monotonic() + SECONDS
            while time.monotonic() < end and _runs(number):
                time.sleep(0.2)
        except ProcessLookupError:
            pass
        for name in " ".join(self.values("RuntimeDirectory")).split():
            shutil.rmtree(Path("/run", name), ignore_errors=True)


def main(action: str, names: list[str]) -> int:
    if action in {"daemon-reload", "preset"}:
        return 0
    if action == "is-enabled":
        return 0 if all(Unit(name.partition(".")[0]).process.exists() for name in names) else 1
    action = {"enable": "start", "disable": "stop"}.get(action, action)
    for full in names:
        name, _, kind = full.partition(".")
        if kind == "timer":
            if action == "start" and not (UNITS / full).exists():
                sys.exit(f"no unit {full}")
        elif not name.startswith("crosstable"):
            for each in ("stop", "start") if action == "restart" else (action,):
                done = subprocess.run(shlex.split(OTHERS[name, each]), check=False)
                if done.returncode and (action, each) != ("restart", "stop"):
                    return done.returncode
        else:
            unit = Unit(name)
            if action in {"stop", "restart"}:
                unit.stop()
            if action in {"start", "restart"} and (code := unit.start()):
                for other in unit.values("OnFailure"):
                    main("start", [other])
                return code
    return 0


def _runs(number: int) -> bool:
    """Return whether a process runs. Zombies do not count, because their parent never waits for them."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _is_group(name: str) -> bool:
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [each for each in sys.argv[2:] if not each.startswith("--")]))
