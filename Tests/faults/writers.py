"""Clients that write and know what must be there after a crash. Python 3.9+, standard library only."""
import random, time
from harness import Refused


class Writer:
    """Somebody who writes one thing after the other with `sync`, on two channels of its own."""

    def __init__(self, number, seed):
        self.random = random.Random(f"{seed}/{number}")
        self.channels = [f"w/{number}/{side}" for side in ("a", "b")]
        self.steps = 0
        # Moments of acknowledgements, and how both channels stand then; None: they are not there.
        self.history = [(0, None)]
        # Moments and the revisions that were told then.
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
        # Two deletions are two changes; what is between them is a state too.
        await self.ask(client, {**state, "state": "deleted", "a": None}, "delete", channel=self.channels[0])
        await self.ask(client, None, "delete", channel=self.channels[1])

    async def ask(self, client, after, op, **keys):
        # From now on it may be there, from the answer on it must.
        self.history.append((float("inf"), after))
        answer = await client.ask(op, sync=True, **keys)
        now = time.monotonic_ns()
        self.history[-1] = (now, after)
        self.revisions.append((now, max(answer["revs"]) if "revs" in answer else answer["rev"]))

    def possible(self, moment, promises=True):
        """How it may stand after a crash at a moment: as acknowledged last, or as what was under way then; without the
        promises of `sync`, as at any time before."""
        last = max(index for index, (told, _) in enumerate(self.history) if told <= moment and told != float("inf"))
        return [state for _, state in self.history[last if promises else 0:last + 2]]

    async def standing(self, client):
        """How its channels stand."""
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
        """After a crash it goes on from what it found."""
        self.history = [(0, state)]


def shown(state):
    return state and {key: value if value is None else value[:20] for key, value in state.items()}
