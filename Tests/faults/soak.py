#!/usr/bin/env python3
"""Keeps a racd at work for a long time and checks that it does not grow. Python 3.9+, standard library only.

    soak.py --racd PATH [--minutes 60] [--restarts N] [--seed N]

Clients send requests of all kinds in random order: they set, put, bind, send, watch, unwatch, list, end with completion or
errors, reopen and delete. They leave wills of each kind and name sessions, end in order or without a word, and stop reading
for a while. The work goes on in rounds of one kind. After each round, when all clients have gone, racd is checked:

- It has as many descriptors and threads as after the first round, no bindings, no wills, and keeps nothing for connections.
- Its resident memory is at most an eighth and 16 MiB above that after half of the rounds since its start.

A pattern that outlived its watches would use up the limit of patterns: their names are new in each round. The clients must
have heard every event of the mix, such as the value of a will. Between some rounds racd is restarted, by SIGTERM or SIGKILL, and must still have each value written with `sync`. The program
prints a line now and then, and ends with status 1 if a promise was broken.
"""
import argparse, asyncio, collections, os, random, signal, sys, tempfile, time
from harness import Client, Fault, Lost, Racd, Refused, eventually
from writers import Writer, shown

CLIENTS, CHANNELS, MIB = 20, 300, 1 << 20
WILLS = ({"value": "will"}, {"completed": True}, {"error": {"code": "will", "message": "", "data": "x" * 20_000}})
# Events that the mix brings to some client.
EVENTS = {"next", "completed", "error", "ack", "nak", "changed", "synced", "a value as a will", "an error as a will"}


class Worker:
    """A client that sends one request after another."""

    def __init__(self, port, chooser):
        self.port, self.random, self.count, self.heard = port, chooser, 0, collections.Counter()
        self.terminals, self.watches = {}, []

    async def work(self, steps):
        for _ in range(steps):
            session = {"session": f"soak-{self.random.randrange(50)}"} if self.random.random() < 0.3 else {}
            try:
                client = await Client.connected(self.port, deflate=self.random.random() < 0.3, **session)
            except (Lost, Refused, OSError):
                continue
            self.terminals, self.watches = {}, []
            try:
                for _ in range(self.random.randrange(1, 60)):
                    await self.step(client)
                    self.count += 1
            except Lost:
                # Another worker took the session over.
                pass
            if self.random.random() < 0.5:
                client.send(op="bye")
            client.close()

    def channel(self):
        return f"soak/{self.random.randrange(CHANNELS)}"

    def value(self):
        return "x" * self.random.choice((1, 10, 100, 1_000, 20_000))

    def error(self):
        data = self.random.choice(({}, {"data": self.value()}))
        return {"code": "soaked", "message": "", **data}

    def pattern(self):
        """A pattern that many clients watch, or one that is new in each round."""
        new = f"soak/{self.random.randrange(CHANNELS)}/{self.random.randrange(1 << 30)}"
        return self.random.choice(("**", "soak/*", "soak/**", "**/*", f"soak/{self.random.randrange(CHANNELS)}",
                                   new + "/**", f"**/{new}/*", f"soak/**/{self.random.randrange(CHANNELS)}"))

    async def step(self, client):
        name = self.random.choice(("set", "set", "set", "put", "bind", "bind", "send", "send", "send", "watch", "watch",
                                   "unwatch", "unwatch", "list", "get", "finish", "fail", "reopen", "reopen", "reopen",
                                   "delete", "create", "unbind", "doze"))
        try:
            await getattr(self, name)(client)
        except Refused as refused:
            if refused.code in ("storage", "limit", "shutting-down", "bad-message"):
                raise Fault(f"{name} is refused: {refused}")
        while not client.events.empty():
            self.hear(client.events.get_nowait())

    def hear(self, event):
        if event is None:
            raise Lost()
        self.heard[event["op"]] += 1
        if event.get("value") == "will":
            self.heard["a value as a will"] += 1
        if event["op"] in ("error", "changed") and event.get("error", {}).get("code") == "will":
            self.heard["an error as a will"] += 1

    async def set(self, client):
        await client.ask("set", channel=self.channel(), value=self.value(), sync=self.random.random() < 0.2)

    async def put(self, client):
        names = {self.channel() for _ in range(5)}
        await client.ask("put", set=[{"channel": name, "value": self.value()} for name in names])

    async def bind(self, client):
        will = self.random.choice(({}, {}, {}, *({"will": will} for will in WILLS)))
        interval = self.random.choice(({}, {"interval": 50}))
        bound = await client.ask("bind", channel=self.channel(), role=self.random.choice(("leading", "following")),
                                 conflate=self.random.random() < 0.5, **will, **interval)
        self.terminals[bound["t"]] = bound["n"]

    async def send(self, client):
        self.send_into_terminal(client, op="next", value=self.value())

    async def fail(self, client):
        self.send_into_terminal(client, op="error", error=self.error())

    def send_into_terminal(self, client, **message):
        if self.terminals:
            terminal = self.random.choice(list(self.terminals))
            self.terminals[terminal] += 1
            client.send(t=terminal, n=self.terminals[terminal], **message)

    async def doze(self, client):
        """Writes without reading, so that what the client should hear waits at racd."""
        client.writer.transport.pause_reading()
        for _ in range(self.random.randrange(100)):
            await self.send(client)
            client.last_id += 1
            client.send(op="set", id=client.last_id, channel=self.channel(), value=self.value())
        await asyncio.sleep(self.random.random() / 50)
        client.writer.transport.resume_reading()

    async def unbind(self, client):
        if self.terminals:
            await client.ask("unbind", t=self.terminals.popitem()[0])

    async def watch(self, client):
        self.watches.append((await client.ask("watch", pattern=self.pattern()))["w"])

    async def unwatch(self, client):
        if self.watches:
            await client.ask("unwatch", w=self.watches.pop(self.random.randrange(len(self.watches))))

    async def list(self, client):
        await client.ask("list", limit=100)

    async def get(self, client):
        await client.ask("get", channel=self.channel())

    async def finish(self, client):
        error = self.random.choice(({}, {"error": self.error()}))
        await client.ask("finish", channel=self.channel(), **error)

    async def reopen(self, client):
        await client.ask("reopen", channel=self.channel())

    async def delete(self, client):
        await client.ask("delete", channel=self.channel())

    async def create(self, client):
        await client.ask("create", channel=self.channel(), mode=self.random.choice(("shared", "paired")))


