#!/usr/bin/env python3
"""A closed racd: rights on every kind of address, TLS on the wire, renewal, bad handshakes, secrets. Python 3.9+.

    access.py --racd PATH [--racctl PATH] [--full] [SCENE …]

Each scene starts a real racd with a configuration file, with certificates that openssl makes for the run:

- rights: each operation, granted, not granted and denied, for each kind of name, over TCP, TLS and a Unix socket.
- renewal: 1000 bound clients, while the file is read again 50 times and the certificate is renewed.
- wire: a relay reads each byte between clients and an address with TLS, and finds no name, value or token.
- handshakes: clients that begin badly, slowly or all at once, while a good client is served.
- certificates: clients and pages by a certificate that ends, or whose authority is replaced.
- floods: connections that show no proof take all places, while rules and tokens change.
- files: faults of certificates, keys and the configuration, each of which has one clear line.
- secrets: all output of racd at the level trace, and of racctl, has no token, key, value or session.

The program prints a line per scene, and ends with status 1 if a promise was broken. --full makes the crowds larger.
"""
import argparse, asyncio, contextlib, itertools, json, os, pathlib, re, resource
import signal, socket, ssl, struct, subprocess, sys, tempfile, time, warnings

from closed import CLIENT, ROOT, VERBS, Authority, Closed, digest, principal, role, table
from harness import PATIENCE, TLS_HOST, Client, Fault, Lost, Refused, eventually, frame

SCENES = {}


def scene(function):
    SCENES[function.__name__] = function
    return function


def expect(condition, what):
    if not condition:
        raise Fault(what)


@contextlib.asynccontextmanager
async def running(options, folder, *tables, arguments=(), data=None):
    """A closed racd with these tables, which has to end in order."""
    closed = Closed(folder, *tables)
    await closed.start(options.racd, *arguments, data=data)
    try:
        yield closed
        expect(closed.racd.is_running, f"racd has ended: {closed.racd.errors()}")
    finally:
        status = await closed.racd.end()
    expect(status == 0, f"racd ends with {status}: {closed.racd.errors()}")


def listener(files, **keys):
    return table("listen", address=f"{TLS_HOST}:0", certificate=files[0], key=files[1], **keys)


# Rights.

class People:
    """Principals with roles of different kinds, and a naive judge of their rights."""

    def __init__(self):
        self.rules = {}
        for verb in VERBS:
            others = {other: ["**"] for other in VERBS if other != verb}
            base = {} if verb == "read" else {"read": ["own/*", "hall/*"]}
            for kind, patterns, deny in (
                ("user", ["own/{user}"], ()),
                ("wild", ["own/*"], ()),
                ("denied", ["**"], ("own/{user}", "hall/lamp")),
            ):
                self.rules[f"{verb}-{kind}"] = ({**base, verb: patterns}, deny)
            self.rules[f"{verb}-lacking"] = (others, ())
        self.rules["system"] = ({"read": ["$sys/*"]}, ())
        self.rules["nothing"] = ({}, ())

    def tables(self):
        for name, (grants, deny) in self.rules.items():
            yield role(name, grants, [*deny, "vault/**"]) + principal(name)

    def may(self, name, verb, channel):
        """Whether a principal has a right, worked out from the rules alone."""
        grants, deny = self.rules[name]
        if any(self.matches(pattern, name, channel) for pattern in [*deny, "vault/**"]):
            return False
        return any(self.matches(pattern, name, channel) for pattern in grants.get(verb, ()))

    @staticmethod
    def matches(pattern, name, channel):
        pattern, segments = pattern.split("/"), channel.split("/")
        if channel.startswith("$") and not pattern[0].startswith("$"):
            return False
        if pattern == ["**"]:
            return True
        if pattern[-1] == "**":
            return segments[:len(pattern) - 1] == pattern[:-1]
        return len(pattern) == len(segments) and all(
            part in ("*", segment) or (part == "{user}" and segment == name) for part, segment in zip(pattern, segments))


# Each probe: what a client asks, and the verbs that protocol.md demands of it. The last ones end what the first ones need.
def request(op, key="channel", **keys):
    async def ask(client, name):
        answer = await client.ask(op, **{key: name}, **keys)
        if op == "bind":
            await client.ask("unbind", t=answer["t"])
    return ask


def put(**entry):
    async def ask(client, name):
        return await client.ask("put", set=[{"channel": name, **entry}])
    return ask


def sent(role, **event):
    """A send through a new binding."""
    async def ask(client, name):
        bound = await client.ask("bind", channel=name, role=role)
        terminal = bound["t"]
        client.events = asyncio.Queue()
        client.send(t=terminal, n=bound.get("n", 0) + 1, **event)
        await client.ask("ping")
        told = []
        while not client.events.empty():
            told.append(client.events.get_nowait())
        with contextlib.suppress(Refused):
            await client.ask("unbind", t=terminal)
        for event_ in told:
            if event_["op"] == "nak":
                raise Refused(event_)
    return ask


FOLLOWING, LEADING = "following", "leading"
ERROR = {"code": "c", "message": "m"}
PROBES = [
    ("get", ("read",), request("get")),
    ("bind", ("read",), request("bind")),
    ("who", ("read",), request("who")),
    ("put to compare", ("read",), put(**{"if": 0})),
    ("bind leading", ("lead",), request("bind", role=LEADING)),
    ("bind with default", ("read", "write"), request("bind", default=1)),
    ("bind with a value as will", ("read", "write"), request("bind", will={"value": 1})),
    ("bind with an end as will", ("read", "manage"), request("bind", will={"completed": True})),
    ("bind leading with default", ("lead",), request("bind", default=1, role=LEADING)),
    ("bind leading with an end as will", ("lead", "manage"), request("bind", role=LEADING, will={"completed": True})),
    ("next", ("read", "write"), sent(FOLLOWING, op="next", value=1)),
    ("next leading", ("lead",), sent(LEADING, op="next", value=1)),
    ("set", ("write",), request("set", value=1)),
    ("set leading", ("lead",), request("set", value=1, role=LEADING)),
    ("put", ("write",), put(value=1)),
    ("exec", ("exec",), request("exec", key="command")),
    ("observe", ("observe",), request("observe", key="command")),
    ("host", ("host",), request("host", key="command")),
    ("forget", ("host",), request("forget", key="command")),
    ("create", ("manage",), request("create")),
    ("completed", ("read", "manage"), sent(FOLLOWING, op="completed")),
    ("error", ("read", "manage"), sent(FOLLOWING, op="error", error=ERROR)),
    ("finish", ("manage",), request("finish")),
    ("reopen", ("manage",), request("reopen")),
    ("delete", ("manage",), request("delete")),
]


