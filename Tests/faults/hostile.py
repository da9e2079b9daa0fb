#!/usr/bin/env python3
"""Clients that mean harm, against a real racd. Python 3.9+, standard library only.

    hostile.py --racd PATH [--only TEXT] [--scale N] [--any-memory]

In each scene hostile clients do their worst. Meanwhile a good client sets a value and waits until a second good client gets
it, again and again. Each scene expects:

- Both good clients are served all the while, and racd lives.
- A request beyond a limit is refused as in protocol.md, "Limits".
- The resident memory of racd stays below the scene's bound, which follows from docs/operating.md, "Memory".

--scale multiplies the crowds: the tests run 1, and 10 takes minutes. The option --any-memory drops the bound, for a racd with a
sanitizer, which takes several times the memory. The program prints a line per scene with the memory and the good client's round
trips, which are not judged. It ends with status 1 if a promise was broken.
"""
import argparse, asyncio, json, resource, signal, socket, struct, subprocess, sys, time, zlib
from harness import PATIENCE, Client, Fault, Lost, Racd, Refused, frame

MIB = 1 << 20
HELLO = frame({"op": "hello", "version": 1, "deflate": True})


class GoodClient:
    """A writer and a reader that measure their round trips.

    A process of their own keeps the work of the hostile clients out of the times.
    """

    def __init__(self, port):
        self.port = port

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--good-client", str(self.port), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        await self.process.stdout.readline()
        return self

    async def __aexit__(self, *_):
        self.process.stdin.close()
        told = await asyncio.wait_for(self.process.stdout.read(), PATIENCE)
        if await self.process.wait() != 0:
            raise Fault(f"the good client is not served: {told.decode().strip()}")
        self.times = sorted(json.loads(told))

    def percentile(self, hundredths):
        """A percentile of the round trips in milliseconds."""
        return self.times[min(len(self.times) - 1, len(self.times) * hundredths // 100)] * 1e3

    def figures(self):
        return f"{len(self.times)} round trips, p50 {self.percentile(50):.1f} ms, p99 {self.percentile(99):.1f} ms, " \
               f"longest {self.percentile(100):.1f} ms"

    @staticmethod
    async def run(port):
        """The process: round trips until standard input ends, two more, then their times as JSON, or the error."""
        times, left = [], None
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        try:
            writer, reader = await Client.connected(port), await Client.connected(port)
            await reader.ask("bind", channel="good")
            print("ready", flush=True)
            while left != 0:
                begin = time.monotonic()
                await writer.ask("set", channel="good", value=len(times))
                while (await reader.event()).get("value") != len(times):
                    pass
                times.append(time.monotonic() - begin)
                left = 2 if left is None and ended.done() else left and left - 1
                await asyncio.sleep(0.005)
        except (Lost, Refused, asyncio.TimeoutError) as error:
            print(repr(error))
            return 1
        print(json.dumps(times))
        return 0


class Raw:
    """A connection that sends raw bytes, and reads only when it is asked to."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        writer.transport.pause_reading()

    @classmethod
    async def connected(cls, port, *frames):
        raw = cls(*await asyncio.open_connection("127.0.0.1", port))
        raw.writer.write(b"".join(frames))
        return raw

    async def say(self, data, timeout=20.0):
        """Sends bytes; returns whether racd took them in time."""
        try:
            self.writer.write(data)
            await asyncio.wait_for(self.writer.drain(), timeout)
            return True
        except (OSError, asyncio.TimeoutError):
            return False

    async def codes(self):
        """Reads to the end; returns the codes of the refusals."""
        self.writer.transport.resume_reading()
        try:
            data = await asyncio.wait_for(self.reader.read(-1), 60)
        except asyncio.TimeoutError:
            raise Fault("racd does not end a connection within 60 s")
        except OSError:
            return ["reset"]
        at, codes = 0, []
        while at + 4 <= len(data):
            length, = struct.unpack_from(">I", data, at)
            payload = data[at + 4:at + 4 + (length & 0x7FFFFFFF)]
            message = json.loads(zlib.decompress(payload) if length >> 31 else payload)
            codes += [message["error"]["code"]] if "error" in message else []
            at += 4 + (length & 0x7FFFFFFF)
        return codes

    def close(self):
        self.writer.transport.abort()


def expect(condition, what):
    if not condition:
        raise Fault(what)


# Scenes. Each returns a line about its work; its bound is the limit of racd's memory meanwhile, in MiB.

async def crowd(port, scale):
    """Thousands of connections at once, each with a binding."""
    room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200
    count = min(5_000 * max(1, scale // 10), room)
    limit = asyncio.Semaphore(200)

    async def one(number):
        async with limit:
            client = await Client.connected(port)
            await client.ask("bind", channel=f"crowd/{number % 10}")
            return client
    clients = await asyncio.gather(*(one(number) for number in range(count)))
    writer = await Client.connected(port)
    for number in range(10):
        await writer.ask("set", channel=f"crowd/{number}", value="x" * 100)
    for client in clients:
        event = await client.event()
        expect(event["op"] == "next", f"one of the crowd is told {event}")
    for client in [*clients, writer]:
        client.close()
    return f"{count} connections"


async def slow_hello(port, scale):
    """A hello that comes byte by byte and never ends."""
    count = 300 * scale
    ones = [await Raw.connected(port, HELLO[:4]) for _ in range(count)]
    ended = [asyncio.create_task(one.codes()) for one in ones]
    for byte in HELLO[4:30]:
        for one in ones:
            if not one.writer.is_closing():
                one.writer.write(bytes([byte]))
        await asyncio.sleep(0.4)
    codes = await asyncio.gather(*ended)
    expect(all(code == ["hello-first"] or code == ["reset"] for code in codes), f"slow hellos end with {codes[:3]}")
    return f"{count} connections ended"


async def half_frames(port, scale):
    """Frames of 8 MiB that are never finished."""
    count, part = 100 * scale, frame(b'{"op":"set","id":1,"channel":"a","value":"' + bytes(8 * MIB - 60))[:-MIB]
    part = struct.pack(">I", 8 * MIB) + part[4:]
    ones = [await Raw.connected(port, HELLO) for _ in range(count)]
    taken = await asyncio.gather(*(one.say(part) for one in ones))
    await asyncio.sleep(1)
    for one in ones:
        one.close()
    return f"{count} connections, {sum(taken)} of them said 7 MiB"


async def bombs(port, scale):
    """Compressed frames that inflate to far more than the limit, and to just the limit.

    Such frames are read apart from the loop, one at a time. So a good client waits for none of them
    (RacServerTests/ReadingTests has their order).
    """
    count = 8 * scale
    beyond = frame(bytes(64 * MIB), deflate=True)
    just = frame(b'{"op":"set","id":1,"channel":"bomb","value":"' + b"x" * (8 * MIB - 100) + b'"}', deflate=True)
    ones = [await Raw.connected(port, HELLO, just, just, beyond) for _ in range(count)]
    codes = await asyncio.gather(*(one.codes() for one in ones))
    expect(all(code in (["too-large"], ["reset"]) for code in codes), f"bombs end with {codes[:3]}")
    return f"{count} bombs of {len(beyond)} bytes"


async def bindings(port, scale):
    """Bindings up to the limit, and beyond it."""
    connections = 10 * scale
    for number in range(connections):
        client = await Client.connected(port)
        refused = 0
        for start in range(0, 12_000, 1_000):
            answers = await asyncio.gather(
                # Beyond the limit of channels, a channel gets two bindings.
                *(client.ask("bind", channel=f"many/{number % 50}/{start + index}") for index in range(1_000)),
                return_exceptions=True)
            codes = {answer.code for answer in answers if isinstance(answer, Refused)}
            expect(codes <= {"limit"}, f"bindings are refused with {codes}")
            refused += sum(isinstance(answer, Refused) for answer in answers)
        expect(refused == 2_000, f"{refused} of 12000 bindings are refused")
        bindings.clients.append(client)
    return f"{connections * 10_000} bindings"
bindings.clients = []


async def storms(port, scale):
    """A client that binds and leaves without a pause, beside a watcher of all channels."""
    watcher = await Raw.connected(port, HELLO, frame({"op": "watch", "id": 1, "pattern": "**"}))
    client, rounds = await Client.connected(port), 100 * scale
    for number in range(rounds):
        bound = await asyncio.gather(
            *(client.ask("bind", channel=f"storm/{number}/{index}", default=1) for index in range(100)))
        await asyncio.gather(*(client.ask("unbind", t=one["t"]) for one in bound))
        await asyncio.gather(*(client.ask("delete", channel=f"storm/{number}/{index}") for index in range(100)))
    watcher.close()
    client.close()
    return f"{rounds * 100} bindings made and left"


async def endless(port, scale):
    """Integers, strings and nesting that never end."""
    digits = frame(b'{"op":"ping","id":' + b"1" * (4 * MIB) + b"}")
    deep = frame(b'{"op":"set","id":1,"channel":"a","value":' + b"[" * (4 * MIB))
    text = frame(b'{"op":"' + b"x" * (4 * MIB) + b'"}')
    keys = frame(b"{" + b",".join(b'"%d":1' % number for number in range(400_000)) + b"}")
    client = await Raw.connected(port, HELLO, *[digits, deep, text, keys] * (2 * scale), frame({"op": "bye"}))
    codes = await client.codes()
    expect(len(codes) == 8 * scale and set(codes) <= {"bad-message", "unknown-op"}, f"endless things end with {codes[:8]}")
    before = await Raw.connected(port, digits)
    expect(await before.codes() in (["too-large"], ["reset"]), "4 MiB before the hello are taken")
    return f"{8 * scale} messages of 4 MiB"


async def deaf(port, scale):
    """Readers that bind all channels, send many requests and never read."""
    writer = await Client.connected(port)
    await asyncio.gather(*(writer.ask("set", channel=f"loud/{index}", value="x" * 100_000) for index in range(50)))
    await writer.ask("create", channel="queue", mode="paired")
    asks = [frame({"op": "bind", "id": index, "channel": f"loud/{index}"}) for index in range(50)]
    asks += [frame({"op": "bind", "id": 99, "channel": "queue"}), frame({"op": "watch", "id": 98, "pattern": "**"})]
    asks += [frame({"op": "get", "id": index, "channel": f"loud/{index % 50}"}) for index in range(100, 1_000)]
    ones = [await Raw.connected(port, HELLO, *asks) for _ in range(20 * scale)]
    for number in range(30):
        await asyncio.gather(
            *(writer.ask("set", channel=f"loud/{index}", value=str(number) + "x" * 100_000) for index in range(50)),
            writer.ask("set", channel="queue", role="leading", value="x" * 100_000))
    deaf.clients = [*ones, writer]
    return f"{len(ones)} readers, 150 MB written"
deaf.clients = []


async def sessions(port, scale):
    """A session each for thousands of connections that come and go."""
    count = 2_000 * scale
    for number in range(count):
        one = await Raw.connected(port, frame({"op": "hello", "version": 1, "session": f"{number:064d}"}), frame(
            {"op": "bind", "id": 1, "channel": "session"}), frame({"op": "next", "t": 1, "n": 1, "value": 1}))
        await one.say(b"")
        one.close()
    return f"{count} sessions"


def request(line, *headers, body=b""):
    """A request of HTTP."""
    return "\r\n".join([f"{line} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode() + body


def message(payload, first=0x81, masked=True):
    """A frame of a WebSocket whose mask is zero."""
    bit, length = 0x80 if masked else 0, len(payload)
    size = (bytes([bit | length]) if length < 126 else bytes([bit | 126]) + struct.pack(">H", length) if length < 65536
            else bytes([bit | 127]) + struct.pack(">Q", length))
    return bytes([first]) + size + (bytes(4) if masked else b"") + payload


UPGRADE = request("GET /rac", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: rac.v1")
SOCKET_HELLO = message(b'{"op":"hello","version":1}')


async def answers(raw):
    """Reads to the end; returns all bytes."""
    raw.writer.transport.resume_reading()
    try:
        return await asyncio.wait_for(raw.reader.read(-1), 60)
    except asyncio.TimeoutError:
        raise Fault("racd does not end a connection within 60 s")
    except OSError:
        return b"reset"


async def bad_requests(port, scale):
    """Requests that are smuggled, split, slow, huge or none at all."""
    put = "PUT /v1/channels/a"
    bad = [
        request(put, "Content-Length: 1", "Transfer-Encoding: chunked", body=b"0\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
        request(put, "Content-Length: 1", "Content-Length: 2", body=b"12"),
        request(put, "Content-Length: 1000000000", body=b"x" * MIB),
        request(put, "Transfer-Encoding: chunked", body=b"ffffffffffffffffff\r\n"),
        request(put, "Transfer-Encoding: chunked", body=b"1;" + b"x" * MIB),
        request(put, "Transfer-Encoding: chunked", body=b"1\r\n1\r\n0\r\n" + b"T: x\r\n" * 100_000),
        request("GET /", "X: " + "x" * MIB), request("GET /" + "x" * MIB), request("DANCE /"), b"\r\n" * 100_000,
        request("GET /../../etc/passwd"), request("GET /%00"), request("GET /%FF"), b"GET / HTTP/1.1\nHost: localhost\n\n",
        request("GET / HTTP/1.1\r\nHost: evil"), b"A" * MIB,
    ]
    for _ in range(scale):
        ones = [await Raw.connected(port, one) for one in bad]
        for one in ones:
            if one.writer.can_write_eof():
                one.writer.write_eof()
        for sent, came in zip(bad, await asyncio.gather(*(answers(one) for one in ones))):
            expect(came == b"reset" or came.count(b"HTTP/1.1 ") <= 1 and came[9:10] != b"2",
                   f"{sent[:60]!r} brings {came[:200]!r}")
    slow = [await Raw.connected(port, b"GET / HTTP/1.1\r\n") for _ in range(100 * scale)]
    ended = [asyncio.create_task(answers(one)) for one in slow]
    for byte in b"Host: localhost\r\nX: yyyyyyyyy":
        for one in slow:
            if not one.writer.is_closing():
                one.writer.write(bytes([byte]))
        await asyncio.sleep(0.45)
    for came in await asyncio.gather(*ended):
        expect(came == b"reset" or came.startswith(b"HTTP/1.1 408 "), f"a slow head brings {came[:100]!r}")
    return f"{len(bad) * scale} bad requests, {len(slow)} slow ones"


async def half_bodies(port, scale):
    """Bodies of 8 MiB that are never finished, and pipelines of which nothing is read."""
    count = 100 * scale
    part = request("PUT /v1/channels/a", f"Content-Length: {8 * MIB}", body=bytes(7 * MIB))
    ones = [await Raw.connected(port, part) for _ in range(count)]
    lines = request("GET /") * 20_000
    ones += [await Raw.connected(port, lines) for _ in range(count)]
    await asyncio.sleep(3)
    for one in ones:
        one.close()
    return f"{count} bodies, {count} pipelines"


async def bad_sockets(port, scale):
    """WebSockets with frames that break the rules, that never end, or that only ping."""
    bad = {
        1002: [message(b"{}", masked=False), message(b"{}", first=0xC1), message(b"x" * 200, first=0x89),
               message(b"", first=0x09), message(b"", first=0x80), b"\x81\xff" + b"\xff" * 12],
        1003: [message(b"{}", first=0x82)],
        1007: [message(b"\xff")],
        1008: [message(b"", first=0x01) + message(b"", first=0x00) * 5_000],
        1009: [b"\x81\xff" + struct.pack(">Q", 1 << 40) + bytes(4), message(b"x" * MIB, first=0x01) + message(
            b"x" * MIB, first=0x00) * 20],
    }
    count = 0
    for code, frames in bad.items():
        for one in frames * scale:
            raw = await Raw.connected(port, UPGRADE, SOCKET_HELLO, one)
            came = await answers(raw)
            expect(came == b"reset" or b"\x88" in came and struct.pack(">H", code) in came[came.rindex(b"\x88"):],
                   f"{one[:20]!r} brings {came[-60:]!r}, not {code}")
            count += 1
    pings = message(b"p" * 125, first=0x89) * 10_000
    ones = [await Raw.connected(port, UPGRADE, SOCKET_HELLO) for _ in range(20 * scale)]
    await asyncio.gather(*(one.say(pings, 5) for one in ones))
    ones += [await Raw.connected(port, UPGRADE, SOCKET_HELLO, b"\x81\xff" + struct.pack(">Q", 8 * MIB) + bytes(7 * MIB))
             for _ in range(50 * scale)]
    await asyncio.sleep(2)
    for one in ones:
        one.close()
    return f"{count} breaches, {len(ones)} that ping or never end"


async def floods(port, scale):
    """WebSockets that ping, without a hello, and pipelines of which nothing is read: each without end."""
    pings, lines = message(b"", first=0x89) * 100_000, request("GET /rac.js") * 20_000
    until = time.monotonic() + 4

    async def flood(data, *frames):
        one = await Raw.connected(port, *frames)
        while time.monotonic() < until and await one.say(data, 1):
            pass
        one.close()

    count = 4 * scale
    await asyncio.gather(*(flood(pings, UPGRADE) for _ in range(count)), *(flood(lines) for _ in range(count)))
    return f"{count} that ping, {count} pipelines"


async def unread_answers(port, scale):
    """Hundreds that ask for a long value and read nothing. Clients that read slowly get theirs all the same."""
    writer, (long, short) = await Client.connected(port), (8 * MIB - 1000, 600_000)
    for channel, length in ("long", long), ("short", short):
        await writer.ask("set", channel=channel, value="x" * length)
    writer.close()
    until, deaf = time.monotonic() + 4, []

    async def ask():
        while time.monotonic() < until:
            deaf.append(await Raw.connected(port, request("GET /v1/channels/long")))
            await asyncio.sleep(1 / 150)

    async def read_slowly():
        count = 0
        while time.monotonic() < until:
            reader, away = await narrow(port, request("GET /v1/channels/short", "Connection: close"))
            length = 0
            while piece := await asyncio.wait_for(reader.read(16 << 10), PATIENCE):
                length += len(piece)
                await asyncio.sleep(len(piece) / short)
            away.close()
            expect(length > short, f"a client that reads slowly is ended behind {length} bytes")
            count += 1
        return count

    _, *counts = await asyncio.gather(ask(), *(read_slowly() for _ in range(5 * scale)))
    for one in deaf:
        one.close()
    return f"{len(deaf)} that do not read, {sum(counts)} slow answers"


async def narrow(port, data):
    """A connection whose receive buffer is short, with bytes that it has sent."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setblocking(False)
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    reader, away = await asyncio.open_connection(sock=line, limit=16 << 10)
    away.write(data)
    return reader, away


# The bound of resident memory in MiB for a scale: docs/operating.md, "Memory", and the addition of a debug build.
BASE = 64
SCENES = {
    crowd: lambda scale: BASE + 64 * max(1, scale // 10),
    slow_hello: lambda scale: BASE + 8 * scale,
    half_frames: lambda scale: BASE + 2 * 256 + 16 * scale,
    bombs: lambda scale: BASE + 96,
    bindings: lambda scale: BASE + 120 * scale,
    storms: lambda scale: BASE + 32,
    endless: lambda scale: BASE + 48,
    deaf: lambda scale: BASE + min(64 * scale, 2 * 256 + 8 * scale),
    sessions: lambda scale: BASE + 8 * scale,
    bad_requests: lambda scale: BASE + 48,
    half_bodies: lambda scale: BASE + 256 + 128 * scale,
    bad_sockets: lambda scale: BASE + 2 * 256,
    floods: lambda scale: BASE + 32 * scale,
    unread_answers: lambda scale: BASE + 2 * 256,
}


async def play(options, scene):
    racd = await Racd.started(options.racd, None)
    try:
        async with GoodClient(racd.port) as good:
            before = racd.resident()
            did = await scene(racd.port, options.scale)
            peak = racd.peak()
        expect(racd.is_running, f"racd ended: {racd.errors()}")
        print(f"hostile: {scene.__name__}: {did}; {before / MIB:.0f} MiB before, {peak / MIB:.0f} at most; "
              f"good client: {good.figures()}", flush=True)
        bound = SCENES[scene](options.scale)
        expect(options.any_memory or peak <= bound * MIB, f"{peak / MIB:.0f} MiB, more than {bound}")
        for client in getattr(scene, "clients", []):
            client.close()
    finally:
        status = await racd.end(signal.SIGTERM)
    expect(status == 0, f"racd ends with {status}: {racd.errors()}")


async def main(options):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    status = 0
    for scene in SCENES:
        if options.only in scene.__name__:
            try:
                await play(options, scene)
            except Fault as fault:
                print(f"broken: {scene.__name__} ({scene.__doc__.splitlines()[0]}): {fault}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd")
    parser.add_argument("--only", default="")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--any-memory", action="store_true")
    parser.add_argument("--good-client", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.good_client:
        sys.exit(asyncio.run(GoodClient.run(options.good_client)))
    if not options.racd:
        parser.error("say which racd: --racd PATH")
    sys.exit(asyncio.run(main(options)))
