"""The table of attacks, and the judge of an attack, for starvation.py, accounts.py and walk.py.

An attack is a generator in three parts, parted by `yield`. The first part prepares. The second part attacks. The optional
third part tidies up after all clients of the attack have left. The generator runs in its own process with a lower priority
than racd, while otherclient.py measures its waits. Python 3.9+, standard library only.
"""
import argparse, asyncio, collections, itertools, multiprocessing, os, resource, socket, sys, threading, time, traceback
from harness import PATIENCE, Fault, Lost, Racd
from otherclient import OtherClient
from rawclient import LongMessage, RawClient

MIB = 1 << 20
LONG = 8 * MIB - 1000
RECOVERY = 10.0
# The shortest time of measuring: a percentile of few waits says nothing.
MEASURED = 1.5

# Bounds of docs/operating.md, "Memory", in MiB: the bytes kept for one connection, for all connections, and for all values.
CONNECTION, DAEMON, VALUES = 64, 256, 1024
# Working memory of racd: two of the longest frames, buffers of connections, and fragments in the allocator.
WORKING = 48

ATTACKS = {}


def attack(identifier, grows=CONNECTION + WORKING, seconds=4.0, only_full=False):
    """Adds a generator to the table. racd may grow by `grows` MiB, and the attack lasts `seconds` at most."""
    def put(generator):
        ATTACKS[identifier] = generator
        generator.identifier, generator.grows, generator.seconds = identifier, grows, seconds
        generator.only_full = only_full
        return generator
    return put


class WebMember:
    """A client of HTTP among the members of a crowd, whose answers nobody looks at."""
    is_answered, codes, heard = True, collections.Counter(), frozenset()

    def __init__(self, port):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", port))

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()


class Crowd:
    """The clients and the deadline of one attack."""

    def __init__(self, port, scale):
        self.port, self.scale = port, scale
        self.members, self.threads, self.deadline = [], [], float("inf")

    def deaf(self, **hello):
        """A client that reads nothing but the replies to `ask`, with a small receive buffer."""
        self.members.append(RawClient(self.port, buffer=4096, **hello))
        return self.members[-1]

    def reader(self, **hello):
        """A client that reads every message."""
        self.members.append(RawClient(self.port, **hello))
        return self.members[-1].listen()

    def web(self, *requests):
        """A client of HTTP that sends these requests and reads nothing."""
        self.members.append(WebMember(self.port))
        for method, path, *lines in requests:
            head = "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines])
            self.members[-1].send(f"{head}\r\n\r\n".encode())
        return self.members[-1]

    def watchers(self, patterns, connect, most=50):
        """New clients, each with the requests by which it watches its part of the patterns."""
        for start in range(0, len(patterns), most):
            client = connect()
            yield client, [client.request("watch", pattern=pattern) for pattern in patterns[start:start + most]]

    def work(self, function, *arguments):
        """Calls the function in a new thread, which ends when the crowd leaves."""
        def until_lost():
            try:
                function(*arguments)
            except (Lost, OSError):
                pass
        thread = threading.Thread(target=until_lost, daemon=True)
        self.threads.append(thread)
        thread.start()

    @property
    def is_over(self):
        return time.monotonic() > self.deadline

    def until(self, condition):
        """Waits for the condition or the deadline."""
        while not self.is_over and not condition():
            time.sleep(0.005)

    def settle(self):
        """Waits until every frame is sent and every request answered, or for the deadline."""
        self.until(lambda: not any(thread.is_alive() for thread in self.threads))
        self.until(lambda: all(member.is_answered for member in self.members))

    def leave(self):
        for member in self.members:
            member.close()
        for thread in self.threads:
            thread.join(PATIENCE)

    def told(self):
        """The count of each error code that came to a client, and the operations that came."""
        codes = sum((member.codes for member in self.members), start=collections.Counter())
        return dict(codes), {op for member in self.members for op in member.heard}

    # Common preparations.

    def set(self, names, value=1):
        """Sets the channels and waits for the answers."""
        client, long = self.reader(deflate=True), LongMessage(value=value)
        for name in names:
            client.send(client.request("set", long=long, channel=name))
        self.until(lambda: client.is_answered)

    def delete(self, names):
        client = self.reader()
        client.send(*(client.request("delete", channel=name) for name in names))
        self.until(lambda: client.is_answered)

    def delete_all(self, pattern):
        """Deletes the channels that clients, who have left, have made until their end."""
        client = self.deaf()
        await_ends(client, PATIENCE)
        while names := [entry["channel"] for entry in client.ask("list", pattern=pattern)["channels"]]:
            self.delete(names)


def patterns(count, segments=10):
    """Distinct patterns, each of which matches `name(text)` for every text."""
    choices = itertools.product(("v", "*"), repeat=segments)
    return ["/".join([*choice, "*"]) for choice in itertools.islice(choices, count)]


def name(text, segments=10):
    return "v/" * segments + str(text)


def carry_out(generator, port, scale, wire):
    """The process of the attackers. It reports when it is prepared, waits for a go, and reports when it is done."""
    os.nice(10)
    crowd = Crowd(port, scale)
    try:
        steps = generator(crowd)
        next(steps)
        crowd.settle()
        wire.send("prepared")
        wire.recv()
        crowd.deadline = time.monotonic() + generator.seconds * scale
        has_more = next(steps, "end") != "end"
        crowd.settle()
        crowd.leave()
        told, crowd.members, crowd.threads, crowd.deadline = crowd.told(), [], [], float("inf")
        if has_more:
            next(steps, None)
            crowd.leave()
        wire.send(told)
    except Exception:
        wire.send(Fault(traceback.format_exc()))


