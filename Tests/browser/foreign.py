"""Scenes of pages that have no business with racd."""
from stage import expect, until

# Each way to reach racd, and its end: `refused`, or `opaque` for an answer that the page cannot read.
ATTEMPTS = """
const [racd] = arguments;
const ways = {
  async socket() {
    const socket = new WebSocket(racd.replace("http", "ws") + "/rac", "rac.v1");
    return new Promise((resolve) => { socket.onopen = () => resolve("open"); socket.onerror = () => resolve("refused"); });
  },
  async events() {
    const source = new EventSource(racd + "/v1/channels/secret");
    return new Promise((resolve) => { source.onmessage = () => resolve("open"); source.addEventListener("value", source.onmessage);
      source.onerror = () => resolve(source.readyState === EventSource.CLOSED ? "refused" : "tries again"); });
  },
  script: () => import(racd + "/rac.js").then(() => "open"),
  read: () => fetch(racd + "/v1/channels/secret").then((answer) => answer.text()),
  readWithCookies: () => fetch(racd + "/v1/channels/secret", { credentials: "include" }).then((answer) => answer.text()),
  readBlindly: () => fetch(racd + "/v1/channels/secret", { mode: "no-cors" }).then((answer) => answer.type),
  write: () => fetch(racd + "/v1/channels/written", { method: "PUT", body: "1" }).then(() => "written"),
  remove: () => fetch(racd + "/v1/channels/secret", { method: "DELETE" }).then(() => "written"),
  writeBlindly: () => fetch(racd + "/v1/transactions", { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" },
    body: '{"set":[{"channel":"written","value":1}]}' }).then((answer) => answer.type),
  execute: () => fetch(racd + "/v1/commands/work", { method: "POST", mode: "no-cors", body: "1" }).then((answer) => answer.type),
  async beacon() {
    navigator.sendBeacon(racd + "/v1/transactions", '{"set":[{"channel":"written","value":1}]}');
    return "opaque";
  },
};
const ends = {};
for (const [way, attempt] of Object.entries(ways)) ends[way] = await attempt().catch(() => "refused");
return ends;
"""

# Sends the form, and waits for the answer in the frame.
SUBMIT = """
const [form, frame] = [document.querySelector("form"), document.querySelector("iframe")];
form.action = arguments[0];
return new Promise((resolve) => { frame.onload = () => resolve(); form.submit(); });
"""

PAGE = """<!doctype html>
<title>a stranger</title>
<iframe name="frame"></iframe>
<form method="post" enctype="text/plain" target="frame">
<input name='{"set":[{"channel":"written","value":1}],"' value='":1}'><button>Win a prize</button>
</form>
"""


def other_origin(stage):
    """A page of another origin gets no WebSocket and no value, and writes nothing, with a form neither."""
    stage.set("secret", "nobody may read this")
    before = states(stage)
    stage.expected = [""]
    one = stage.browser()
    one.open(stage.stranger(PAGE))
    ends = one.run(ATTEMPTS, stage.address)
    blind = ("readBlindly", "writeBlindly", "execute", "beacon")
    for way, end in ends.items():
        expect(end == "refused" or end == "opaque" and way in blind, f"a page of another origin got {end!r} by {way}")
    for path in ("/v1/transactions", "/v1/channels", "/v1/channels/secret/complete", "/v1/commands/work", "/v1/session"):
        one.run(SUBMIT, stage.address + path)
    expect(states(stage) == before, f"a page of another origin has left {states(stage)}")


def states(stage):
    return {name: (entry["rev"], entry["state"]) for name, entry in stage.channels().items()}


def framed(stage):
    """No other page shows the page in a frame."""
    stage.expected = ["frame-ancestors", "ERR_BLOCKED_BY_RESPONSE"]
    one = stage.browser()
    one.open(stage.stranger(f"<!doctype html><iframe src='{stage.address}/'></iframe>"))
    until("the browser says why", lambda: any("frame-ancestors" in fault for fault in one.faults()))
    one.driver.switch_to.frame(0)
    expect(one.run("return location.protocol") == "chrome-error:", "the page stands in a frame")
    one.driver.switch_to.default_content()


def rebinding(stage):
    """A foreign name that leads to racd gets nothing, though the browser takes both for one origin."""
    stage.set("secret", "nobody may read this")
    stage.expected = [""]
    one = stage.browser(None, "--host-resolver-rules=MAP evil.test 127.0.0.1")
    evil = f"http://evil.test:{stage.racd.port}"
    one.open(evil + "/")
    status = one.run("return performance.getEntriesByType('navigation')[0].responseStatus")
    expect(status == 421, f"the page came with {status}")
    expect(one.run("return location.origin") == evil, "the browser is elsewhere")
    ends = one.run("""
        const get = (path, options) => fetch(path, options).then(({ status }) => status);
        const socket = () => new Promise((resolve) => {
          const socket = new WebSocket(`ws://${location.host}/rac`, "rac.v1");
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        });
        return [await get("/rac.js"), await get("/v1/channels/secret"), await get("/v1/channels/written", { method: "PUT", body: "1" }),
          await socket()];
    """)
    expect(ends == [421, 421, 421, "refused"], f"a foreign name got {ends}")
    expect(list(stage.channels()) == ["secret"], "a foreign name has written")


SCENES = [other_origin, framed, rebinding]
