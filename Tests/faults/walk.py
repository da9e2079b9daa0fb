#!/usr/bin/env python3
"""A walk over the operations of protocol.md, each as an attack on a real racd.

    walk.py --racd PATH [--threads 1|3] [--debug] [--small|--full] [OPERATION…]

The examples of protocol.md name the operations. Four clients send each operation of a client: at its largest or as often as
possible, reading or deaf. With --full fifty clients of each kind do so, too. attacks.py judges the waits and the memory, as in
starvation.py and accounts.py. An operation of a client without a step in steps.py is a breach with its name. So is an
operation of the daemon that no client hears. The exit status is 1 after a breach. Python 3.9+, standard library only.
"""
import itertools, pathlib, re, sys
from attacks import CONNECTION, DAEMON, WORKING, arguments, attack, broken
from steps import STEPS, Scene

PROTOCOL = pathlib.Path(__file__).parents[2] / "protocol.md"
# The daemon pings after 20 s of silence: alive.py listens for that. Only a closed daemon says unhosted: transcript 40 hears it.
ELSEWHERE = {"ping", "unhosted"}
CROWD = 50
# The number of neighbours in the large steps of an operation, for all clients of a kind together.
NEIGHBOURS = 100


def operations(side):
    """The operations in the examples of protocol.md: the client's (C) or the daemon's (D)."""
    examples = "".join(re.findall(r"^```rac$(.*?)^```$", PROTOCOL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    return set(re.findall(rf'^{side} {{"op":"(\w+)"', examples, re.MULTILINE))


def put_into_table(operation, count, only_full):
    """Adds an operation to the table of attacks, with `count` clients of each kind."""
    clients = 4 * count * len(STEPS[operation])
    grows = min(clients * CONNECTION, 2 * DAEMON) + clients * 16 + WORKING

    @attack(operation if count == 1 else f"{operation}*{count}", grows, seconds=1.0, only_full=only_full)
    def generator(crowd):
        kinds = itertools.product(STEPS[operation], (True, False), (True, False), range(count))
        ready = []
        for number, (step, large, reads, _) in enumerate(kinds):
            client = crowd.deaf(deflate=True)
            ready.append((client, step(Scene(crowd, client, number, large, NEIGHBOURS // count))))
            if reads:
                client.listen()
        yield
        for client, frames in ready:
            crowd.work(send_all, crowd, client, frames)
        crowd.until(lambda: False)
        yield
        crowd.delete_all("walk/**")
    generator.__name__ = "from one" if count == 1 else f"from {count}"


def send_all(crowd, client, frames):
    while not crowd.is_over and client.send(next(frames)):
        pass


def walk():
    """Runs the walk. The result is the number of breaches."""
    missing = operations("C") - set(STEPS)
    for operation in sorted(missing):
        print(f"broken: {operation} is an operation of protocol.md and has no step in steps.py")
    for operation in STEPS:
        put_into_table(operation, 1, False)
        put_into_table(operation, CROWD, True)
    options = arguments(__doc__)
    count = len(missing) + broken(options)
    unheard = set() if options.names else operations("D") - options.heard - ELSEWHERE
    for operation in sorted(unheard):
        print(f"broken: {operation} is an operation of protocol.md and no client has heard it")
    return count + len(unheard)


if __name__ == "__main__":
    sys.exit(1 if walk() else 0)