async def probe(client, ask, name):
    """The code of the refusal and its message; none if the probe was not refused."""
    try:
        await ask(client, name)
        return None, ""
    except Refused as refused:
        return refused.code, refused.answer["error"]["message"]


async def lists(people, name, client, channels):
    """A list, a watch and a list of commands show a principal the names that it may read, or use, and no other."""
    readable = {channel for channel in channels if channel[0] != "$" and people.may(name, "read", channel)}
    listed = {entry["channel"] for entry in (await client.ask("list"))["channels"]}
    expect(listed == readable, f"{name} is told the list {sorted(listed)}, not {sorted(readable)}")
    watch = (await client.ask("watch", pattern="**"))["w"]
    seen = set()
    while (event := await client.event())["op"] != "synced":
        seen.add(event["channel"])
    expect(seen == readable, f"{name} watches {sorted(seen)}, not {sorted(readable)}")
    await client.ask("unwatch", w=watch)
    hosted = {"hall/lamp", "vault/x"}
    usable = {command for command in hosted if people.may(name, "exec", command) or people.may(name, "observe", command)}
    told = {entry["command"] for entry in (await client.ask("commands"))["commands"]} & hosted
    expect(told == usable, f"{name} is told the commands {sorted(told)}, not {sorted(usable)}")


async def offers(options, closed, name, command):
    """The words that a shell offers behind a command of racctl to a principal, at Tab."""
    token = kept(closed.folder, "token", name + "\n")
    server = ["--timeout", "60", "--server", f"unix:{closed.socket}", "--token-file", token]
    status, output, errors = await run(
        options.racctl, "---complete", "bash", " ", command, *server, "", folder=closed.folder)
    expect(status == 0 and not errors and output[0] in ("words", "open"), f"completion: {status} {output} {errors}")
    return {word for word in output[1:] if "*" not in word}


async def judge(people, name, connect, root, channel):
    """Holds each probe of a principal and a channel against the naive judge; gives the number of probes."""
    client, count = await connect(token=name), 0
    for title, verbs, ask in PROBES:
        code, message = await probe(client, ask, channel)
        is_granted = all(people.may(name, verb, channel) for verb in verbs)
        if channel.startswith("$") and verbs != ("read",):
            is_granted = False
        count += 1
        expect((code != "forbidden") == is_granted, f"{title} of {channel} by {name}: {code or 'not refused'} {message}")
        if channel.startswith("vault/"):
            other = (await probe(client, ask, "vault/none"))[1]
            expect(other == message.replace(channel, "vault/none"), f"{title}: '{message}' and '{other}'")
    code, _ = await probe(client, lambda client, _: client.ask("who"), channel)
    expect(code == "forbidden", f"who of {name}: {code}")
    client.close()
    return count


@scene
async def rights(options, folder):
    """Each operation needs its verbs for its name, on each kind of address, and a refusal does not reveal what exists."""
    authority, people = Authority(folder), People()
    tables = [
        table("listen", address="127.0.0.1:0"), listener(authority.sign("racd")),
        table("listen", address=f"unix:{folder}/socket"), ROOT, *people.tables()]
    total = 0
    async with running(options, folder, *tables) as closed:
        root, host = [await Client.connected(closed.racd.port, token="root") for _ in range(2)]
        await root.ask("put", set=[{"channel": "vault/x", "value": 0}])
        for command in ("vault/x", "hall/lamp"):
            await host.ask("host", command=command)
        vault, trust = await root.ask("get", channel="vault/x"), authority.trust()
        every = list(people.rules)
        half = (every, every) if options.full else (every[::2], every[1::2])
        for connect, names in (
            (lambda **hello: Client.connected(closed.racd.port, **hello), every),
            (lambda **hello: Client.connected(closed.racd.tls_port, tls=trust, **hello), half[0]),
            (lambda **hello: Client.connected(closed.socket, **hello), half[1]),
        ):
            for name in names:
                channels = [f"own/{name}", "own/other", "hall/lamp"]
                await root.ask("put", set=[{"channel": channel, "value": 0} for channel in channels])
                client = await connect(token=name)
                await lists(people, name, client, [*channels, "vault/x"])
                client.close()
                for channel in [*channels, "vault/x", "$sys/version"]:
                    total += await judge(people, name, connect, root, channel)
                for entry in (await root.ask("list", pattern="own/**"))["channels"] + [{"channel": "hall/lamp"}]:
                    with contextlib.suppress(Refused):
                        await root.ask("delete", channel=entry["channel"])
        expect(vault == {**await root.ask("get", channel="vault/x"), "id": vault["id"]}, "a denied channel was changed")
        expect(not (await root.ask("who", channel="vault/x"))["who"], "a denied channel was bound")
        channels = ["own/read-user", "own/other", "hall/lamp"]
        await root.ask("put", set=[{"channel": channel, "value": 0} for channel in channels])
        for name in ("read-user", "read-wild", "read-denied", "read-lacking", "nothing"):
            words = await offers(options, closed, name, "get")
            expect(words == {channel for channel in channels if people.may(name, "read", channel)},
                   f"a shell offers {sorted(words)} to {name}")
        for name, words in (("manage-lacking", {"hall/lamp"}), ("exec-denied", set()), ("nothing", set())):
            found = {word for word in await offers(options, closed, name, "exec") if not word.startswith("own/")}
            expect(found == words, f"a shell offers the commands {sorted(found)} to {name}")
        root.close()
        host.close()
    return f"{total} questions of {len(people.rules)} principals over TCP, TLS and a Unix socket"


# Renewal.

class Member:
    """A client that is bound to the feed, and keeps what it hears."""

    def __init__(self, name, client, terminal):
        self.name, self.client, self.terminal = name, client, terminal
        self.values, self.other = [], []
        self.ended = asyncio.create_task(self.hear())

    async def hear(self):
        with contextlib.suppress(Lost):
            while True:
                event = await self.client.events.get()
                if event is None:
                    return
                if event["op"] == "next" and not self.other:
                    self.values.append(event["value"])
                else:
                    self.other.append(event)


class Renewing:
    """The course of the scene: what holds after each reading."""

    PEOPLE, ROUNDS = 20, 50

    def __init__(self, files):
        self.files = files
        self.removed, self.refused, self.extra = {}, {}, 0

    def tables(self, *faults):
        yield from faults
        yield table("listen", address="127.0.0.1:0")
        yield listener(self.files)
        yield ROOT
        for number in range(self.PEOPLE):
            name = f"p{number}"
            grants = {} if name in self.refused else {"read": ["feed", *[f"more/{self.extra}"] * (number % 2)]}
            if name not in self.removed:
                yield role(name, grants) + principal(name)


def put_in_place(files, new):
    """Puts the files of a certificate into the place of others, as programs that renew certificates do."""
    for old, fresh in zip(files, new):
        with open(fresh, "rb") as source, open(old + ".new", "wb") as target:
            os.chmod(old + ".new", 0o600)
            target.write(source.read())
        os.rename(old + ".new", old)


