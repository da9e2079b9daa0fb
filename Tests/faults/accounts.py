#!/usr/bin/env python3
"""Attacks on the memory of a real racd, each of which once took much more than its clients had a right to.

    accounts.py --racd PATH [--threads 1|3] [--debug] [--small|--full] [ATTACK…]

The daemon must not grow beyond the bound of the attack, which follows from docs/operating.md, "Memory". The daemon must give the
memory back within 10 s after the attackers left. Another client must not wait, as in starvation.py. The exit status is 1
after a breach. A frame of 8 MiB has 8 KiB on the wire, so a few clients and seconds are enough. Python 3.9+, standard
library only.
"""
from attacks import LONG, VALUES, WORKING, attack, main, name, patterns
from rawclient import LongMessage

TEXT = "x" * LONG
LONG_VALUE = LongMessage(value=TEXT)
LONG_ERROR = LongMessage(error={"code": "long", "message": "", "data": TEXT})
LONG_WILL = LongMessage(will={"value": TEXT})
COUNT = 40


@attack("B1")
def wills(crowd):
    """A connection with many long wills."""
    names = [f"will/{number}" for number in range(COUNT * crowd.scale)]
    client = crowd.reader(deflate=True)
    yield
    for channel in names:
        client.send(client.request("bind", long=LONG_WILL, channel=channel))
    yield
    crowd.delete(names)


@attack("B2", grows=VALUES * 1.1 + WORKING, seconds=20.0)
def errors_of_channels(crowd):
    """Channels that fail with long errors."""
    names = [f"failed/{number}" for number in range(170 * min(2, crowd.scale))]
    crowd.set(names)
    client = crowd.reader(deflate=True)
    yield
    for channel in names:
        client.send(client.request("finish", long=LONG_ERROR, channel=channel))
    yield
    crowd.delete(names)


@attack("B3")
def first_values(crowd):
    """A deaf client with a long value in the queue of each of its bindings."""
    names = [f"queue/{number}" for number in range(COUNT * crowd.scale)]
    client, writer = crowd.deaf(), crowd.reader(deflate=True)
    for channel in names:
        client.ask("bind", channel=channel, conflate=False)
    yield
    for channel in names:
        writer.send(writer.request("set", long=LONG_VALUE, channel=channel),
                    writer.request("set", channel=channel, value=1))


@attack("B4")
def ends_of_executions(crowd):
    """A deaf caller whose executions end with long errors."""
    count = COUNT * crowd.scale
    caller, host = crowd.deaf(), crowd.deaf(deflate=True)
    host.ask("host", command="long", concurrent=True)
    caller.send(*(caller.request("exec", command="long") for _ in range(count)))
    executions = [host.read("execute")["x"] for _ in range(count)]
    host.listen()
    yield
    for x in executions:
        host.send(LONG_ERROR.frame(op="error", x=x))
    host.send(host.request("ping"))


@attack("B5")
def observed_errors(crowd):
    """A deaf observer of many commands that end with long errors."""
    count = COUNT * crowd.scale
    observer, host = crowd.deaf(), crowd.deaf(deflate=True)
    for number in range(count):
        host.ask("host", command=f"observed/{number}")
        observer.ask("observe", command=f"observed/{number}")
    caller = crowd.reader()
    caller.send(*(caller.request("exec", command=f"observed/{number}") for number in range(count)))
    executions = [host.read("execute")["x"] for _ in range(count)]
    host.listen()
    yield
    for x in executions:
        host.send(LONG_ERROR.frame(op="error", x=x))
    host.send(host.request("ping"))


@attack("B6")
def patterns_of_channels(crowd):
    """A thousand deaf watches that match every changed channel, and have not reported the first of them yet."""
    names = [name(number) for number in range(10_000 * crowd.scale)]
    crowd.set(names)
    writer = crowd.reader()
    watchers = list(crowd.watchers(patterns(1000), crowd.deaf))
    yield
    for watcher, watches in watchers:
        watcher.send(*watches)
        while watcher.answered < watcher.asked and not crowd.is_over:
            watcher.read()
    crowd.work(writer.send, *(writer.request("set", channel=channel, value=2) for channel in reversed(names)))


@attack("B7")
def backlog_of_watches(crowd):
    """Deaf connections with a thousand watches, while thousands of channels change."""
    names = [name(number) for number in range(3_000 * crowd.scale)]
    writer = crowd.reader()
    for watcher, watches in crowd.watchers(patterns(1000), crowd.deaf):
        watcher.send(*watches)
        while watcher.answered < watcher.asked:
            watcher.read()
    yield
    crowd.work(writer.send, *(writer.request("set", channel=channel, value=1) for channel in names))
    crowd.settle()
    yield
    crowd.delete(names)


@attack("B8", seconds=20.0)
def parts_of_frames(crowd):
    """A deaf client in whose queues wait values that are small parts of long frames."""
    part, rest = "x" * 70_000, TEXT[:-80_000]
    names = [f"part/{number}" for number in range(10 * crowd.scale)]
    client, writer = crowd.deaf(), crowd.reader(deflate=True)
    for channel in names:
        client.ask("bind", channel=channel, conflate=False)
    yield
    for channel in names:
        put = LongMessage(set=[{"channel": channel, "value": part}, {"channel": "rest", "value": rest}])
        writer.send(*(writer.request("put", long=put) for _ in range(14)))
    yield
    crowd.delete_all("part/**")
    crowd.delete(["rest"])


if __name__ == "__main__":
    main(__doc__)
