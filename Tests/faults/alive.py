#!/usr/bin/env python3
"""Live clients under the worst mix of attacks: a real racd must never take them for lost.

    alive.py --racd PATH [--threads 1|3] [--seconds N]

Processes run attacks of starvation.py and accounts.py side by side, again and again. One live client pings all the time,
another one only answers racd's pings. Both leave a will. A lost connection or an applied will is a breach, and the exit status
is 1 then. Waits are printed and not judged. From 25 s on the silent client must have heard a ping. Python 3.9+, standard
library only.
"""
import argparse, asyncio, resource, sys, time
import accounts, starvation
from attacks import Attackers, Verdict, attack
from harness import PATIENCE, Fault, Lost, Racd, Refused
from otherclient import OtherClient
from rawclient import RawClient

WILL = "silent/will"
HEARTBEAT = 20.0


@attack("A2*", seconds=float("inf"))
def longest_lists(crowd):
    """As many slow lists as sixteen connections may have under way: more than a minute of work."""
    crowd.set(f"{number}/" + "a/" * 120 + "a" for number in range(20_000))
    clients = [crowd.reader() for _ in range(16)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("list", pattern="**/" + "a/" * 40 + "zz") for _ in range(100)))


MIX = (longest_lists, starvation.crowds_of_binders, starvation.long_values_of_patterns, starvation.compressed_answers,
       accounts.wills, accounts.first_values)


class SilentClient:
    """A client that only answers pings; its will must not be applied."""

    def __init__(self, port):
        self.port = port
        self.client = RawClient(port)
        self.client.ask("bind", channel=WILL, default="alive", will={"value": "lost"})
        self.client.listen()
        self.begun = time.monotonic()

    def judge(self):
        value = RawClient(self.port).ask("get", channel=WILL)["value"]
        if not self.client.thread.is_alive() or value != "alive":
            raise Fault(f"the silent client is lost, and its channel has {value}")
        if time.monotonic() - self.begun > HEARTBEAT + 5 and not self.client.heard["ping"]:
            raise Fault("the silent client was not asked for a sign of life")
        self.client.close()


def mixed(racd, seconds):
    """Runs the mix, each attack in a process that is started again at its end. The time begins when all are prepared."""
    running = {generator: Attackers(generator, racd.port, 1) for generator in MIX}
    try:
        for attackers in running.values():
            attackers.told(PATIENCE)
        for attackers in running.values():
            attackers.wire.send("go")
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for generator in [generator for generator in MIX if not running[generator].process.is_alive()]:
                running[generator].close()
                running[generator] = Attackers(generator, racd.port, 1)
                running[generator].wire.send("go")
            time.sleep(0.05)
    finally:
        for attackers in running.values():
            attackers.close()


def play(options, threads):
    racd = Racd(options.racd, None, f"--threads={threads}")
    other = None
    try:
        other, silent = OtherClient(racd.port), SilentClient(racd.port)
        mixed(racd, options.seconds)
        waits = other.end()
        silent.judge()
        print(f"alive, threads {threads}: {options.seconds:.0f} s, {Verdict(waits, 0, float('inf'))}; "
              f"{racd.peak() >> 20} MiB at most", flush=True)
        return True
    except (Fault, Lost, Refused, OSError) as fault:
        print(f"broken: alive, threads {threads}: {fault!r}", flush=True)
        return False
    finally:
        if other:
            other.close()
        asyncio.run(racd.end())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--threads", type=int, choices=(1, 3), action="append", help="1 if left out")
    parser.add_argument("--seconds", type=float, default=25.0)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    sys.exit(0 if all([play(options, threads) for threads in options.threads or [1]]) else 1)