@scene
async def renewal(options, folder):
    """Clients whose rights stand miss nothing while the file is read 50 times; the others are notified, and go."""
    authorities = [Authority(folder), Authority(folder)]
    files = authorities[0].sign("racd")
    fresh = [authority.sign("fresh") for authority in authorities]
    course = Renewing(files)
    values = 10 if options.full else 1
    async with running(options, folder, *course.tables()) as closed:
        racd, trust = closed.racd, authorities[0].trust()
        root = await Client.connected(racd.port, token="root")
        await root.ask("create", channel="feed", mode="paired")

        async def member(number):
            name = f"p{number % course.PEOPLE}"
            client = await Client.connected(racd.tls_port, tls=trust, token=name)
            return Member(name, client, (await client.ask("bind", channel="feed"))["t"])
        members = []
        for start in range(0, options.crowd, 50):
            members += await asyncio.gather(*(member(number) for number in range(start, start + 50)))

        sent, readings, faults, current = 0, 0, 0, 0
        for turn in range(1, course.ROUNDS + 1):
            course.extra = turn
            if turn % 10 == 3:
                course.refused[f"p{turn // 10}"] = sent
            elif turn % 10 == 6:
                course.removed[f"p{turn // 10 + 10}"] = sent
            elif turn % 10 == 0:
                current = (current + 1) % 2
                put_in_place(files, fresh[current])
            is_bad = turn % 10 == 8
            closed.write(*course.tables(*(["threads = 0"] if is_bad else [])))
            racd.signal(signal.SIGHUP)
            if is_bad:
                faults += 1
                await eventually("a fault", lambda: racd.logged().count("the configuration was not taken") == faults)
            else:
                readings += 1
                await eventually("a reading", lambda: racd.logged().count("the configuration was read again") == readings)
            # New rules hold for a connection when it is judged, some turns after they were taken.
            gone = [one for one in members if one.name in (*course.refused, *course.removed)]
            await eventually("the end of what is not allowed", lambda: all(one.other for one in gone))
            for _ in range(values):
                sent += 1
                await root.ask("set", channel="feed", role="leading", value=sent)
            if turn % 10 == 0:
                await eventually("a certificate", lambda: racd.logged().count("took a certificate") == turn // 10)
                for number, authority in enumerate(authorities):
                    try:
                        (await Client.connected(racd.tls_port, tls=authority.trust(), token="root")).close()
                        expect(number == current, "a new connection gets the earlier certificate")
                    except ssl.SSLCertVerificationError:
                        expect(number != current, "a new connection does not get the new certificate")

        for one in members:
            before = course.refused.get(one.name, course.removed.get(one.name, sent))
            if one.name in course.removed:
                await asyncio.wait_for(one.ended, PATIENCE)
            else:
                await one.client.ask("ping")
                await eventually(f"the values of {one.name}", lambda: len(one.values) >= before or one.other)
            expect(one.values == list(range(1, before + 1)), f"{one.name} is told {one.values[-3:]} of {before}")
            codes = [(event["op"], event["error"]["code"]) for event in one.other]
            if one.name in course.removed:
                expect(codes == [("refused", "unauthenticated")], f"{one.name} is told {one.other}")
            elif one.name in course.refused:
                expect(codes == [("error", "forbidden")] and "rev" not in one.other[0], f"{one.name} is told {one.other}")
            else:
                expect(codes == [], f"{one.name} is told {one.other}")
            one.ended.cancel()
            one.client.close()
        root.close()
    ended = f"{len(course.refused) + len(course.removed)} of {course.PEOPLE} principals lost rights"
    return f"{len(members)} clients, {course.ROUNDS} readings, {sent} values; {ended}"


# Wire.

def old_version(authority):
    """The context of a client that speaks TLS 1.1 only."""
    context = authority.trust()
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


class Relay:
    """Stands between clients and racd, and keeps each byte that passes: a stream for each direction of a connection."""

    def __init__(self, host, port):
        self.host, self.target, self.streams = host, port, []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, self.host, 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection(self.host, self.target)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))

    async def carry(self, reader, writer):
        kept = bytearray()
        self.streams.append(kept)
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                kept += data
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.close()

    def saw(self, *words):
        return [word for word in words if any(word.encode() in stream for stream in self.streams)]

    def expect_records(self, when):
        """Each byte belongs to a record of TLS, and once a handshake is over all records are encrypted ones."""
        for stream in self.streams:
            at, kinds = 0, []
            while at + 5 <= len(stream):
                kind, version, length = struct.unpack_from(">BHH", stream, at)
                expect(kind in (20, 21, 22, 23) and version >> 8 == 3 and length <= (1 << 14) + 256,
                       f"{when}: bytes {bytes(stream[at:at + 20])} are no record of TLS")
                kinds.append(kind)
                at += 5 + length
            if 23 in kinds:
                expect(set(kinds[kinds.index(23):]) <= {20, 23}, f"{when}: records of kinds {kinds}, not all encrypted")


@scene
async def wire(options, folder):
    """No name, value, session or token can be read between a client and an address with TLS, whatever happens."""
    authority, other = Authority(folder), Authority(folder)
    words = ["secret-name", "secret-value", "secret-session", "secret-token", "secret-guess", "secret-agent", '"op"', "racd/"]
    tables = [table("listen", address="127.0.0.1:0"),
              listener(authority.sign("racd"), client_ca=authority.file, clients="optional"),
              role("all", {verb: ["**"] for verb in VERBS}), principal("secret-name", "all", token="secret-token")]
    stranger = other.sign("stranger", CLIENT)
    async with running(options, folder, *tables) as closed, Relay(TLS_HOST, closed.racd.tls_port) as relay, \
            Relay("127.0.0.1", closed.racd.port) as plain:
        def unread(when):
            expect(not relay.saw(*words), f"{when}: {relay.saw(*words)} can be read")
            relay.expect_records(when)
        hello = {"token": "secret-token", "agent": "secret-agent"}

        async def connected(number=0, tls=authority.trust()):
            return await Client.connected(relay.port, tls=tls, session=f"secret-session-{number}", **hello)
        open_one = await Client.connected(plain.port, session="secret-session", **hello)
        await open_one.ask("set", channel="secret-name", value="secret-value")
        missed = set(words) - set(plain.saw(*words)) - {"secret-guess"}
        expect(not missed, f"the relay does not see {missed} where there is no TLS")

        first = await connected()
        unread("at the start")
        guess = asyncio.create_task(Client.connected(relay.port, tls=authority.trust(), token="secret-guess"))
        old = old_version(authority)
        for tls in (other.trust(), old, authority.trust(*stranger)):
            try:
                await connected(9, tls)
                raise Fault("a bad handshake gets through")
            except (ssl.SSLError, Lost, OSError):
                pass
        unread("when handshakes fail")
        try:
            await guess
            raise Fault("a guess gets through")
        except Refused as refused:
            expect(refused.code == "unauthenticated", f"a guess gets {refused.code}")
        unread("when a token is refused")

        async def load(number):
            client = await connected(number + 1)
            with contextlib.suppress(Lost, Refused):
                await client.ask("bind", channel="secret-name/0")
                for turn in itertools.count():
                    await client.ask("set", channel=f"secret-name/{number}", value=f"secret-value {turn} " * (turn % 50))
                    load.turns += 1
            return client
        load.turns = 0
        loads = [asyncio.create_task(load(number)) for number in range(8)]
        long = "secret-value " * 200_000
        await first.ask("set", channel="secret-name/long", value=long)
        expect((await first.ask("get", channel="secret-name/long"))["value"] == long, "a long value is another one")
        await eventually("load", lambda: load.turns > 400)
        unread("under load")
        closed.racd.signal(signal.SIGTERM)
        for task in loads:
            (await asyncio.wait_for(task, PATIENCE)).close()
        expect(await closed.racd.end() == 0, f"racd does not end in order: {closed.racd.errors()}")
        unread("at the end")
        # The next one ends with the scene.
        await closed.start(options.racd)
        return f"{sum(map(len, relay.streams)) >> 10} KiB of {len(relay.streams) // 2} connections, {load.turns} values"


