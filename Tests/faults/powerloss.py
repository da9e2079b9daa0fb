#!/usr/bin/env python3
"""Cuts the power of a racd at every sync of its disk and checks the files that are left. Python 3.9+, standard library only.

    powerloss.py --racd PATH [--durability full] [--images N] [--seed N] [--steps N]

A racd writes for some clients while disklog.c records its calls on files. A loss of power is then tried at every sync, and at
as many places between syncs. Each place gives several images: without the writes since the last sync, with all of them, and
with any part of them, in torn sectors. A racd is started on each image, with these promises:

- racd starts.
- Each `sync` write that was acknowledged before the crash is there.
- No value is there that no client wrote, and no half of a `put`.
- The next revision is above all that clients have seen.

With `--durability normal` acknowledged writes may be lost and nothing else; with `off`, the file may be lost, too.

--images limits the number of images; 0 tries all. The first syncs and the syncs around a checkpoint go first, the seed chooses
the others. The last line has the findings; the exit status is 1 if a promise was broken.
"""
import argparse, asyncio, os, random, sys, tempfile
from crashimages import SYNCED, Disk, calls, lay_out
from harness import Client, Fault, Racd, compiled
from writers import Writer, shown

WRITERS = 4
STYLES = ("nothing", "everything", "torn", "torn again")


class Found(Exception):
    pass


async def record(options, folder):
    """Lets a racd work; returns its writers and the calls that it made on its files."""
    root, log = os.path.join(folder, "root"), os.path.join(folder, "log")
    os.mkdir(root)
    environment = {"LD_PRELOAD": compiled("disklog.c", folder), "DISKLOG_ROOT": root, "DISKLOG_FILE": log}
    disk = Disk(root)
    racd = await Racd.started(
        options.racd, os.path.join(root, "data"), "--durability", options.durability, environment=environment)
    writers = [Writer(number, options.seed) for number in range(WRITERS)]
    clients = [await Client.connected(racd.port) for _ in writers]
    await asyncio.gather(*(writer.run(client, options.steps) for writer, client in zip(writers, clients)))
    await racd.end(9)
    return disk, writers, calls(log)


def crashes(options, disk, found):
    """The images in the order of the calls, each with a name and the moment of its crash."""
    syncs = [index for index, call in enumerate(found) if call.kind == SYNCED]
    names = {call.inode for call in found if call.kind == SYNCED}
    # Most syncs are of the write-ahead log; every other file is synced at the start or by a checkpoint.
    usual = max(names, key=lambda inode: sum(call.inode == inode for call in found if call.kind == SYNCED))
    rare = {index for index in syncs if found[index].inode != usual}
    close = {index for index in syncs if any(abs(syncs.index(index) - syncs.index(other)) <= 1 for other in rare)}
    chooser = random.Random(options.seed)
    # Places between the syncs are tried, too: a durability that does not sync commits loses most there.
    others = [index for index in syncs if index not in close]
    others += chooser.sample(range(len(found)), min(len(found), len(syncs)))
    chooser.shuffle(others)
    order = sorted(close) + others
    limit = options.images or len(STYLES) * len(order)
    chosen = set(order[:max(1, limit // len(STYLES))])
    for index, call in enumerate(found):
        if index in chosen:
            for style in STYLES:
                random_parts = random.Random(f"{options.seed}/{index}/{style}")
                image = disk.torn(random_parts) if style.startswith("torn") else getattr(disk, style)()
                yield f"call {index} of {len(found)}, {style}", call.time, image
        disk.apply(call)
    yield "the end", float("inf"), disk.nothing()


async def check(options, writers, name, moment, image):
    """Starts a racd on an image; raises Found with the kind of promise that is broken."""
    with tempfile.TemporaryDirectory(prefix="rac-crash-") as folder:
        lay_out(image, folder)
        try:
            racd = await Racd.started(options.racd, os.path.join(folder, "data"), "--durability", options.durability)
        except Fault as fault:
            raise Found("refused", f"{name}: {fault}")
        try:
            client = await Client.connected(racd.port)
            for writer in writers:
                state = await writer.standing(client)
                for kind, promises in (("invented", False), ("lost", True)):
                    if state not in writer.possible(moment, promises):
                        raise Found(kind, f"{name}: {writer.channels} stand as {shown(state)}")
            told = max((rev for writer in writers for at, rev in writer.revisions if at <= moment), default=0)
            rev = (await client.ask("set", channel="after", value=1))["rev"]
            if rev <= told:
                raise Found("revision", f"{name}: revision {rev} after {told} was told")
            client.close()
        except asyncio.TimeoutError:
            raise Found("silent", f"{name}: racd does not answer, but\n{racd.doing()}")
        finally:
            await racd.end(9)


ALLOWED = {"full": set(), "normal": {"lost"}, "off": {"lost", "refused", "invented", "revision"}}


async def main(options):
    print(f"powerloss: durability {options.durability}, seed {options.seed}", flush=True)
    counts, tried, faults = {}, 0, []
    with tempfile.TemporaryDirectory(prefix="rac-powerloss-") as folder:
        disk, writers, found = await record(options, folder)
        crashed = crashes(options, disk, found)

        async def attempt_all():
            nonlocal tried
            for crash in crashed:
                tried += 1
                try:
                    await check(options, writers, *crash)
                except Found as broken:
                    kind, what = broken.args
                    counts[kind] = counts.get(kind, 0) + 1
                    if kind not in ALLOWED[options.durability]:
                        faults.append(f"{kind}: {what}")
        await asyncio.gather(*(attempt_all() for _ in range(os.cpu_count() or 1)))
    for fault in faults[:10]:
        print("broken:", fault)
    syncs = sum(call.kind == SYNCED for call in found)
    print(f"powerloss: {tried} images of {syncs} syncs and {len(found)} calls; found {counts or 'nothing'}")
    if options.expect and not counts.get(options.expect):
        print(f"broken: with durability {options.durability} something must be {options.expect}, or this test sees nothing")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--durability", choices=ALLOWED, default="full")
    parser.add_argument("--images", type=int, default=0, help="limit of the images; 0: all")
    parser.add_argument("--steps", type=int, default=40, help="number of changes of each writer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--expect", choices=["lost"], help="kind that must be found, to prove that the test sees it")
    sys.exit(asyncio.run(main(parser.parse_args())))
