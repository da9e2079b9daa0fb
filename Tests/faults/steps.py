"""The steps of walk.py: each sends one operation of a client, either at its largest or as often as possible.

A step prepares its bindings, commands or watches, and returns an endless iterator of frames. In a large step `text` has nearly
8 MiB: it becomes a value, an error's data or an unknown key. Python 3.9+, standard library only.
"""
import collections, itertools, json
from attacks import LONG
from harness import Refused, frame
from rawclient import LongMessage, RawClient

STEPS = collections.defaultdict(list)


def step(operation):
    def put(function):
        STEPS[operation].append(function)
        return function
    return put


class Scene:
    """A client of a step with its names and texts."""

    def __init__(self, crowd, client, number, large, neighbours):
        self.crowd, self.client, self.large = crowd, client, large
        self.neighbours = neighbours if large else 1
        self.text = "x" * LONG if large else "x"
        self.count = 100 if large else 1
        self.name = f"walk/{number}".ljust(245, "-") if large else f"walk/{number}"
        self.error = {"code": "walk", "message": "", "data": self.text}

    def ask(self, op, **keys):
        return self.client.ask(op, **keys)

    def refuses(self, op, **keys):
        """Whether racd refuses the request with `limit`."""
        try:
            self.ask(op, **keys)
            return False
        except Refused as refused:
            if refused.code == "limit":
                return True
            raise

    def message(self, op, **keys):
        """A function that returns the next frame. An iterator as a value gives each frame its next element."""
        counted = {key: value for key, value in keys.items() if hasattr(value, "__next__")}
        fixed = {key: value for key, value in keys.items() if key not in counted}
        long = {key: value for key, value in fixed.items() if len(json.dumps(value)) > 1000}
        short = {"op": op, **{key: value for key, value in fixed.items() if key not in long}}
        begin = LongMessage(**long) if long else None

        def next_frame():
            keys = {**short, **{key: next(value) for key, value in counted.items()}}
            return begin.frame(**keys) if begin else frame(keys)
        return next_frame

    def request(self, op, **keys):
        return self.message(op, id=self.client.ids, **keys)

    def again(self, *messages):
        """The frames of the messages in turns, without an end."""
        for message in itertools.cycle(messages):
            yield message()

    def bound(self, **keys):
        """Binds the client to both terminals of its channel. The result is the number of the following one."""
        self.ask("bind", channel=self.name, role="leading", conflate=False)
        return self.ask("bind", channel=self.name, **keys)["t"]

    def executions(self, count):
        """Executes a command that the client itself hosts and observes. The result is the numbers of the executions."""
        self.ask("host", command=self.name, concurrent=True)
        self.ask("observe", command=self.name)
        return [self.ask("exec", command=self.name)["x"] for _ in range(count)]

    def bind_neighbours(self):
        """Binds other clients to both terminals of the channel."""
        for _ in range(self.neighbours):
            neighbour = self.crowd.deaf(agent="\1" * 255, name="\1" * 255)
            neighbour.ask("bind", channel=self.name)
            neighbour.ask("bind", channel=self.name, role="leading")

    def watched(self, patterns):
        """The numbers of patterns. Another client watches them too, so that the numbers stay."""
        holder = self.crowd.deaf()
        numbers = [holder.ask("watch", pattern=pattern)["w"] for pattern in patterns]
        holder.listen()
        return numbers


# Connections.

@step("hello")
def hello(scene):
    token = "t" * 60_000 if scene.large else "t"

    def connect():
        former = None
        while True:
            client = RawClient(scene.crowd.port, session=scene.name[:64], token=token, agent="a" * 255)
            client.ask("bind", channel=scene.name)
            if former:
                former.close()
            scene.client.heard += client.heard
            former = client
            yield b""
    return connect()


@step("bye")
def bye(scene):
    def come_and_go():
        while True:
            client = RawClient(scene.crowd.port)
            client.send(*(client.request("bind", channel=f"{scene.name}/{number}") for number in range(10 * scene.count)),
                        frame({"op": "bye"}))
            client.hear()
            yield b""
            client.close()
    return come_and_go()


@step("ping")
def ping(scene):
    return scene.again(scene.message("ping", extra=scene.text), scene.request("ping", extra=scene.text))


@step("pong")
def pong(scene):
    return scene.again(scene.message("pong", extra=scene.text))


# Values.

@step("get")
def get(scene):
    scene.ask("set", channel=scene.name, value=scene.text)
    return scene.again(scene.request("get", channel=scene.name))


@step("set")
def set_value(scene):
    scene.bind_neighbours()
    return scene.again(scene.request("set", channel=scene.name, value=scene.text),
                       scene.request("set", channel=scene.name, value=1, **{"if": 0}))


