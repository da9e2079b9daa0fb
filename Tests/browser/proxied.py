"""Scenes of the page behind a proxy."""
import contextlib, socket, socketserver, threading
from stage import connected, expect, until

NAME = "room/volume"


def proxy(stage, prefix="", host=None):
    """The address of a proxy before racd, which takes a prefix off each path, and may change the header Host."""
    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            # A browser that goes away in the middle is no fault.
            with contextlib.suppress(OSError):
                pass_on(self.request, stage.racd.port, prefix.encode(), host and host.encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stage.closing.callback(server.server_close)
    stage.closing.callback(server.shutdown)
    return f"http://127.0.0.1:{server.server_address[1]}{prefix}"


def pass_on(browser, port, prefix, host):
    """Passes one request on, and all that follows if it leads to a WebSocket."""
    text = b""
    while b"\r\n\r\n" not in text:
        more = browser.recv(4096)
        if not more:
            return
        text += more
    head, _, rest = text.partition(b"\r\n\r\n")
    line, *headers = head.split(b"\r\n")
    method, path, version = line.split(b" ")
    if not path.startswith(prefix + b"/"):
        browser.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        return
    fields = [tuple(field.split(b":", 1)) for field in headers]
    names = [name.lower() for name, _ in fields]
    if host:
        fields = [(name, b" " + host if name.lower() == b"host" else value) for name, value in fields]
    if b"upgrade" not in names:
        fields = [(name, value) for name, value in fields if name.lower() != b"connection"] + [(b"Connection", b" close")]
    lines = [b" ".join((method, path[len(prefix):], version)), *(b":".join(field) for field in fields)]
    with socket.create_connection(("127.0.0.1", port)) as racd:
        racd.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + rest)
        threading.Thread(target=pour, args=(browser, racd), daemon=True).start()
        pour(racd, browser)


def pour(source, target):
    """Passes bytes on until one side ends."""
    with contextlib.suppress(OSError):
        while more := source.recv(1 << 16):
            target.sendall(more)
        target.shutdown(socket.SHUT_WR)


def below_a_path(stage):
    """The page and the examples work below a path of a proxy that takes the path off."""
    stage.set(NAME, 7)
    one = stage.browser()
    address = proxy(stage, "/below/racd")
    one.open(f"{address}/#channels/{NAME}")
    connected(one)
    until("the value is shown", lambda: one.text("#value") == "7")
    stage.set(NAME, 8)
    until("the next value is shown", lambda: one.text("#value") == "8")
    one.open(f"{address}/examples")
    until("the folder has its slash", lambda: one.run("return location.href") == f"{address}/examples/")
    one.open(f"{address}/examples/button.html")
    until("the example is connected", lambda: one.is_enabled("#blink"))


def changed_host(stage):
    """Behind a proxy that changes the header Host, the page says that racd refuses it, and what helps."""
    stage.expected = ["WebSocket connection to", "status of 403"]
    one = stage.browser()
    address = proxy(stage, host=f"127.0.0.1:{stage.racd.port}")
    one.open(f"{address}/")
    until("the page says why", lambda: "racd refuses this page: " in (one.text("#notice") or ""))
    words = one.text("#notice")
    expect(f"a page of '{address}'" in words and "'origins' of [web]" in words, f"the page says {words}")


SCENES = [below_a_path, changed_host]