# Handshakes.

def client_hello(context):
    """The first bytes of a client of TLS."""
    outgoing = ssl.MemoryBIO()
    side = context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        side.do_handshake()
    return outgoing.read()


async def by_single_bytes(port, context, token):
    """A whole handshake, a hello and a request whose bytes travel alone; gives the answer to the request."""
    reader, writer = await asyncio.open_connection(TLS_HOST, port)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    side = context.wrap_bio(incoming, outgoing, server_hostname="localhost")

    async def drip():
        for byte in outgoing.read():
            writer.write(bytes([byte]))
            await asyncio.sleep(0)

    async def step(action):
        while True:
            try:
                return action()
            except ssl.SSLWantReadError:
                await drip()
                data = await asyncio.wait_for(reader.read(1 << 14), PATIENCE)
                expect(data, "racd ends a handshake of single bytes")
                incoming.write(data)
            finally:
                await drip()
    await step(side.do_handshake)
    heard = b""
    for message in ({"op": "hello", "version": 1, "token": token}, {"op": "get", "id": 1, "channel": "good"}):
        await step(lambda: side.write(frame(message)))
        while len(heard) < 4 or len(heard) < 4 + struct.unpack_from(">I", heard)[0]:
            heard += await step(lambda: side.read(1 << 14))
        length, = struct.unpack_from(">I", heard)
        answer, heard = json.loads(heard[4:4 + length]), heard[4 + length:]
    writer.close()
    return answer


async def raw(port, data, ends=False, host=TLS_HOST):
    """All that racd says to these bytes until it ends the connection."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(data)
    if ends:
        writer.write_eof()
    try:
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(-1), PATIENCE)
        return b""
    finally:
        writer.close()


@scene
async def handshakes(options, folder):
    """Clients that begin badly, slowly or all at once: each gets one line of the log, and a good client is served."""
    authority = Authority(folder)
    tables = [table("listen", address="127.0.0.1:0"), listener(authority.sign("racd")), ROOT]
    async with running(options, folder, *tables) as closed:
        racd, trust = closed.racd, authority.trust()
        good = await Client.connected(racd.tls_port, tls=trust, token="root")
        await good.ask("set", channel="good", value=0)
        served = 0

        async def serve():
            nonlocal served
            while True:
                await good.ask("set", channel="good", value=served)
                served += 1
                await asyncio.sleep(0.002)
        serving = asyncio.create_task(serve())

        # All at once: each costs racd the whole work of a handshake, and the client nothing.
        begin = client_hello(trust)
        crowd = await asyncio.gather(
            *(asyncio.open_connection(TLS_HOST, racd.tls_port) for _ in range(options.flood)), return_exceptions=True)
        crowd = [one for one in crowd if isinstance(one, tuple)]
        for _, writer in crowd:
            writer.write(begin)
        through = asyncio.gather(*(Client.connected(racd.tls_port, tls=trust, token="root") for _ in range(50)))
        answers = await asyncio.gather(*(asyncio.wait_for(reader.read(1), PATIENCE) for reader, _ in crowd))
        expect(all(answer in (b"\x16", b"") for answer in answers), "a handshake has no answer")
        answered = answers.count(b"\x16")
        for one in await through:
            await one.ask("ping")
            one.close()
        for _, writer in crowd:
            writer.transport.abort()

        # Slowly.
        for answer in await asyncio.gather(*(by_single_bytes(racd.tls_port, trust, "root") for _ in range(20))):
            expect(answer["op"] == "reply", f"bytes one at a time get {answer}")

        # Badly.
        old = old_version(authority)
        hello = frame({"op": "hello", "version": 1, "token": "root"})
        alert = bytes([0x15, 3, 1, 0, 2, 2, 70])
        expect(await raw(racd.tls_port, hello) == alert, "plain bytes get no alert")
        expect((await raw(racd.tls_port, client_hello(old))).endswith(bytes([2, 70])), "TLS 1.1 gets no alert")
        told = await raw(racd.port, begin, host="127.0.0.1")
        expect(b"bad-frame" in told and b"rac://" in told, f"TLS on a plain address gets {told}")
        for cut in (1, 5, 100, len(begin) - 1):
            expect(await raw(racd.tls_port, begin[:cut], ends=True) == b"", "half a handshake has an answer")
        altered = [bytes([*begin[:at], begin[at] ^ 0x55, *begin[at + 1:]]) for at in range(1, len(begin), len(begin) // 40)]
        for answer in await asyncio.gather(*(raw(racd.tls_port, one, ends=True) for one in altered)):
            expect(answer == b"" or answer[0] in (0x15, 0x16), f"an altered handshake gets {answer[:20]}")

        # Tokens.
        async def refuse(address, tls, token, code):
            try:
                await Client.connected(address, tls=tls, token=token)
                raise Fault(f"the token {str(token)[:9]} gets through")
            except Refused as refused:
                expect(refused.code == code, f"a token of {len(str(token))} bytes gets {refused.answer}")
            except (Lost, ConnectionError):
                # The end may overtake the answer to bytes that racd does not read any more.
                expect(code == "too-large", f"a token of {len(str(token))} bytes gets no answer")
        await asyncio.gather(*(
            refuse(*way, token, code) for way in ((racd.port, None), (racd.tls_port, trust))
            for token, code in (
                ("x" * (1 << 20), "too-large"), ("x" * 60_000, "unauthenticated"), ("", "unauthenticated"),
                ("root\0", "unauthenticated"), (7, "hello-first"), (None, "hello-first"))))
        serving.cancel()
        expect(not serving.done() or serving.cancelled(), "the good client is not served")
        await good.ask("ping")
        good.close()
        log = racd.logged()
        for words in ("this address speaks TLS only, and the client does not: connect with racs://",
                      "the client speaks no TLS 1.2 or 1.3",
                      "the client began TLS, which this address does not speak: connect with rac://", "too-large"):
            expect(words in log, f"the log has no '{words}':\n{log}")
        if options.verbose:
            print(log)
    return f"{len(crowd)} at once, {answered} answered, {len(altered)} altered; a good client was served {served} times"


# Certificates of clients.

def resumes(port, context, session=None):
    """A client's session of TLS behind a welcome, and whether it took up this earlier one."""
    with socket.create_connection((TLS_HOST, port), PATIENCE) as plain, \
            context.wrap_socket(plain, server_hostname="localhost", session=session) as tls:
        tls.sendall(frame({"op": "hello", "version": 1}))
        expect(b"welcome" in tls.recv(1 << 14), "a client with a certificate is not welcomed")
        return tls.session, tls.session_reused


