"""A site on several machines, on the loopback: two application servers, each with a worker, PostgreSQL with a
streaming replica, Redis, and nginx in front.

python -m tools.drills.cluster      # run it with the demo events until Ctrl-C
"""

import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tools import prerequisites
from tools.drills.servers import (
    Nginx,
    Postgres,
    Process,
    Service,
    Unit,
    free_port,
    wait_for_port,
    wait_until,
)
from tools.drills.site import HOST, Prepared, Site, Surroundings, environment_of, manage
from tools.withpg import leave

PROGRAMS = ("nginx", "redis-server", "openssl")
SHARED = {
    "ARCHIVES": "archives",
    "HIDDEN_FILE": "hidden.json",
    "MARKS": "marks",
    "RATING_LISTS": "ratinglists",
}
"""Settings with files that all machines share, and their names (docs/deployment.md)."""


STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


class Machine:
    """An application server and a worker, with the files of their machine in `folder`."""

    def __init__(self, folder: Path, environment: dict[str, str], settings: dict[str, str]) -> None:
        """`settings` are those of /etc/crosstable.env, which override the units."""
        folder.mkdir()
        self.folder, self.port = folder, free_port()
        site, worker = Unit("crosstable", folder), Unit("crosstable-worker", folder)
        listens = {"GRANIAN_UDS": "", "GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(self.port)}
        self.environment = environment | site.environment | settings | listens
        self.site = Service(site, folder / "site.log", self.environment)
        self.worker = Service(worker, folder / "worker.log", environment | worker.environment | settings)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.site.start()
        self.worker.start()
        wait_for_port(self.port)

    def stop(self) -> None:
        for service in (self.worker, self.site):
            if service.runs:
                service.stop()

    def kill(self) -> None:
        self.worker.kill()
        self.site.kill()


class Redis:
    """A Redis server that stores nothing on its disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: Process | None = None

    def start(self) -> None:
        limits = ["--save", "", "--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru"]
        command = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)]
        self.process = Process([*command, *limits], self.folder / "redis.log")
        wait_for_port(self.port)

    def kill(self) -> None:
        if self.process:
            self.process.kill()

    def stop(self) -> None:
        if self.process:
            self.process.stop()


class Cluster(Site):
    """The cluster of a drill, which runs within the context."""

    def __str__(self) -> str:
        lines = [
            f"nginx       https://127.0.0.1:{self.nginx.port}/" if self.nginx else "",
            *(
                f"server      http://{machine.address}/ (with X-Forwarded-Proto: https)"
                for machine in self.machines
            ),
            f"primary     {self.primary.url}",
            f"replica     {self.replica.url}",
            f"Redis       {self.redis.url}",
            f"files       {self.folder}",
        ]
        return "\n".join(lines)

    def __init__(self, *given: Any, port: int = 0, **options: Any) -> None:
        """`port` is that of nginx; 0 for a free one."""
        super().__init__(*given, **options)
        self.port = port

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="cluster-", dir="/tmp"))
        self.folder.chmod(0o711)
        self.machines: list[Machine] = []
        self.redis, self.replica = Redis(self.folder), self._server("replica")
        self.primary = self.postgres = self._server("primary")
        self.prepared.copy("postgresql", self.primary.folder)
        self.environment = self._environment()
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for part in (self.nginx, *self.machines, self.redis, self.replica, self.primary):
            if part:
                part.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _server(self, name: str) -> Postgres:
        folder = self.folder / name
        folder.mkdir()
        return Postgres(folder, free_port())

    def _start(self) -> None:
        self.nginx = None
        self.redis.start()
        self.primary.start()
        self.replica.follow(self.primary, self._way("replica"))
        self.replica.start()
        wait_until(lambda: self.primary.query(STREAMING) == "1", "the replica does not stream")
        self.machines += [
            Machine(self.folder / name, self._environment(self._way(name)), self.settings)
            for name in ("one", "two")
        ]
        for machine in self.machines:
            machine.start()
        servers = [machine.address for machine in self.machines]
        self.nginx = Nginx(self.folder / "nginx", self.prepared.static, *servers, port=self.port)
        self.nginx.start()

    def _way(self, _name: str) -> int:
        """Return the port at which a machine reaches the primary."""
        return self.primary.port

    def _environment(self, primary: int = 0) -> dict[str, str]:
        hosts = ",".join(f"127.0.0.1:{port}" for port in (primary or self.primary.port, self.replica.port))
        url = f"postgresql://test@{hosts}/postgres?target_session_attrs="
        environment = environment_of(f"{url}read-write", self.prepared.static, self.prepared.secret())
        return environment | {"REPLICA_URL": f"{url}standby"}

    @property
    def settings(self) -> dict[str, str]:
        """The settings that all machines have in common."""
        shared = {name: str(self.folder / "shared" / folder) for name, folder in SHARED.items()}
        # One serving process for each machine, because the machines share the cores of this one.
        extra = {"CACHE_URL": self.redis.url, "GRANIAN_WORKERS": "1"}
        return shared | extra | self.around.environment


class Networked(Cluster):
    """The cluster with networks that can be cut, between the primary and the first server and the replica."""

    def __enter__(self) -> Self:
        self.networks: dict[str, Process] = {}
        return super().__enter__()

    def __exit__(self, *given: object) -> None:
        for network in self.networks.values():
            network.kill()
        super().__exit__(*given)

    def _way(self, name: str) -> int:
        if name == "two":
            return self.primary.port
        port = free_port()
        command = [sys.executable, "-m", "tools.drills.forwarder", str(port), str(self.primary.port)]
        self.networks[name] = Process(command, self.folder / "network.log")
        wait_for_port(port)
        return port


def main() -> int:
    """Run the cluster with the demo events, and print its addresses, until SIGINT or SIGTERM."""
    signal.signal(signal.SIGTERM, leave)
    missing = [name for name in PROGRAMS if not prerequisites.find(name)]
    if missing:
        packages = prerequisites.packages_of(missing)
        sys.exit(f"Missing: {', '.join(missing)}. {prerequisites.install_hint(packages)}")
    with suppress(KeyboardInterrupt), tempfile.TemporaryDirectory(prefix="prepared-") as folder:
        port = free_port()
        settings = {"ALLOWED_HOSTS": f"{HOST},127.0.0.1", "CSRF_TRUSTED_ORIGINS": f"https://127.0.0.1:{port}"}
        around = Surroundings(nginx=True, environment=settings)
        with Cluster(Prepared(Path(folder)), "postgresql", around, short=False, port=port) as cluster:
            events = manage(cluster.environment | {"DEBUG": "1"}, "demo", "--restore", "--reset-passwords")
            print(events, cluster, sep="\n", flush=True)
            signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
