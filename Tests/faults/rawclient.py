"""A blocking client, for programs that attack a racd. Python 3.9+, standard library only.

harness.Client is a task of an event loop. A RawClient sends from any thread, and reads in its own thread or not at all.
"""
import collections, itertools, json, re, socket, struct, threading, zlib
from harness import PATIENCE, Lost, Refused, frame

OP = re.compile(rb'\{"op":"(\w+)"')
CODE = re.compile(rb'"code":"([^"]+)"')


class LongMessage:
    """A message whose long part is compressed once, so that a frame costs the client next to nothing."""

    def __init__(self, **keys):
        self.stream = zlib.compressobj(1)
        begin = json.dumps(keys, separators=(",", ":"))[:-1] + ","
        self.head = self.stream.compress(begin.encode()) + self.stream.flush(zlib.Z_SYNC_FLUSH)

    def frame(self, **keys):
        """A compressed frame: the long part, then these keys."""
        stream = self.stream.copy()
        rest = json.dumps(keys, separators=(",", ":"))[1:]
        payload = self.head + stream.compress(rest.encode()) + stream.flush()
        return struct.pack(">I", len(payload) | 0x80000000) + payload


class RawClient:
    """A connection after its hello. Until `listen` only `ask` and `read` read from it."""

    def __init__(self, port, buffer=None, **hello):
        self.socket = socket.socket()
        if buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.ids = itertools.count(1)
        self.asked = self.answered = 0
        self.heard, self.codes = collections.Counter(), collections.Counter()
        self.thread = None
        self.send(frame({"op": "hello", "version": 1, **hello}))
        self.welcome = self.read()
        if self.welcome["op"] != "welcome":
            raise Refused(self.welcome)

    # Sending.

    def send(self, *frames):
        """Sends the frames, and blocks while racd does not read. The result says whether the connection is still open."""
        try:
            self.socket.sendall(b"".join(frames))
            return True
        except OSError:
            return False

    def request(self, op, long=None, **keys):
        """The frame of a request with a new id; `long` has the long part of the message."""
        self.asked += 1
        keys = {"op": op, "id": next(self.ids), **keys}
        return long.frame(**keys) if long else frame(keys)

    def ask(self, op, **keys):
        """The reply to a request. Events before the reply are dropped."""
        self.send(self.request(op, **keys))
        while True:
            message = self.read()
            if message["op"] == "reply":
                return message
            if message["op"] == "refused":
                raise Refused(message)

    # Reading.

    def payload(self):
        header = self.file.read(4)
        if len(header) < 4:
            raise Lost()
        length, = struct.unpack(">I", header)
        payload = self.file.read(length & 0x7FFFFFFF)
        if len(payload) < length & 0x7FFFFFFF:
            raise Lost()
        return zlib.decompress(payload) if length >> 31 else payload

    def read(self, *ops):
        """The next message, or the next message with one of these operations."""
        while True:
            payload = self.payload()
            self.note(payload)
            message = json.loads(payload)
            if not ops or message["op"] in ops:
                return message

    def note(self, payload):
        """Counts a message. racd writes the op first."""
        op = OP.match(payload)[1].decode()
        self.heard[op] += 1
        self.answered += op in ("reply", "refused")
        if op in ("refused", "nak", "error") and (code := CODE.search(payload[:400])):
            self.codes[code[1].decode()] += 1

    def listen(self):
        """Starts a thread that reads and counts every message, and answers pings."""
        self.thread = threading.Thread(target=self.hear, daemon=True)
        self.thread.start()
        return self

    def hear(self):
        self.socket.settimeout(None)
        try:
            while True:
                payload = self.payload()
                self.note(payload)
                if payload == b'{"op":"ping"}':
                    self.send(frame({"op": "pong"}))
        except (Lost, OSError, ValueError):
            pass

    @property
    def is_answered(self):
        """Whether each request has its answer, or no thread reads answers."""
        return self.thread is None or not self.thread.is_alive() or self.answered >= self.asked

    def close(self):
        """Closes the connection without a bye. Threads that are blocked in it return."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        # The file keeps the socket open, and racd sees the end of a deaf client only when the socket is closed.
        self.file.close()
        self.socket.close()