async def web(port, context, line, body="", cookie=None):
    """A request over TLS on a connection of its own."""
    reader, writer = await asyncio.open_connection(TLS_HOST, port, ssl=context, server_hostname="localhost")
    head = [f"{line} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *([f"Cookie: {cookie}"] if cookie else [])]
    writer.write("\r\n".join([*head, "", body]).encode())
    return reader, writer


async def answered(*request, **options):
    """The whole answer to a request."""
    reader, writer = await web(*request, **options)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
    length = re.search(r"content-length: (\d+)", head, re.I)
    body = await asyncio.wait_for(reader.readexactly(int(length.group(1))), PATIENCE) if length else b""
    writer.close()
    return head, body.decode()


class Page:
    """A page that has signed in by the code of a program with a certificate, and its stream of events."""

    def __init__(self, port, tls):
        self.port, self.tls = port, tls

    @classmethod
    async def signed_in(cls, port, tls, program):
        page = cls(port, tls)
        _, code = await answered(port, program, "POST /v1/session/code")
        head, _ = await answered(port, tls, "POST /v1/session", json.dumps({"code": json.loads(code)["code"]}))
        page.cookie = re.search(r"set-cookie: ([^;]+)", head, re.I).group(1)
        reader, page.writer = await web(port, tls, "GET /v1/watch", cookie=page.cookie)
        page.stream = asyncio.create_task(reader.read(-1))
        return page

    async def is_admitted(self):
        _, state = await answered(self.port, self.tls, "GET /v1/session", cookie=self.cookie)
        return json.loads(state)["admitted"]

    async def ends(self, why):
        """The page is admitted no more, and its stream has ended."""
        async def is_over():
            return not await self.is_admitted()
        await eventually(f"the end of a page {why}", is_over)
        told = (await asyncio.wait_for(self.stream, PATIENCE)).decode()
        expect('"unauthenticated"' in told, f"the stream of a page {why} ends with {told[-200:]}")
        self.writer.close()


@scene
async def certificates(options, folder):
    """A client's certificate that has ended, or whose authority is gone, opens no connection, and no page goes on by it."""
    authority, other = Authority(folder), Authority(folder)
    trusted, ends = os.path.join(folder, "clients.crt"), time.time() + 8
    put_in_place([trusted], [authority.file])
    moment = time.strftime("%Y%m%d%H%M%SZ", time.gmtime(ends))
    shown = {"soon": authority.sign("soon", CLIENT, "/CN=soon", end=moment), "late": authority.sign("late", CLIENT, "/CN=late")}
    tables = [table("listen", address="127.0.0.1:0"), ROOT,
              listener(authority.sign("racd"), client_ca=trusted, clients="optional"),
              *(table("principal", name=name, roles=["root"], certificate=name) for name in shown)]
    async with running(options, folder, *tables) as closed:
        port, trust, sessions = closed.racd.tls_port, authority.trust(), []
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = authority.trust(*shown["soon"])
            context.minimum_version = context.maximum_version = version
            session, _ = await asyncio.to_thread(resumes, port, context)
            sessions.append((context, session))
            expect(not (await asyncio.to_thread(resumes, port, context, session))[1], f"a session of {version.name} is resumed")
        pages = {name: await Page.signed_in(port, trust, authority.trust(*files)) for name, files in shown.items()}
        standing = await Client.connected(port, tls=authority.trust(*shown["soon"]))
        for name, page in pages.items():
            expect(await page.is_admitted(), f"the page of {name} is not admitted")
        await pages["soon"].ends("whose certificate is over")
        expect(time.time() >= int(ends), "a page ends before its certificate")
        for context, session in sessions:
            try:
                await asyncio.to_thread(resumes, port, context, session)
                raise Fault("a certificate that is over opens a connection")
            except OSError:
                pass
        await standing.ask("ping")
        closed.write(*tables[:-2], tables[-1])
        closed.racd.signal(signal.SIGHUP)
        told = await standing.event()
        expect(told["error"]["message"].startswith("the certificate 'soon' is no principal's"), f"a client gets {told}")
        standing.close()
        expect(await pages["late"].is_admitted(), "a page ends with the certificate of another one")
        put_in_place([trusted], [other.file])
        closed.racd.signal(signal.SIGHUP)
        await pages["late"].ends("whose authority is gone")
    return f"{len(sessions)} versions of TLS, {len(pages)} pages"


# Floods.

async def flooded(port, stop):
    """Connects again and again, and keeps many connections that say nothing; gives their number."""
    crowd, count = [], 0
    while not stop.is_set():
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            crowd.append(await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 0.1))
            count += 1
        for _, writer in crowd[:-200]:
            writer.transport.abort()
        crowd = crowd[-200:]
    for _, writer in crowd:
        writer.transport.abort()
    return count