@step("put")
def put(scene):
    name = "walk/put".ljust(245, "-") if scene.large else "walk/put"
    entries = [{"channel": f"{name}/{number}", "value": 1} for number in range(25_000 if scene.large else 2)]
    while scene.refuses("put", set=entries):
        entries = entries[:len(entries) // 2]
    return scene.again(scene.request("put", set=entries))


@step("next")
def send(scene):
    t, n = scene.bound(), itertools.count(1)
    return scene.again(scene.message("next", t=t, n=n, value=scene.text),
                       scene.message("next", t=t, n=n, value=1, **{"if": 0}))


# Bindings.

@step("bind")
def bind(scene):
    t = scene.bound()
    return scene.again(scene.request("unbind", t=t),
                       scene.request("bind", channel=scene.name, will={"value": scene.text}))


@step("unbind")
def unbind(scene):
    channels = [f"{scene.name}/{number}" for number in range(scene.count)]
    scene.ask("put", set=[{"channel": channel, "value": 1} for channel in channels])
    numbers = [scene.ask("bind", channel=channel)["t"] for channel in channels]
    unbinds = scene.request("unbind", t=itertools.cycle(numbers))
    binds = scene.request("bind", channel=itertools.cycle(channels), default=scene.text)
    return scene.again(*[unbinds] * scene.count, *[binds] * scene.count)


# Ends.

@step("completed")
def completed(scene):
    scene.ask("set", channel=scene.name, value=scene.text)
    t, n = scene.bound(), itertools.count(1)
    return scene.again(scene.message("completed", t=t, n=n), scene.request("reopen", channel=scene.name),
                       scene.request("bind", channel=scene.name))


@step("error")
def error(scene):
    t, n = scene.bound(), itertools.count(1)
    return scene.again(scene.message("error", t=t, n=n, error=scene.error), scene.request("reopen", channel=scene.name),
                       scene.request("bind", channel=scene.name))


@step("finish")
def finish(scene):
    scene.bound()
    scene.bind_neighbours()
    return scene.again(scene.request("finish", channel=scene.name, error=scene.error),
                       scene.request("reopen", channel=scene.name))


@step("reopen")
def reopen(scene):
    scene.ask("set", channel=scene.name, value=scene.text)
    return scene.again(scene.request("finish", channel=scene.name), scene.request("reopen", channel=scene.name))


# Channels.

@step("create")
def create(scene):
    return scene.again(scene.request("create", channel=scene.name, mode="paired", value=scene.text),
                       scene.request("delete", channel=scene.name))


@step("delete")
def delete(scene):
    return scene.again(scene.request("set", channel=scene.name, value=scene.text),
                       scene.request("bind", channel=scene.name), scene.request("delete", channel=scene.name))


@step("list")
def list_names(scene):
    entries = [{"channel": f"{scene.name}/{number}", "value": 1} for number in range(10 * scene.count)]
    scene.ask("put", set=entries)
    keys = {"pattern": "walk/**"} if scene.large else {"pattern": "walk/*", "limit": 1}
    return scene.again(scene.request("list", **keys))


@step("who")
def who(scene):
    scene.bound()
    scene.bind_neighbours()
    return scene.again(scene.request("who", channel=scene.name))


@step("who")
def who_is_connected(scene):
    """Lists all connections, among them as many neighbours as one client may have here."""
    scene.bind_neighbours()
    return scene.again(scene.request("who") if scene.large else scene.request("who", limit=1))


# Watches.

@step("watch")
def watch(scene):
    scene.ask("set", channel=scene.name, value=scene.text)
    w, = scene.watched([scene.name + "/**"])
    return scene.again(scene.request("watch", pattern=scene.name + "/**"),
                       scene.request("set", channel=scene.name, value=1), scene.request("unwatch", w=w))


@step("unwatch")
def unwatch(scene):
    patterns = [f"walk/*/{number}" for number in range(scene.count)]
    numbers = scene.watched(patterns)
    return scene.again(*(scene.request("watch", pattern=pattern) for pattern in patterns),
                       *(scene.request("unwatch", w=w) for w in numbers))


# Commands.

@step("host")
@step("unhost")
def host(scene):
    c = scene.ask("host", command=scene.name)["c"]
    return scene.again(scene.request("unhost", c=c), scene.request("host", command=scene.name, concurrent=True))


@step("enabled")
def enabled(scene):
    c = scene.ask("host", command=scene.name)["c"]
    scene.ask("observe", command=scene.name)
    return scene.again(scene.message("enabled", c=c, enabled=False), scene.message("enabled", c=c, enabled=True))


@step("observe")
@step("unobserve")
def observe(scene):
    scene.ask("host", command=scene.name)
    c = scene.ask("observe", command=scene.name)["c"]
    return scene.again(scene.request("unobserve", c=c), scene.request("observe", command=scene.name))


@step("commands")
def list_commands(scene):
    for number in range(10 * scene.count):
        if scene.refuses("host", command=f"{scene.name}/{number}"):
            break
    keys = {"pattern": "walk/**"} if scene.large else {"pattern": "walk/*", "limit": 1}
    return scene.again(scene.request("commands", **keys))


@step("forget")
def forget(scene):
    """Hosts a command, leaves it and forgets it, by turns, while the client observes it."""
    c = scene.ask("observe", command=scene.name)["c"]
    return scene.again(scene.request("host", command=scene.name), scene.request("unhost", c=c),
                       scene.request("forget", command=scene.name))


@step("exec")
def execute(scene):
    scene.executions(1)
    return scene.again(scene.request("exec", command=scene.name, input=scene.text))


@step("next")
def tell(scene):
    x, = scene.executions(1)
    return scene.again(scene.message("next", x=x, value=scene.text))


@step("completed")
def complete_execution(scene):
    return scene.again(*(scene.message("completed", x=x) for x in scene.executions(100)))


@step("error")
def fail_execution(scene):
    return scene.again(scene.message("error", x=itertools.cycle(scene.executions(100)), error=scene.error))


@step("cancel")
def cancel(scene):
    return scene.again(*(scene.message("cancel", x=x) for x in scene.executions(100)))
