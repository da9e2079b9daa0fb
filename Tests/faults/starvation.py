#!/usr/bin/env python3
"""Attacks on the time of a real racd, each of which once made every other client wait for seconds.

    starvation.py --racd PATH [--threads 1|3] [--debug] [--small|--full] [ATTACK…]

Another client measures its waits. The longest must stay below 100 ms and p99 below 20 ms. With --debug the longest may have
500 ms, and p99 is not judged. The daemon must not grow beyond the bound of the attack, and must give the memory back within
10 s after the attackers left. The exit status is 1 after a breach. Python 3.9+, standard library only.
"""
import base64, os
from attacks import CONNECTION, DAEMON, LONG, WORKING, attack, main, name, patterns


@attack("A1")
def lists(crowd):
    """Three clients with a hundred lists each over many names without a match."""
    crowd.set(f"n/{number}" for number in range(60_000 * crowd.scale))
    clients = [crowd.reader() for _ in range(3)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("list", pattern="**/zz") for _ in range(100)))


@attack("A2", seconds=8.0)
def long_lists(crowd):
    """Lists that are slow to match. Enough of them made racd take live clients for lost."""
    crowd.set(f"{number}/" + "a/" * 120 + "a" for number in range(20_000))
    clients = [crowd.reader() for _ in range(8 * crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("list", pattern="**/" + "a/" * 40 + "zz") for _ in range(20)))


@attack("A3")
def crowds_of_binders(crowd):
    """Hundreds of `who` from a client that reads fast, with 1.6 MB in each answer."""
    for _ in range(500):
        client = crowd.deaf(agent="\1" * 255)
        client.ask("bind", channel="who")
        client.ask("bind", channel="who", role="leading")
    clients = [crowd.reader() for _ in range(crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("who", channel="who") for _ in range(500)))


@attack("A4")
def slow_patterns(crowd):
    """A put of names that are slow to match with a thousand watched patterns."""
    slow = ["**/" + "a/" * 40 + f"b{number}/**/z" for number in range(1000)]
    for watcher, watches in crowd.watchers(slow, crowd.reader, most=20):
        watcher.send(*watches)
    client = crowd.reader()
    yield
    entries = [{"channel": "a/" * 120 + f"n{number}", "value": 1} for number in range(30 * crowd.scale)]
    crowd.work(client.send, client.request("put", set=entries))


@attack("A5", grows=2 * CONNECTION + WORKING)
def long_values_of_patterns(crowd):
    """A value of 8 MiB in a channel that matches many watches, for a deaf and a reading watcher."""
    crowd.set([name("long")])
    for connect in (crowd.deaf, crowd.reader):
        for watcher, watches in crowd.watchers(patterns(100 * crowd.scale), connect):
            watcher.send(*watches)
    yield
    crowd.set([name("long")] * 2, "x" * LONG)
    yield
    crowd.delete([name("long")])


@attack("A6")
def toggled_watch(crowd):
    """A watch that comes and goes beside a thousand others, while channels change."""
    toggler, client = crowd.deaf(), crowd.reader()
    for watcher, watches in crowd.watchers(patterns(999), crowd.reader):
        watcher.send(*watches)
    yield

    def toggle():
        while not crowd.is_over:
            toggler.ask("unwatch", w=toggler.ask("watch", pattern="toggled/*")["w"])

    def change():
        while not crowd.is_over:
            client.send(*(client.request("set", channel=f"changed/{number}", value=1) for number in range(200)))
            crowd.until(lambda: client.is_answered)
    crowd.work(toggle)
    crowd.work(change)


@attack("A7", grows=CONNECTION + DAEMON)
def long_put(crowd):
    """A put of two hundred thousand entries."""
    client = crowd.reader()
    yield
    for part in range(crowd.scale):
        entries = [{"channel": f"{part}/{number}", "value": 1} for number in range(200_000)]
        client.send(client.request("put", set=entries))
    yield
    crowd.delete(f"{part}/{number}" for part in range(crowd.scale) for number in range(200_000))


@attack("A8", grows=DAEMON + WORKING)
def compressed_answers(crowd):
    """Many clients that pipeline requests for a long value, compressed."""
    crowd.set(["long"], base64.b64encode(os.urandom(675_000)).decode())
    clients = [crowd.reader(deflate=True) for _ in range(30 + 5 * crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("get", channel="long") for _ in range(100)))


if __name__ == "__main__":
    main(__doc__)
