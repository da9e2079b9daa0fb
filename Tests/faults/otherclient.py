#!/usr/bin/env python3
"""A client whose waits are measured while others attack, in its own process. Python 3.9+, standard library only.

    otherclient.py PORT

The client pings and sets its own channel in turns until standard input ends, then prints the waits as JSON. A thread of the
process echoes bytes as a control. A late echo means a busy machine, so its lateness is subtracted from the wait for racd. The
client leaves a will, and fails if racd applies it.
"""
import gc, json, os, select, socket, subprocess, sys, threading, time
from harness import PATIENCE, Fault, Lost, Refused
from rawclient import RawClient

PAUSE = 0.002
LATE = 0.003
WILL = "other/will"


class Echo:
    """Round trips through a thread of this process. `held` is the total time of the late ones."""

    def __init__(self):
        self.socket, far = socket.socketpair()
        threading.Thread(target=self.answer, args=(far,), daemon=True).start()
        self.begun, self.next, self.finished = None, 0.0, 0.0

    @staticmethod
    def answer(far):
        try:
            while byte := far.recv(1):
                far.send(byte)
        except OSError:
            pass

    def look(self, now, ready):
        if ready:
            self.socket.recv(1)
            self.finished += self.lateness(now)
            self.begun, self.next = None, now + PAUSE
        elif self.begun is None and now >= self.next:
            self.socket.send(b"e")
            self.begun = now

    def lateness(self, now):
        trip = 0.0 if self.begun is None else now - self.begun
        return trip if trip > LATE else 0.0

    def held(self, now):
        return self.finished + self.lateness(now)


def waits(client, stop):
    """For each round trip until `stop` is readable: its beginning, and the wait in seconds that racd caused."""
    echo, told = Echo(), []
    begun, due, held = None, 0.0, 0.0
    stopped, deadline = False, float("inf")
    while not (stopped and begun is None):
        now = time.monotonic()
        if begun is None and now >= due:
            keys = {"op": "set", "channel": "other/own", "value": len(told)} if len(told) % 2 else {"op": "ping"}
            client.send(client.request(**keys))
            begun, held = now, echo.held(now)
        sources = [client.socket, echo.socket] + ([] if stopped else [stop])
        ready, _, _ = select.select(sources, [], [], PAUSE)
        now = time.monotonic()
        echo.look(now, echo.socket in ready)
        if client.socket in ready:
            client.read("reply", "refused")
            told.append((begun, max(0.0, now - begun - (echo.held(now) - held))))
            begun, due = None, now + PAUSE
        if stop in ready:
            stopped, deadline = True, now + PAUSE + PATIENCE
        if now > deadline:
            raise Fault(f"no answer for {now - begun:.0f} s")
    return told


def main(port):
    gc.disable()
    try:
        client = RawClient(port, agent="other")
        client.ask("bind", channel=WILL, default="alive", will={"value": "lost"})
        print("ready", flush=True)
        told = waits(client, sys.stdin)
        if (value := client.ask("get", channel=WILL)["value"]) != "alive":
            raise Fault(f"the will of a live client is applied: {value}")
        print(json.dumps(told))
        return 0
    except (Fault, Lost, Refused, OSError) as error:
        print(f"{type(error).__name__} {error}")
        return 1


class OtherClient:
    """The process of the other client, seen from its parent."""

    def __init__(self, port):
        self.process = subprocess.Popen([sys.executable, __file__, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if (line := self.process.stdout.readline()) != b"ready\n":
            raise Fault(f"the other client is not served: {line.decode().strip()}")

    def end(self):
        """Ends the process. The result is every round trip since its start."""
        told, _ = self.process.communicate(timeout=2 * PATIENCE)
        if self.process.returncode != 0:
            raise Fault(f"the other client is not served: {told.decode().strip()}")
        return [(begun, wait) for begun, wait in json.loads(told)]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
