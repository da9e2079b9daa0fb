#!/usr/bin/env python3
"""Kills a racd again and again while clients write, and checks its values after each start. Python 3.9+, standard library only.

    killing.py --racd PATH [--rounds N] [--seed N]

In each round some clients write with `sync`, each one change after the other. After a random number of answers racd gets a
SIGKILL, now and then a SIGTERM, and sometimes a SIGKILL while it starts.

After each start a channel must have its last acknowledged change, or the change that was under way then. The first new revision
must be above all that clients have seen. The last line has the figures; the exit status is 1 if a promise was broken.
"""
import argparse, asyncio, os, random, signal, subprocess, sys, tempfile
from harness import Client, Fault, Lost, Racd
from writers import Writer, shown

WRITERS = 6


async def write(client, writer, answers):
    try:
        while True:
            await writer.run(client, 1)
            answers.append(writer)
    except Lost:
        pass


async def look(client, writers):
    """Checks that each acknowledged change is there, and no value that no client wrote."""
    for writer in writers:
        state, possible = await writer.standing(client), writer.possible(float("inf"))
        if state not in possible:
            raise Fault(f"{writer.channels} stand as {shown(state)}, not as one of {[shown(one) for one in possible]}")
        writer.found(state)
    told = max((rev for writer in writers for _, rev in writer.revisions), default=0)
    revision = (await client.ask("set", channel="round", value=1))["rev"]
    if revision <= told:
        raise Fault(f"revision {revision} after {told} was told")


async def one_round(options, data, writers, chooser):
    if chooser.random() < 0.2:
        # The kill meets racd at a random place of its start.
        early = subprocess.Popen([options.racd, "serve", "--listen", "127.0.0.1:0", "--data", data],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await asyncio.sleep(chooser.random() * 0.08)
        early.kill()
        early.wait()
    racd = await Racd.started(options.racd, data)
    try:
        checker = await Client.connected(racd.port)
        await look(checker, writers)
        clients = [await Client.connected(racd.port) for _ in writers]
        answers, until = [], chooser.choice((0, 1, 5, 20, 100, 300))
        writing = [asyncio.create_task(write(*both, answers)) for both in zip(clients, writers)]
        while len(answers) < until:
            await asyncio.sleep(0)
        number = signal.SIGTERM if chooser.random() < 0.15 else signal.SIGKILL
        status = await racd.end(number)
        if status != (0 if number == signal.SIGTERM else -signal.SIGKILL):
            raise Fault(f"racd ended with {status} of signal {number}: {racd.errors()}")
        await asyncio.gather(*writing)
        return len(answers)
    except asyncio.TimeoutError:
        raise Fault(f"racd does not answer, but\n{racd.doing()}")
    finally:
        if racd.is_running:
            await racd.end(signal.SIGKILL)


async def main(options):
    print(f"killing: {options.rounds} rounds, seed {options.seed}", flush=True)
    chooser, writers, answers = random.Random(options.seed), [Writer(number, options.seed) for number in range(WRITERS)], 0
    with tempfile.TemporaryDirectory(prefix="rac-killing-") as folder:
        for number in range(options.rounds):
            try:
                answers += await one_round(options, os.path.join(folder, "data"), writers, chooser)
            except Fault as fault:
                print(f"broken in round {number}: {fault}")
                return 1
    print(f"killing: {options.rounds} rounds, {answers} answers to sync writes, all there")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    sys.exit(asyncio.run(main(parser.parse_args())))