async def dripped(port):
    """A request to sign in that never ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65536\r\n\r\n1")
    return reader, writer


@scene
async def floods(options, folder):
    """Connections without a proof keep no client out, and no file from racd: rules and tokens change meanwhile."""
    binary = kept(folder, "limited", f'#!/bin/sh\nulimit -n 128 && exec {options.racd} "$@"\n', 0o700)
    store = os.path.join(folder, "tokens")
    tables = [f'token-file = "{store}"', table("listen", address="127.0.0.1:0"), ROOT]
    closed = Closed(folder, *tables)

    async def token(*words):
        status, output, errors = await run(options.racd, "token", *words, folder=folder, RACD_CONFIG=closed.file)
        expect(status == 0, f"racd token {words}: {errors}")
        return output
    secret, = await token("create", "guest", "--role", "root")
    await closed.start(binary)
    racd = closed.racd
    try:
        drips = [await dripped(racd.port) for _ in range(200)]
        root = await Client.connected(racd.port, token="root")
        stop = asyncio.Event()
        flood = asyncio.gather(*(flooded(racd.port, stop) for _ in range(4)))

        async def connected(token):
            # A client gives way, too, until it has shown its token.
            with contextlib.suppress(Lost, Refused, OSError):
                return await Client.connected(racd.port, token=token)
        guest = await eventually("a client in the flood", lambda: connected(secret))
        await token("revoke", "guest")
        told = await guest.event()
        expect(told["error"]["code"] == "unauthenticated", f"a revoked token gets {told}")
        closed.write(*tables, role("new", {"read": ["**"]}) + principal("new"))
        racd.signal(signal.SIGHUP)
        await eventually("a reading", lambda: "the configuration was read again" in racd.logged())
        (await eventually("a client of the new rules", lambda: connected("new"))).close()
        await root.ask("ping")
        most = racd.descriptors()
        stop.set()
        count = sum(await flood)
        for _, writer in drips:
            writer.transport.abort()
        root.close()
        expect(racd.is_running, f"racd has ended: {racd.errors()}")
    finally:
        status = await racd.end()
    expect(status == 0, f"racd ends with {status}: {racd.errors()}")
    return f"{count} connections in the flood, {most} of 128 files"


# Files.

async def run(*words, folder, **environment):
    """A program's status, and its lines on standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HOME": folder, "XDG_CONFIG_HOME": f"{folder}/config", **environment})
    output, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, output.decode().splitlines(), errors.decode().splitlines()


def kept(folder, name, content, mode=0o600):
    """The path of a file with this content."""
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        os.chmod(path, mode)
        file.write(content)
    return path


@scene
async def files(options, folder):
    """Each fault of a file and of a certificate has one clear line, and a running racd goes on with what it had."""
    authority, other = Authority(folder), Authority(folder)
    good, names = authority.sign("racd"), {"past": {"start": "20200101000000Z", "end": "20210101000000Z"},
                                           "future": {"start": "20480101000000Z", "end": "20490101000000Z"}}
    served = tuple(os.path.join(folder, name) for name in ("served.crt", "served.key"))
    put_in_place(served, good)
    own = (other.file, os.path.join(other.folder, "ca.key"))
    tables = [table("listen", address="127.0.0.1:0"), listener(served, client_ca=authority.file, clients="optional"), ROOT]
    token, nothing = kept(folder, "token", "root\n"), os.path.join(folder, "nothing")
    lines = []

    def told(what, line, *words):
        lines.append(f"{what}: {line}")
        expect(all(word in line for word in words), f"{what} is told as '{line}', without {words}")

    # At the start, and before it.
    text_file, loose = kept(folder, "text", "no PEM\n"), kept(folder, "loose", "", 0o666)
    for what, tables_, words in (
        ("a wrong key", ["thread = 1", ROOT], (":1: ", "there is no such key", "'threads'")),
        ("a wrong type", ['threads = "1"', ROOT], (":1: ", "integer from 1 to 64")),
        ("a wrong pattern", [role("r", {"read": ["a//b"]}), principal("r")], (":3: ", "a//b", "no empty segments")),
        ("no TOML", ["threads = = 1"], (":1: ", "this is no TOML")),
        ("a missing certificate", [listener((nothing, good[1])), ROOT], (nothing, "No such file")),
        ("a certificate that is none", [listener((text_file, good[1])), ROOT], (text_file, "no PEM file with a certificate")),
        ("a key that is none", [listener((good[0], text_file)), ROOT], (text_file, "no PEM file with a private key")),
        ("a key that does not fit", [listener((good[0], own[1])), ROOT], (own[1], "does not belong", good[0])),
        ("authorities that are none", [listener(good, client_ca=text_file), ROOT], (text_file, "no PEM file")),
        ("a token file that others may write", [f'token-file = "{loose}"', ROOT], (loose, "0666", "chmod go-w")),
        ("a folder as token file", [f'token-file = "{folder}"', ROOT], (":1: token-file: ", "is a folder")),
        ("a token file without a folder", [f'token-file = "{nothing}/tokens"', ROOT], (":1: token-file: ", "no folder")),
        ("a socket without a folder", [table("listen", address=f"unix:{nothing}/s"), ROOT], (":2: listen.address: ", nothing)),
        ("a page without a folder", [ROOT, f'[web]\nconsole = "{nothing}"'], ("web.console: ", nothing)),
    ):
        Closed(folder, *tables_)
        status, output, errors = await run(
            options.racd, "serve", "--memory", "--config", f"{folder}/racd.toml", folder=folder)
        errors = [line for line in errors if " info: " not in line]
        expect(status in (1, 2) and not output and len(errors) == 1, f"{what}: {status} {output} {errors}")
        told(what, errors[0], *words)
        status, output, errors = await run(options.racd, "config", "check", f"{folder}/racd.toml", folder=folder)
        expect(status == 2 and not output and len(errors) == 1, f"config check, {what}: {status} {output} {errors}")
        told(f"config check, {what}", errors[0], *words)

    async with running(options, folder, *tables) as closed:
        racd = closed.racd
        client = await Client.connected(racd.tls_port, tls=authority.trust(), token="root")
        await client.ask("set", channel="a", value=1)

        async def reload(what, *words):
            """Has racd read its files, and holds the one new line of its log."""
            before = racd.logged()
            racd.signal(signal.SIGHUP)
            await eventually(what, lambda: "\n" in racd.logged()[len(before):] and all(
                word in racd.logged()[len(before):] for word in words))
            found = [line for line in racd.logged()[len(before):].splitlines() if all(word in line for word in words)]
            expect(len(found) == 1, f"{what}: {found}")
            lines.append(f"{what}: {found[0]}")
            expect((await client.ask("get", channel="a"))["value"] == 1, "a client is not served after a fault")

        not_taken = "the configuration was not taken"
        for what, faults, words in (
            ("reload, a wrong key", ["thread = 1", *tables], ("there is no such key",)),
            ("reload, a wrong type", ['max-connections = "x"', *tables], ("integer",)),
            ("reload, a wrong pattern", [*tables, role("r", {"read": ["a//b"]})], ("a//b",)),
            ("reload, no TOML", ["[["], ("no TOML",)),
            ("reload, a role that is not there", [*tables, principal("x", "none")], ("'none'",)),
            ("reload, open", [tables[0]], ("open to all",)),
            ("reload, a missing certificate", [tables[0], listener((nothing, good[1])), ROOT], ("listen.certificate: ", nothing)),
        ):
            closed.write(*faults)
            await reload(what, not_taken, *words)
        os.remove(closed.file)
        await reload("reload, no file", not_taken, "No such file")
        closed.write(*tables)
        os.chmod(closed.file, 0o622)
        await reload("reload, a file that others may write", "others may write the file", "chmod go-w")
        closed.write(*tables)
        for what, pair, words in (
            ("renewal, a key that does not fit", (good[0], own[1]), ("earlier one stays", "does not belong")),
            ("renewal, an expired certificate for a good one", authority.sign("over", **names["past"]),
             ("has expired", "earlier one stays")),
            ("renewal, a certificate of the future for a good one", authority.sign("soon", **names["future"]),
             ("is not valid yet", "earlier one stays")),
            ("renewal, no PEM", (text_file, good[1]), ("earlier one stays", "no PEM file")),
        ):
            put_in_place(served, pair)
            await reload(what, *words)

        # Certificates of the daemon that a client must not trust.
        async def racctl(what, *words, trusts=authority.file, show=(), host="localhost", token=token):
            proof = [word for pair in zip(("--cert", "--key"), show) for word in pair]
            proof += ["--token-file", token] if token else []
            status, output, errors = await run(
                options.racctl, "get", "a", "--server", f"racs://{host}:{racd.tls_port}", "--ca", trusts, *proof,
                "--timeout", "60", folder=folder)
            # The help for a client that racd does not know has a line of its own.
            expect(status == 5 and not output and len(errors) == (1 if token else 2), f"{what}: {status} {output} {errors}")
            told(what, errors[0], *words)
        # A bad certificate takes the place of one whose time is over.
        begin = time.time()
        authority.sign("timed")
        over = time.time() + 5 + 10 * (time.time() - begin)
        put_in_place(served, authority.sign("short", end=time.strftime("%Y%m%d%H%M%SZ", time.gmtime(over))))
        await reload("renewal, a certificate for some seconds", "took a certificate")
        await eventually("the end of a certificate", lambda: time.time() > over + 1)
        hosts = "subjectAltName=DNS:other.example"
        for what, pair, words in (
            ("a certificate of the future", authority.sign("future", **names["future"]), ("is not valid yet",)),
            ("an expired certificate", authority.sign("past", **names["past"]), ("has expired",)),
            ("a certificate that signs itself", own, ("signed by no authority",)),
            ("a certificate of a stranger", other.sign("racd"), ("signed by no authority",)),
            ("a certificate for another host", authority.sign("host", hosts), ("another host name",)),
        ):
            put_in_place(served, pair)
            await reload(f"renewal, {what}", "took a certificate")
            await racctl(what, *words, host=TLS_HOST)
        put_in_place(served, authority.sign("again"))
        await reload("renewal, a good certificate", "took a certificate")

        # Certificates of clients.
        for what, pair in (
            ("an expired certificate", authority.sign("old", CLIENT, **names["past"])),
            ("a certificate of the future", authority.sign("early", CLIENT, **names["future"])),
            ("a certificate that signs itself", own),
            ("a certificate of a stranger", other.sign("stranger", CLIENT)),
            ("a certificate for daemons", authority.sign("server", "extendedKeyUsage=serverAuth")),
        ):
            await racctl(f"a client with {what}", "does not accept this client's certificate", show=pair, host=TLS_HOST)
        await racctl("a client of no principal", "the client's certificate 'nobody' is no principal's",
                     show=authority.sign("nobody", CLIENT, "/CN=nobody"), host=TLS_HOST, token=None)
        expect((await client.ask("get", channel="a"))["value"] == 1, "a client is not served at the end")
        client.close()
        log = racd.logged()
        for words in ("the client's certificate has expired", "the client's certificate is not valid yet",
                      "no authority of this address has signed the client's certificate for clients",
                      "the client says that this daemon's certificate is not valid now",
                      "the client does not trust the authority of this daemon's certificate"):
            expect(words in log, f"the log has no '{words}':\n{log}")
        for words in ("audit=unauthenticated certificate=nobody", "certificate=nobody code=unauthenticated"):
            expect(words in log, f"the log has no '{words}':\n{log}")
        failed = re.findall(r"a TLS handshake failed .*connection=(\d+)", log)
        expect(len(failed) == len(set(failed)), "the failure of a handshake has more than one line:\n" + log)
        if options.verbose:
            print("\n".join(lines), log, sep="\n")
    return f"{len(lines)} faults"