class Soak:
    def __init__(self, options, folder):
        self.options, self.data = options, os.path.join(folder, "data")
        self.random = random.Random(options.seed)
        self.writers = [Writer(number, options.seed) for number in range(2)]
        self.racd, self.used, self.count, self.restarts = None, [], 0, 0
        self.heard = collections.Counter()

    async def start(self):
        self.racd, self.used = await Racd.started(self.options.racd, self.data), []
        client = await Client.connected(self.racd.port)
        for writer in self.writers:
            state, possible = await writer.standing(client), writer.possible(float("inf"))
            if state not in possible:
                raise Fault(f"after a restart {writer.channels} stand as {shown(state)}")
            writer.found(state)
        client.close()

    async def round(self, steps):
        workers = [Worker(self.racd.port, random.Random(self.random.random())) for _ in range(CLIENTS)]
        clients = [await Client.connected(self.racd.port) for _ in self.writers]
        await asyncio.gather(*(worker.work(steps) for worker in workers),
                             *(writer.run(client, steps) for writer, client in zip(self.writers, clients)))
        for worker in workers:
            self.count += worker.count
            self.heard += worker.heard
        for client in clients:
            client.close()
        await self.look()

    async def look(self):
        """Checks that racd keeps nothing of clients that have gone."""
        async def is_alone():
            client = await Client.connected(self.racd.port)
            kept = [(await client.ask("get", channel=f"$sys/{name}"))["value"]
                    for name in ("bindings", "memory/wills", "memory/connections", "connections")]
            client.close()
            return kept[:3] == [0, 0, 0] and kept[3] <= 1
        await eventually("bindings, wills and connections are gone", is_alone)
        used = (self.racd.descriptors(), self.racd.threads(), self.racd.resident())
        self.used.append(used)
        first, half = self.used[0], self.used[len(self.used) // 2]
        # A connection that is just closing may still have descriptors.
        if used[0] > first[0] + 2:
            raise Fault(f"{used[0]} descriptors, {first[0]} after the first round")
        if used[1] > first[1] + 4:
            raise Fault(f"{used[1]} threads, {first[1]} after the first round")
        if used[2] > half[2] * 9 // 8 + 16 * MIB:
            raise Fault(f"{used[2] / MIB:.0f} MiB resident, {half[2] / MIB:.0f} after half of the rounds")

    async def restart(self):
        number = self.random.choice((signal.SIGTERM, signal.SIGKILL))
        status = await self.racd.end(number)
        if status != (0 if number == signal.SIGTERM else -signal.SIGKILL):
            raise Fault(f"racd ends with {status}: {self.racd.errors()}")
        self.restarts += 1
        await self.start()

    async def run(self):
        begin = told = time.monotonic()
        end = begin + 60 * self.options.minutes
        await self.start()
        number = 0
        while time.monotonic() < end:
            await self.round(self.options.steps)
            number += 1
            if time.monotonic() > told + 60:
                told = time.monotonic()
                self.tell()
            due = (time.monotonic() - begin) / (end - begin) * (self.options.restarts + 1)
            if self.restarts < min(int(due), self.options.restarts):
                self.tell()
                await self.restart()
        self.tell()
        status = await self.racd.end()
        if status != 0:
            raise Fault(f"racd ends with {status}: {self.racd.errors()}")
        if missing := EVENTS - set(self.heard):
            raise Fault(f"no client has heard {', '.join(sorted(missing))}")
        return number

    def tell(self):
        descriptors, threads, resident = self.used[-1]
        print(f"soak: {self.count} steps, {len(self.used)} rounds since the start; {resident / MIB:.1f} MiB resident, "
              f"{descriptors} descriptors, {threads} threads", flush=True)


async def main(options):
    print(f"soak: {options.minutes:g} minutes, seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="rac-soak-") as folder:
        soak = Soak(options, folder)
        try:
            rounds = await soak.run()
        except Fault as fault:
            print(f"broken: {fault}")
            return 1
        finally:
            if soak.racd is not None and soak.racd.is_running:
                await soak.racd.end(signal.SIGKILL)
    heard = ", ".join(f"{event} {count}" for event, count in soak.heard.most_common() if event in EVENTS)
    print(f"soak: {rounds} rounds, {soak.count} steps, {soak.restarts} restarts: nothing grew and nothing was lost; heard {heard}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--restarts", type=int, default=4)
    parser.add_argument("--steps", type=int, default=1, help="how many connections each client makes in a round")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    sys.exit(asyncio.run(main(parser.parse_args())))
