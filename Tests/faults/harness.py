"""A real racd and clients of it, for the programs beside this file. Python 3.9+, standard library only."""
import asyncio, json, os, pathlib, re, shutil, struct, subprocess, tempfile, threading, zlib
from signal import SIGTERM

PATIENCE = 120.0
# The host of addresses with TLS: one configuration has no two addresses with one host and port 0.
TLS_HOST = "127.0.0.2"


class Fault(Exception):
    """A promise that was broken."""


def compiled(source, folder):
    """A shared object made of a C file beside this one."""
    path = pathlib.Path(__file__).with_name(source)
    result = os.path.join(folder, path.stem + ".so")
    subprocess.run(["cc", "-Wall", "-Wextra", "-O1", "-shared", "-fPIC", "-o", result, path, "-ldl", "-lpthread"], check=True)
    return result


class Racd:
    """`racd serve` on a port, by default a free one, or on the addresses of a configuration file, ended by `end` or `kill`."""

    def __init__(self, binary, data, *arguments, environment=None, prefix=(), configuration=None, port=0):
        self.log = tempfile.TemporaryFile()
        storage = ["--memory"] if data is None else ["--data", data]
        addresses = ["--listen", f"127.0.0.1:{port}"] if configuration is None else ["--config", configuration]
        self.process = subprocess.Popen(
            [*prefix, binary, "serve", *addresses, *storage, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env={**os.environ, **(environment or {})})
        # A racd that hangs is ended, and has reported nothing then.
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        self.line = self.process.stdout.readline().decode()
        timer.cancel()
        ports = {kind: int(port) for kind, port in re.findall(r"(tcp|tls)=127\.0\.0\.[12]:(\d+)", self.line)}
        if not ports:
            self.process.wait()
            raise Fault(f"racd did not start: {self.errors()}")
        self.port, self.tls_port = ports.get("tcp"), ports.get("tls")

    @classmethod
    async def started(cls, *arguments, **options):
        """Starts a racd without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, lambda: cls(*arguments, **options))

    def logged(self):
        """All that racd has logged."""
        # racd writes at the position that both processes share, so a reading must not move it.
        file = self.log.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")

    def errors(self):
        return self.logged()[-2000:].strip()

    def signal(self, number):
        self.process.send_signal(number)

    async def end(self, number=SIGTERM):
        """Ends racd by a signal; returns its exit status."""
        if self.process.poll() is None:
            self.signal(number)
        loop = asyncio.get_running_loop()
        status = await asyncio.wait_for(loop.run_in_executor(None, self.process.wait), PATIENCE)
        self.process.stdout.close()
        return status

    @property
    def is_running(self):
        return self.process.poll() is None

    # The resources that racd uses.

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"^{key}:\s*(\d+)", file.read(), re.M).group(1))

    def resident(self):
        """The resident memory of racd in bytes."""
        return self.status("VmRSS") * 1024

    def peak(self):
        """The peak of the resident memory of racd, in bytes."""
        return self.status("VmHWM") * 1024

    def forget_peak(self):
        """Lets `peak` begin anew with the present memory."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def threads(self):
        return self.status("Threads")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def doing(self):
        """The state of each thread, to explain why racd does not answer; with gdb, if it is installed, its backtrace, too."""
        threads = []
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            words = (thread / "stat").read_text().rpartition(")")[2].split()
            threads.append(f"{(thread / 'comm').read_text().strip()} {words[0]} {(thread / 'wchan').read_text()} "
                           f"{(thread / 'syscall').read_text().split()[0]}, {int(words[11]) + int(words[12])} ticks")
        if gdb := shutil.which("gdb"):
            found = subprocess.run([gdb, "--batch", "-p", str(self.process.pid), "-ex", "thread apply all backtrace 12"],
                                   stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
            threads.append(found.stdout[-6000:])
        return "\n".join([*threads, self.errors()])


def frame(message, deflate=False):
    payload = message if isinstance(message, bytes) else json.dumps(message, separators=(",", ":")).encode()
    if deflate:
        payload = zlib.compress(payload)
    return struct.pack(">I", len(payload) | (0x80000000 if deflate else 0)) + payload


class Lost(Exception):
    """The connection is gone."""


class Refused(Exception):
    """A request was refused; `answer` is the whole message and `code` its error code."""

    def __init__(self, answer):
        super().__init__(answer["error"]["code"] + ": " + answer["error"]["message"])
        self.answer, self.code = answer, answer["error"]["code"]


class Client:
    """A connection that has sent its hello; a message that answers no request goes into `events`."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.waiting, self.last_id, self.events, self.lost = {}, 0, asyncio.Queue(), None
        self.task = asyncio.create_task(self.hear())

    @classmethod
    async def connected(cls, port, tls=None, **hello):
        """Connects to a port, or to the path of a Unix socket; `tls` is the context of a client of TLS."""
        if isinstance(port, str):
            reader, writer = await asyncio.open_unix_connection(port, limit=1 << 26)
        else:
            host, name = (TLS_HOST, "localhost") if tls else ("127.0.0.1", None)
            reader, writer = await asyncio.open_connection(host, port, limit=1 << 26, ssl=tls, server_hostname=name)
        client = cls(reader, writer)
        client.send(op="hello", version=1, **hello)
        welcome = await client.event()
        if welcome["op"] != "welcome":
            client.close()
            raise Refused(welcome)
        return client

    async def hear(self):
        try:
            while True:
                length, = struct.unpack(">I", await self.reader.readexactly(4))
                payload = await self.reader.readexactly(length & 0x7FFFFFFF)
                self.heard(json.loads(zlib.decompress(payload) if length >> 31 else payload))
        except (asyncio.IncompleteReadError, OSError) as error:
            self.lost = error
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_exception(Lost())
        self.events.put_nowait(None)

    def heard(self, message):
        answer = self.waiting.pop(message.get("id"), None) if message["op"] in ("reply", "refused") else None
        if message["op"] == "ping":
            self.send(op="pong")
        elif answer is None:
            self.events.put_nowait(message)
        elif answer.done():
            pass
        elif message["op"] == "reply":
            answer.set_result(message)
        else:
            answer.set_exception(Refused(message))

    def send(self, **message):
        if self.lost is None and not self.writer.is_closing():
            self.writer.write(frame(message))

    async def event(self):
        """The next event."""
        event = await asyncio.wait_for(self.events.get(), PATIENCE)
        if event is None:
            raise Lost()
        return event

    async def ask(self, op, **keys):
        """The answer to a request; raises Refused or Lost."""
        if self.lost is not None:
            raise Lost()
        self.last_id += 1
        answer = self.waiting[self.last_id] = asyncio.get_running_loop().create_future()
        self.send(op=op, id=self.last_id, **keys)
        return await asyncio.wait_for(answer, PATIENCE)

    def close(self):
        self.task.cancel()
        self.writer.close()


async def eventually(what, condition):
    """Waits for a condition, which may be awaitable."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE
    while loop.time() < deadline:
        result = condition()
        if asyncio.iscoroutine(result):
            result = await result
        if result:
            return result
        await asyncio.sleep(0.02)
    raise Fault(f"{what}: not within {PATIENCE:.0f} s")
