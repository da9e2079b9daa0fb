#!/usr/bin/env python3
"""Attacks on the time of a real racd, each of which once made every other client wait for seconds.

    starvation.py --racd PATH [--threads 1|3] [--debug] [--small|--full] [ATTACK…]

Another client measures its waits. The longest must stay below 100 ms and p99 below 20 ms. With --debug the longest may have
half of the attack's time, or 500 ms, and p99 is not judged. The daemon must not grow beyond the bound of the attack, and must give the memory back within
10 s after the attackers left. The exit status is 1 after a breach. Python 3.9+, standard library only.
"""
import base64, os, struct
from attacks import CONNECTION, DAEMON, LONG, WORKING, attack, main, name, patterns


@attack("A1")
def lists(crowd):
    """Three clients with a hundred lists each over many names without a match."""
    crowd.set(f"n/{number}" for number in range(60_000 * crowd.scale))
    clients = [crowd.reader() for _ in range(3)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("list", pattern="**/zz") for _ in range(100)))


@attack("A2", seconds=8.0)
def long_lists(crowd):
    """Lists that are slow to match. Enough of them made racd take live clients for lost."""
    crowd.set(f"{number}/" + "a/" * 120 + "a" for number in range(20_000))
    clients = [crowd.reader() for _ in range(8 * crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("list", pattern="**/" + "a/" * 40 + "zz") for _ in range(20)))


@attack("A3")
def crowds_of_binders(crowd):
    """Hundreds of `who` from a client that reads fast, with 1.6 MB in each answer."""
    for _ in range(500):
        client = crowd.deaf(agent="\1" * 255)
        client.ask("bind", channel="who")
        client.ask("bind", channel="who", role="leading")
    clients = [crowd.reader() for _ in range(crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("who", channel="who") for _ in range(500)))


@attack("A4")
def slow_patterns(crowd):
    """A put of names that are slow to match with a thousand watched patterns."""
    slow = ["**/" + "a/" * 40 + f"b{number}/**/z" for number in range(1000)]
    for watcher, watches in crowd.watchers(slow, crowd.reader, most=20):
        watcher.send(*watches)
    client = crowd.reader()
    yield
    entries = [{"channel": "a/" * 120 + f"n{number}", "value": 1} for number in range(30 * crowd.scale)]
    crowd.work(client.send, client.request("put", set=entries))


@attack("A5", grows=2 * CONNECTION + WORKING)
def long_values_of_patterns(crowd):
    """A value of 8 MiB in a channel that matches many watches, for a deaf and a reading watcher."""
    crowd.set([name("long")])
    for connect in (crowd.deaf, crowd.reader):
        for watcher, watches in crowd.watchers(patterns(100 * crowd.scale), connect):
            watcher.send(*watches)
    yield
    crowd.set([name("long")] * 2, "x" * LONG)
    yield
    crowd.delete([name("long")])


@attack("A6")
def toggled_watch(crowd):
    """A watch that comes and goes beside a thousand others, while channels change."""
    toggler, client = crowd.deaf(), crowd.reader()
    for watcher, watches in crowd.watchers(patterns(999), crowd.reader):
        watcher.send(*watches)
    yield

    def toggle():
        while not crowd.is_over:
            toggler.ask("unwatch", w=toggler.ask("watch", pattern="toggled/*")["w"])

    def change():
        while not crowd.is_over:
            client.send(*(client.request("set", channel=f"changed/{number}", value=1) for number in range(200)))
            crowd.until(lambda: client.is_answered)
    crowd.work(toggle)
    crowd.work(change)


@attack("A7", grows=CONNECTION + DAEMON)
def long_put(crowd):
    """A put of two hundred thousand entries."""
    client = crowd.reader()
    yield
    for part in range(crowd.scale):
        entries = [{"channel": f"{part}/{number}", "value": 1} for number in range(200_000)]
        client.send(client.request("put", set=entries))
    yield
    crowd.delete(f"{part}/{number}" for part in range(crowd.scale) for number in range(200_000))


