#!/usr/bin/env python3
"""Breaks the disk under a running racd and mends it again. Python 3.9+, standard library only.

    diskfaults.py --racd PATH

disklog.c makes writes fail with ENOSPC or EIO, and syncs with EIO. Where the system allows the mount, one case fills a
small tmpfs for real. Each case expects of racd:

- A `sync` write is refused with `storage`.
- Other writes go on, and other clients get their values.
- `$sys/storage` names the fault.
- racd notices by itself when the disk works again.
- After a SIGKILL all values are there.

A racd that starts on a full disk prints one line about it, and starts once there is room. The program prints a line per case,
and ends with status 1 if a promise was broken.
"""
import argparse, asyncio, errno, mmap, os, signal, subprocess, sys, tempfile
from harness import Client, Fault, Racd, Refused, compiled, eventually

CASES = [("writes find no space", (errno.ENOSPC, 0)), ("writes fail", (errno.EIO, 0)), ("syncs fail", (0, errno.EIO)),
         ("writes and syncs fail", (errno.EIO, errno.EIO))]


class Switches:
    """The file that disklog.c reads: the errno of writes and of syncs."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb+") as file:
            file.write(bytes(2))
            file.flush()
            self.bytes = mmap.mmap(file.fileno(), 2)

    def set(self, write=0, sync=0):
        self.bytes[:] = bytes((write, sync))


async def storage(client):
    return (await client.ask("get", channel="$sys/storage"))["value"]


async def refusal(client, **keys):
    try:
        await client.ask("set", sync=True, **keys)
    except Refused as refused:
        return refused.code
    return None


async def breaks_and_heals(racd, break_disk, heal_disk, filler=""):
    """Breaks and heals the disk of a racd once; returns its report and the values that must be there afterwards."""
    client, other = await Client.connected(racd.port), await Client.connected(racd.port)
    await client.ask("set", channel="before", value=1, sync=True)
    terminal = (await other.ask("bind", channel="while"))["t"]
    break_disk()

    async def is_refused():
        return await refusal(client, channel="refused", value=filler) == "storage"
    await eventually("a sync write is refused", is_refused)
    await client.ask("set", channel="while", value=2)
    event = await other.event()
    if (event["op"], event["t"], event["value"]) != ("next", terminal, 2):
        raise Fault(f"others are told {event}")
    said = await eventually("$sys/storage tells", lambda: failing(client))
    heal_disk()

    async def is_taken():
        return await refusal(client, channel="after", value=3) is None
    await eventually("sync writes are taken again", is_taken)
    await eventually("$sys/storage is ok", lambda: fine(client))
    client.close()
    other.close()
    return said, {"before": 1, "while": 2, "after": 3, "refused": filler}


async def failing(client):
    said = await storage(client)
    return said if said.startswith("failing: ") else None


async def fine(client):
    return await storage(client) == "ok"


async def check_kept(racd, values):
    client = await Client.connected(racd.port)
    for channel, value in values.items():
        got = await client.ask("get", channel=channel)
        if got["value"] != value:
            raise Fault(f"after the restart {channel} is {str(got['value'])[:40]}")
    client.close()


async def injected(options, folder, name, codes):
    root = os.path.join(folder, "root")
    os.makedirs(root)
    switches = Switches(os.path.join(folder, "switches"))
    environment = {"LD_PRELOAD": compiled("disklog.c", folder), "DISKLOG_ROOT": root, "DISKLOG_FILE": "/dev/null",
                   "DISKLOG_FAULTS": switches.path}
    racd = await Racd.started(options.racd, os.path.join(root, "data"), environment=environment)
    try:
        said, values = await breaks_and_heals(racd, lambda: switches.set(*codes), switches.set)
    finally:
        await racd.end(signal.SIGKILL)
    again = await Racd.started(options.racd, os.path.join(root, "data"))
    try:
        await check_kept(again, values)
    finally:
        await again.end()
    return said


async def real_tmpfs(options, folder):
    """Fills a disk of one megabyte, in a mount namespace of racd's own.

    The write-ahead log does not get its full length there, and racd does without that.
    """
    mount = os.path.join(folder, "disk")
    os.mkdir(mount)
    script = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"'
    prefix = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, mount]
    if subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "skipped: this system lets nobody mount a tmpfs"
    racd = await Racd.started(options.racd, os.path.join(mount, "data"), prefix=prefix)
    inside = f"/proc/{racd.process.pid}/root{mount}"
    ballast = os.path.join(inside, "ballast")

    def fill():
        with open(ballast, "wb") as file:
            try:
                while True:
                    file.write(bytes(4096))
                    file.flush()
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
            finally:
                try:
                    file.close()
                except OSError:
                    pass

    # The mount ends with racd, but an open descriptor still reads it.
    data = os.open(os.path.join(inside, "data"), os.O_RDONLY | os.O_DIRECTORY)
    try:
        said, values = await breaks_and_heals(racd, fill, lambda: os.unlink(ballast), filler="x" * 5_000)
    finally:
        await racd.end(signal.SIGKILL)
    copy = os.path.join(folder, "copy")
    os.mkdir(copy)
    for name in ("rac.db", "rac.db-wal"):
        with open(os.open(name, os.O_RDONLY, dir_fd=data), "rb") as source, open(os.path.join(copy, name), "wb") as target:
            target.write(source.read())
    os.close(data)
    again = await Racd.started(options.racd, copy)
    try:
        await check_kept(again, values)
    finally:
        await again.end()
    return said


async def full_at_start(options, folder):
    root = os.path.join(folder, "root")
    os.makedirs(root)
    switches = Switches(os.path.join(folder, "switches"))
    switches.set(errno.ENOSPC, 0)
    environment = {"LD_PRELOAD": compiled("disklog.c", folder), "DISKLOG_ROOT": root, "DISKLOG_FILE": "/dev/null",
                   "DISKLOG_FAULTS": switches.path}
    started = subprocess.run([options.racd, "serve", "--listen", "127.0.0.1:0", "--data", os.path.join(root, "data")],
                             env={**os.environ, **environment}, capture_output=True, timeout=60)
    lines = started.stderr.decode().strip().splitlines()
    if started.returncode != 1 or len(lines) != 1 or "full" not in lines[0]:
        raise Fault(f"on a full disk racd ends with {started.returncode} and says {lines}")
    racd = await Racd.started(options.racd, os.path.join(root, "data"))
    await racd.end()
    return lines[0]


async def main(options):
    status = 0
    cases = [(name, injected, (name, codes)) for name, codes in CASES]
    cases += [("a tmpfs is full", real_tmpfs, ()), ("the disk is full at the start", full_at_start, ())]
    for name, case, arguments in cases:
        with tempfile.TemporaryDirectory(prefix="rac-disk-") as folder:
            try:
                print(f"diskfaults: {name}: {(await case(options, folder, *arguments)).replace(folder, '')}", flush=True)
            except Fault as fault:
                print(f"broken: {name}: {fault}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    sys.exit(asyncio.run(main(parser.parse_args())))