class Attackers:
    """The process of the attackers, seen from its parent."""

    def __init__(self, *arguments):
        self.wire, far = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=carry_out, args=(*arguments, far), daemon=True)
        self.process.start()
        far.close()

    def told(self, seconds):
        """The next report of the process."""
        if not self.wire.poll(seconds):
            raise Fault("the attackers do not get through")
        try:
            word = self.wire.recv()
        except EOFError:
            raise Fault("the process of the attackers has ended")
        if isinstance(word, Fault):
            raise word
        return word

    def close(self):
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


class Verdict:
    """The other client's waits in milliseconds."""

    def __init__(self, waits, begun, ended):
        self.longest, self.lasted = max(wait for _, wait in waits) * 1e3, (ended - begun) * 1e3
        during = sorted(wait for begin, wait in waits if begun <= begin <= ended) or [0.0]
        self.count, self.p50, self.p99 = len(during), *(during[len(during) * part // 100] * 1e3 for part in (50, 99))

    def __str__(self):
        return f"other: {self.count} round trips, p50 {self.p50:.1f}, p99 {self.p99:.1f}, longest {self.longest:.1f} ms"

    def breaches(self, options, generator, before, peak, after):
        # A busy machine lets a debug build wait as well, but not for as long as the attack lasts.
        longest = max(500, self.lasted / 2) if options.debug else 100
        if self.longest > longest:
            yield f"the other client waits for {self.longest:.0f} ms, more than {longest:.0f}"
        if self.p99 > 20 and not options.debug:
            yield f"the other client's p99 is {self.p99:.0f} ms, more than 20"
        if peak - before > generator.grows * MIB:
            yield f"racd grows by {(peak - before) / MIB:.0f} MiB, more than {generator.grows}"
        if after > returned(before):
            yield f"{(after - before) / MIB:.0f} MiB are not given back {RECOVERY:.0f} s after the attackers left"


def await_ends(client, seconds):
    """Waits until racd has only this client and the other client."""
    deadline = time.monotonic() + seconds
    while len(client.ask("who")["who"]) > 2 and time.monotonic() < deadline:
        time.sleep(0.05)


def returned(before):
    """The resident memory that counts as given back: a tenth more than before, and 8 MiB for the allocator."""
    return before * 1.1 + 8 * MIB


def play(options, generator, threads):
    """Runs one attack and yields its breaches."""
    racd = Racd(options.racd, None, f"--threads={threads}")
    other = attackers = None
    try:
        other = OtherClient(racd.port)
        attackers = Attackers(generator, racd.port, options.scale)
        attackers.told(PATIENCE)
        racd.forget_peak()
        before, begun = racd.resident(), time.monotonic()
        attackers.wire.send("go")
        codes, heard = attackers.told(PATIENCE + generator.seconds * options.scale)
        ended = time.monotonic()
        options.heard.update(heard)
        # Clients that left may have sent much before: their end comes behind it.
        await_ends(RawClient(racd.port), PATIENCE)
        gone = time.monotonic()
        while (after := racd.resident()) > returned(before) and time.monotonic() < gone + RECOVERY:
            time.sleep(0.02)
        back, peak = time.monotonic() - gone, racd.peak()
        time.sleep(max(0.0, begun + MEASURED - time.monotonic()))
        verdict = Verdict(other.end(), begun, max(ended, begun + MEASURED))
        print(f"{generator.identifier} {generator.__name__}, threads {threads}: {ended - begun:.1f} s, "
              f"refused {codes or 'nothing'}; {verdict}; MiB: {before / MIB:.0f} before, {peak / MIB:.0f} at most, "
              f"{after / MIB:.0f} after {back:.1f} s", flush=True)
        yield from verdict.breaches(options, generator, before, peak, after)
        if not racd.is_running:
            yield f"racd has ended: {racd.errors()}"
    except (Fault, Lost, OSError) as fault:
        yield f"{type(fault).__name__} {fault}"
    finally:
        for process in filter(None, (attackers, other)):
            process.close()
        status = asyncio.run(racd.end())
    if status != 0:
        yield f"racd ends with {status}: {racd.errors()}"


def arguments(description):
    """The options of the command line, and the set of operations that clients have heard."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", required=True)
    parser.add_argument("--threads", type=int, choices=(1, 3), action="append", help="1 if left out")
    parser.add_argument("--debug", action="store_true", help="racd is built for debugging: others may wait for longer")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--small", dest="scale", action="store_const", const=1, default=1, help="what the tests run")
    size.add_argument("--full", dest="scale", action="store_const", const=5, help="five times as many, for minutes")
    parser.add_argument("names", nargs="*", metavar="ATTACK", help="such as A1; all if left out")
    options = parser.parse_args()
    if unknown := set(options.names) - set(ATTACKS):
        parser.error(f"there is no attack {', '.join(sorted(unknown))}: {', '.join(ATTACKS)}")
    options.heard = set()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    return options


def broken(options):
    """Runs the chosen attacks. The result is the number of breaches."""
    count = 0
    for identifier, generator in ATTACKS.items():
        is_meant = identifier in options.names if options.names else options.scale > 1 or not generator.only_full
        for threads in (options.threads or [1]) if is_meant else []:
            for breach in play(options, generator, threads):
                print(f"broken: {identifier} {generator.__name__}, threads {threads}: {breach}", flush=True)
                count += 1
    return count


def main(description):
    sys.exit(1 if broken(arguments(description)) else 0)