@attack("A8", grows=DAEMON + WORKING)
def compressed_answers(crowd):
    """Many clients that pipeline requests for a long value, compressed."""
    crowd.set(["long"], base64.b64encode(os.urandom(675_000)).decode())
    clients = [crowd.reader(deflate=True) for _ in range(30 + 5 * crowd.scale)]
    yield
    for client in clients:
        crowd.work(client.send, *(client.request("get", channel="long") for _ in range(100)))


@attack("A9", grows=CONNECTION + DAEMON + WORKING)
def long_frames(crowd):
    """Fifty clients, half of them deaf, with frames of 8 MiB that are slow to read, one behind the other."""
    ones = b"[" + b"1," * (LONG // 2) + b"1]"
    entry = b'{"channel":"long/entry","value":[' + b"1," * 1000 + b"1]}"
    entries = b"[" + b",".join([entry] * (LONG // len(entry) - 1)) + b"]"
    clients = [connect() for _ in range(25) for connect in (crowd.deaf, crowd.reader)]
    yield
    for number, client in enumerate(clients):
        key = b'"op":"put","set":' + entries if number % 4 == 0 else b'"op":"set","channel":"long","value":' + ones
        crowd.work(send_on, crowd, client, [b'{"id":1,' + key + b"}"])
    yield
    crowd.delete_all("long/**")


@attack("A10", grows=CONNECTION + WORKING)
def tiny_messages(crowd):
    """Fifty clients, half of them deaf, with thousands of the shortest messages, one burst behind the other."""
    clients = [connect() for _ in range(25) for connect in (crowd.deaf, crowd.reader)]
    yield
    kinds = [[text.encode()] * 4000 for text in (
        '{"op":"pong"}', '{"op":"ping"}', '{"op":"next","t":1,"n":1,"value":1}', '{"id":1,"op":"get","channel":"none"}',
        '{"id":1,"op":"set","channel":"tiny","value":1}')]
    for number, client in enumerate(clients):
        crowd.work(send_on, crowd, client, kinds[number // 2 % len(kinds)])


@attack("A11", grows=2 * CONNECTION + WORKING)
def host_goes(crowd):
    """Two hosts with thousands of executions and many observers: one unhosts its command, and one is lost."""
    count, hosts = 5000 * min(2, crowd.scale), []
    for kind in ("unhosted", "lost"):
        host, caller = crowd.deaf(), crowd.reader()
        command = host.ask("host", command=kind, concurrent=True)["c"]
        host.listen()
        for number in range(50):
            observer = crowd.deaf()
            observer.ask("observe", command=kind)
            if number % 2:
                observer.listen()
        caller.send(*(caller.request("exec", command=kind) for _ in range(count)))
        hosts.append((host, command))
    yield
    (unhosts, command), (lost, _) = hosts
    unhosts.send(unhosts.request("unhost", c=command))
    lost.close()


@attack("A12", grows=DAEMON + WORKING)
def long_answers_of_http(crowd):
    """Ninety requests of HTTP at once, each of which is answered with a value of 8 MiB."""
    crowd.set(["long"], "x" * LONG)
    yield
    kinds = [("GET", "/v1/channels/long"), ("GET", "/v1/channels/long", "Accept: text/event-stream"),
             ("GET", "/v1/watch?pattern=long"), ("PUT", "/v1/channels/long", 'If-Match: "7"', "Content-Length: 0")]
    for number in range(90 * crowd.scale):
        crowd.web(kinds[number % len(kinds)])


@attack("A13", grows=CONNECTION + WORKING)
def shortest_chunks(crowd):
    """Twenty bodies in chunks of one byte, one behind the other."""
    body = b"1\r\n\"\r\n" + b"1\r\nx\r\n" * 200_000 + b"1\r\n\"\r\n0\r\n\r\n"
    clients = [crowd.web() for _ in range(20 * crowd.scale)]
    yield
    head = b"PUT /v1/channels/short HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for client in clients:
        crowd.work(client.send, head + body)


def send_on(crowd, client, payloads):
    """Sends frames with these payloads again and again until the attack is over."""
    burst = b"".join(struct.pack(">I", len(payload)) + payload for payload in payloads)
    while not crowd.is_over and client.send(burst):
        pass


if __name__ == "__main__":
    main(__doc__)