# Secrets.

@scene
async def secrets(options, folder):
    """No output of racd at the level trace, and none of racctl, has a token, a key, a value or a session."""
    authority = Authority(folder)
    pair, kiosk = authority.sign("racd"), authority.sign("kiosk", CLIENT)
    store, data = os.path.join(folder, "tokens"), os.path.join(folder, "data")
    tables = ['log-level = "trace"', f'token-file = "{store}"', table("listen", address="127.0.0.1:0"),
              listener(pair, client_ca=authority.file, clients="optional"),
              role("all", {verb: ["room/**"] for verb in VERBS}), principal("root", "all", token="Secret-Root")]
    closed, output, lines_of_commands = Closed(folder, *tables), [], []

    async def tool(program, *words, **environment):
        status, *found = await run(program, *words, folder=folder, RACD_CONFIG=closed.file, **environment)
        output.extend(itertools.chain(*found))
        return status, found[0]

    made = (await tool(options.racd, "token", "create", "kiosk", "--role", "all"))[1]
    token = made[0]
    output.clear()
    guess = f"rac_{'Gu3ss' * 8}abc"
    values = ["Secret-Value", "Secret-Session", "Secret-Will", "Secret-Input"]
    keys = [line for _, key in (pair, kiosk) for line in open(key).read().splitlines() if "-----" not in line]
    words = [token, token[4:24], token[24:], guess, guess[4:20], "Secret-Root", *values, *keys]

    async with running(options, folder, *tables, data=data) as closed:
        racd = closed.racd

        async def talk(tls, **hello):
            port = racd.tls_port if tls else racd.port
            with contextlib.suppress(Lost, Refused, OSError, ssl.SSLError):
                client = await Client.connected(port, tls=tls, **hello)
                for op, keys_ in (
                    ("set", {"channel": "room/a", "value": "Secret-Value"}), ("get", {"channel": "room/a"}),
                    ("bind", {"channel": "room/a", "will": {"value": "Secret-Will"}}), ("get", {"channel": "hall/a"}),
                    ("set", {"channel": "room/a", "value": "Secret-Value", "if": 1}),
                    ("exec", {"command": "room/x", "input": "Secret-Input"}), ("hello", {"version": 1, "token": token}),
                    (token, {}), ("get", {"channel": f"/{token}"}), ("set", {"channel": "$sys/x", "value": "Secret-Value"}),
                    ("hello", {"version": 1, "session": "Secret-Session", "token": guess}),
                ):
                    with contextlib.suppress(Refused):
                        await client.ask(op, **keys_)
                client.writer.write(struct.pack(">I", 0x7FFFFFFF) + b"Secret-Value" + token.encode())
                await client.event()
        tls, shown = authority.trust(), authority.trust(*kiosk)
        await asyncio.gather(
            talk(tls, token=token, session="Secret-Session"), talk(tls, token=token, session="Secret-Session"),
            talk(None, token="Secret-Root", session="Secret-Session"), talk(tls, token=guess), talk(shown, token=guess),
            talk(None), talk(None, token=token * 2000), talk(None, token=7, session="Secret-Session"),
            talk(None, token=token, session="Secret-Session" * 9), talk(Authority(folder).trust(), token=token))
        hello = json.dumps({"op": "hello", "version": 1, "token": token})
        await asyncio.gather(*(raw(racd.port, frame(broken.encode()), host="127.0.0.1") for broken in (
            hello[:-1], hello[:-1] + ",}", hello[:-1] + f',"token":"{token}"}}', f'{{"op":"{token}"}}', token,
            f'{{"op":"hello","version":"{token}"}}', f'{{"op":"get","id":1,"channel":"{token}/"}}')))

        # Texts in the wrong places of files.
        for fault in (table("principal", name="x", roles=["all"], token=token), f'log-level = "{token}"', f'{token} = 1',
                      table("principal", name=token, roles=["all"], token=digest("other")), f'token-file = "{token}"',
                      table("role", name="r", read=[f"{token}//"]), f'anonymous = ["{token}"]'):
            closed.write(fault, *tables) if "[[" not in fault else closed.write(*tables, fault)
            before = racd.logged()
            racd.signal(signal.SIGHUP)
            await eventually("a reading", lambda: "configuration" in racd.logged()[len(before):])
            await tool(options.racd, "config", "show")
        closed.write(*tables)
        with open(pair[1], "a") as file:
            file.write(open(kiosk[1]).read()[:100])
        os.chmod(pair[1], 0o644)
        before = racd.logged()
        racd.signal(signal.SIGHUP)
        await eventually("a reading", lambda: "was read again" in racd.logged()[len(before):])
        told = [line for line in racd.logged()[len(before):].splitlines() if f"chmod o-rwx {pair[1]}" in line]
        expect(len(told) == 1 and "(mode 0644), which has the key of a certificate" in told[0],
               f"a key that others can read is told so: {told}")

        # Commands, and what ps shows of them.
        good, bad = kept(folder, "good", token + "\n"), kept(folder, "bad", guess + "\n")
        place = ["--server", f"racs://{TLS_HOST}:{racd.tls_port}", "--ca", authority.file]
        plain = ["--server", f"rac://127.0.0.1:{racd.port}"]
        await asyncio.gather(*(
            tool(options.racctl, *line.split(), *plain, "--token-file", file)
            for file, lines in (
                (good, ("set room/b 1", "get hall/a", "status")), (bad, ("ping", "get room/b -o json")),
                (os.path.join(folder, "none"), ("ping",)), (pair[1], ("ping", "ping -o json")))
            for line in lines))
        await tool(options.racctl, "context", "add", "lab", *plain, "--token-file", good)
        await tool(options.racctl, "context", "list", "-o", "json")
        expect((await tool(options.racctl, "ping", *place, "--token-file", good))[0] == 0, "a good token does not get through")
        os.chmod(kiosk[1], 0o640)
        status, _, errors = await run(
            options.racctl, "ping", *place, "--token-file", good, "--cert", kiosk[0], "--key", kiosk[1], folder=folder)
        expect(status == 0 and len(errors) == 1 and f"(mode 0640): `chmod 600 {kiosk[1]}`" in errors[0],
               f"a key of a client that others can read is told so: {status} {errors}")
        output += errors
        expect((await tool(options.racctl, "ping", *plain, "--token", token))[0] == 2, "a token is taken from the command line")
        for line in (["config", "show"], ["config", "check"], ["token", "list"], ["acl", "test", "kiosk", "read", "room/a"],
                     ["token", "revoke", token], ["token", "create", "kiosk", "--expires", token]):
            await tool(options.racd, *line)
        watch = await asyncio.create_subprocess_exec(
            options.racctl, "watch", "room/b", *plain, "--token-file", good, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(await asyncio.wait_for(watch.stdout.readline(), PATIENCE), "the watch ends")
        for process in (racd.process.pid, watch.pid):
            for name in ("cmdline", "environ"):
                lines_of_commands.append(pathlib.Path(f"/proc/{process}/{name}").read_bytes().decode(errors="replace"))
        await tool(options.racd, "token", "revoke", "kiosk")
        output += (await asyncio.wait_for(watch.communicate(), PATIENCE))[1].decode().splitlines()
        expect(not any("SeCrEt" in line for line in output) and watch.returncode == 5, f"a revoked token leaves the watch at {watch.returncode}")
    log = racd.logged()
    if options.verbose:
        print(log, *output, sep="\n")
    for what, found in (("the log", log), ("the ready line", racd.line), ("the output of a program", "\n".join(output)),
                        ("the list of processes", "\n".join(lines_of_commands))):
        shown = [word for word in words if word in found]
        line = next((line for line in found.splitlines() if any(word in line for word in shown)), "")
        expect(not shown, f"{what} shows {shown}: {line}")
    for path in pathlib.Path(data).iterdir():
        content = path.read_bytes()
        expect(not any(word.encode() in content for word in (token, guess, "Secret-Root", "Secret-Session", *keys)),
               f"{path.name} keeps a secret")
    expect(" trace " in log or " debug" in log, "the log has no line of its lowest levels")
    return f"{len(log.splitlines())} lines of the log, {len(output)} lines of programs"


async def main(options):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    options.crowd, options.flood = (1000, 5000) if options.full else (1000, 300)
    status = 0
    for name in options.scenes or SCENES:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="rac-") as folder:
            try:
                did = await SCENES[name](options, folder)
                print(f"access: {name}: {did}; {time.monotonic() - begin:.1f} s", flush=True)
            except (Fault, Lost, Refused, OSError, asyncio.TimeoutError) as fault:
                print(f"broken: {name} ({SCENES[name].__doc__}): {type(fault).__name__} {fault}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--racctl", help="beside racd if left out")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print the logs of racd, too")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="all if left out")
    options = parser.parse_args()
    options.racctl = options.racctl or str(pathlib.Path(options.racd).with_name("racctl"))
    if unknown := set(options.scenes) - set(SCENES):
        parser.error(f"there is no scene {', '.join(sorted(unknown))}: {', '.join(SCENES)}")
    sys.exit(asyncio.run(main(options)))
