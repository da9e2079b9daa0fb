"""Clients that write and know the values that must be there after a crash. Python 3.9+, standard library only."""
import random, time
from harness import Refused


class Writer:
    """A client that makes one change after the other with `sync`, on two channels of its own."""

    def __init__(self, number, seed):
        self.random = random.Random(f"{seed}/{number}")
        self.channels = [f"w/{number}/{side}" for side in ("a", "b")]
        self.steps = 0
        # Moments of acknowledgements with the state of both channels then; None: the channels do not exist.
        self.history = [(0, None)]
        # Moments of acknowledgements with the newest revision of each.
        self.revisions = []

    async def run(self, client, steps):
        for _ in range(steps):
            self.steps += 1
            state = self.history[-1][1]
            op = self.random.choice(("put", "put", "put", "put", "set", "finish", "delete"))
            if state is not None and state["state"] == "completed":
                state = {**state, "state": "open"}
                await self.ask(client, state, "reopen", channel=self.channels[0])
            await getattr(self, op if state is not None and state["state"] == "open" else "put")(client, state)

    async def put(self, client, state):
        value = f"{self.steps}:" + self.random.choice("xyz") * self.random.choice((1, 100, 5_000, 60_000))
        entries = [{"channel": channel, "value": value} for channel in self.channels]
        await self.ask(client, {"state": "open", "a": value, "b": value}, "put", set=entries)

    async def set(self, client, state):
        value = f"{self.steps}:set"
        await self.ask(client, {**state, "b": value}, "set", channel=self.channels[1], value=value)

    async def finish(self, client, state):
        await self.ask(client, {**state, "state": "completed"}, "finish", channel=self.channels[0])

    async def delete(self, client, state):
        # Two deletions are two changes, with a state between them.
        await self.ask(client, {**state, "state": "deleted", "a": None}, "delete", channel=self.channels[0])
        await self.ask(client, None, "delete", channel=self.channels[1])

    async def ask(self, client, after, op, **keys):
        # The change may be there from now on, and must be there from the answer on.
        self.history.append((float("inf"), after))
        answer = await client.ask(op, sync=True, **keys)
        now = time.monotonic_ns()
        self.history[-1] = (now, after)
        self.revisions.append((now, max(answer["revs"]) if "revs" in answer else answer["rev"]))

    def possible(self, moment, promises=True):
        """The states that both channels may have after a crash at a moment.

        One is the state acknowledged last, another that of the change under way then. Without the promises of `sync`, each
        earlier state is possible, too.
        """
        last = max(index for index, (told, _) in enumerate(self.history) if told <= moment and told != float("inf"))
        return [state for _, state in self.history[last if promises else 0:last + 2]]

    async def standing(self, client):
        """The state of both channels at racd."""
        told = []
        for channel in self.channels:
            try:
                told.append(await client.ask("get", channel=channel))
            except Refused as refused:
                if refused.code != "no-such-channel":
                    raise
                told.append(None)
        a, b = told
        if a is None and b is None:
            return None
        return {"state": a["state"] if a else "deleted", "a": a and a.get("value"), "b": b and b.get("value")}

    def found(self, state):
        """Goes on from the state that was found after a crash."""
        self.history = [(0, state)]


def shown(state):
    return state and {key: value if value is None else value[:20] for key, value in state.items()}
