"""Scenes of the page at /."""
import json, threading, time

from selenium.webdriver.common.keys import Keys
from stage import Fault, connected, expect, path_of, until

NAME = "room/volume"
CONTROL_ENTER = (Keys.CONTROL, Keys.ENTER)


def address(name, kind="channels"):
    """The address of a channel's view."""
    return f"/#{kind}/" + path_of(name).removeprefix("/v1/channels/")


def row(name):
    """The selector of a channel's row."""
    return f"#tree .row[data-name={json.dumps(name)}]:not([hidden])"


def begin_edit(browser, typed):
    """Opens the editor and types another value."""
    browser.click("[data-act=edit-value]")
    until("the field has the focus", lambda: browser.run("return document.activeElement.id") == "edit")
    browser.press(Keys.CONTROL, "a", Keys.NULL, typed)


def conflicts(stage):
    """An edit against a racing writer shows both values, and nothing is written before somebody has chosen."""
    stage.set(NAME, 7)
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: one.text("#value") == "7")
    begin_edit(one, "9")
    stage.set(NAME, 8)
    one.press(*CONTROL_ENTER)
    for side, value in (("mine", "9"), ("theirs", "8")):
        until("the conflict shows both", lambda: one.text(f"#conflict [data-side={side}]") == value)
    expect(stage.get(NAME) == 8, "the racing writer's value is lost")
    stage.set(NAME, 8.5)
    one.click("[data-act=mine]")
    until("a second race is another conflict", lambda: one.text("#conflict [data-side=theirs]") == "8.5")
    expect(stage.get(NAME) == 8.5, "the second writer's value is lost")
    one.click("[data-act=mine]")
    until("my value is set", lambda: stage.get(NAME) == 9)
    until("the page shows it", lambda: one.text("#value") == "9" and one.run("return document.querySelector('#edit') === null"))

    begin_edit(one, "11")
    stage.set(NAME, 10)
    one.press(*CONTROL_ENTER)
    one.click("[data-act=theirs]")
    until("their value is shown", lambda: one.text("#value") == "10")
    expect(stage.get(NAME) == 10, "a value was set that was given up")
    changes = stage.channels()[NAME]["changes"]
    expect(changes == 5, f"the channel has had {changes} changes, and five were made")


def racing(stage):
    """No change of a counter is lost while people and programs race for it."""
    stage.set(NAME, 0)
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: one.text("#value") == "0")
    is_over, done = threading.Event(), []

    def count():
        while not is_over.wait(0.4):
            # The revision is read first, so the value is as new or newer, and then the condition fails.
            condition = {"If-Match": f'"{stage.channels()[NAME]["rev"]}"'}
            if stage.ask("PUT", path_of(NAME), str(stage.get(NAME) + 1), **condition)[0] == 200:
                done.append(1)

    writer = threading.Thread(target=count)
    writer.start()
    added = 0
    try:
        while added < 3:
            one.click("[data-act=edit-value]")
            value = int(one.find("#edit").get_property("value"))
            one.press(f"{value + 1000}", *CONTROL_ENTER)
            until("it is set or in conflict", lambda: one.run("return document.querySelector('#conflict, [data-act=edit-value]:not([hidden])')"))
            if one.run("return document.querySelector('#conflict') !== null"):
                one.click("[data-act=theirs]")
            else:
                added += 1
    finally:
        is_over.set()
        writer.join()
    expect(stage.get(NAME) == 1000 * added + len(done), f"{stage.get(NAME)} after {added} and {len(done)} increments")


def ends(stage):
    """An end is asked once, reaches every page, and can be taken back; a channel that ends elsewhere ends here."""
    stage.set(NAME, 7)
    one, other = stage.pair(address(NAME))
    for browser in (one, other):
        until("the value is shown", lambda: browser.text("#value") == "7")
    one.click("[data-act=complete]")
    one.click("#dialog [data-act=confirm]")
    for browser in (one, other):
        until("both pages show the end", lambda: browser.text("#state") == "completed")
        until("it cannot be edited", lambda: browser.run("return document.querySelector('[data-act=edit-value]').hidden"))
        until("the row shows it", lambda: browser.run("return document.querySelector(arguments[0]).dataset.state", row(NAME)) == "completed")
    one.click("[data-act=undo]")
    for browser in (one, other):
        until("both pages show it open again", lambda: browser.text("#state") == "open")

    begin_edit(other, "8")
    status, _ = stage.ask("POST", path_of(NAME) + "/fail", json.dumps({"code": "no-signal", "message": "<b>the sensor</b> is away"}))
    expect(status == 200, f"the failure is refused: {status}")
    for browser in (one, other):
        until("both pages show the failure", lambda: browser.text("#channel-error") == "no-signal <b>the sensor</b> is away")
    other.press(*CONTROL_ENTER)
    until("the edit is refused, and kept", lambda: "ended" in (other.text("form.editor .fault") or ""))
    expect(other.value("#edit") == "8", "what was typed is lost")
    status, _ = stage.ask("DELETE", path_of(NAME))
    expect(status == 200, f"the deletion is refused: {status}")
    until("the page tells of the deletion", lambda: "no channel of this name" in one.text("#detail"))


def restart(stage):
    """A racd that is killed and comes back: the page says so, and an edit made meanwhile goes out once."""
    stage.expected = ["ERR_CONNECTION_REFUSED", "WebSocket connection to"]
    stage.set(NAME, 7)
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: one.text("#value") == "7")
    begin_edit(one, "9")
    stage.kill()
    until("the page says so", lambda: "not connected" in one.text("#connection"))
    one.press(*CONTROL_ENTER)
    until("the edit waits", lambda: "Goes out when racd is back" in one.text("form.editor"))
    stage.start()
    until("it goes out", lambda: stage.get(NAME) == 9)
    connected(one)
    until("the page shows it", lambda: one.text("#value") == "9" and one.run("return document.querySelector('#edit') === null"))
    expect(stage.channels()[NAME]["changes"] == 1, f"it went out {stage.channels()[NAME]['changes']} times")


STRANGE = ["<script>document.title = 'broken'</script>".replace("/", "\u2044"), "<img src=x onerror=alert(1)>", "\"quotes\" & 'marks'",
           "مرحبا", "\u202egnp.exe", "a\u200bb", "%2F%00", "..", "?#", "😀", "x" * 255]
VALUES = {"markup": '"<img src=x onerror=alert(1)>&amp;<!--"', "price": "1.50", "large": "18446744073709551616",
          "small": "-0.0", "far": "1e400", "nested": '{"b":[1.50,{"a":null}],"a":"\\u202e"}', "marks": '"\u202eabc\u202c\u200f"'}


def texts(stage):
    """Names and values of script, markup, marks of direction, a mebibyte and exact numbers are shown as they are."""
    stage.put({name: number for number, name in enumerate(STRANGE)})
    for name, value in VALUES.items():
        status, body = stage.ask("PUT", path_of(name), value.encode())
        expect(status == 200, f"{name}: {status} {body}")
    stage.set("long", "y" * (1 << 20))
    one = stage.browser("/")
    connected(one)
    # A mark that a reader does not see stands there by its number.
    seen = {"\u202egnp.exe": "U+202Egnp.exe", "a\u200bb": "aU+200Bb"}
    for number, name in enumerate(STRANGE):
        one.run("location.hash = arguments[0]", address(name)[1:])
        until(f"{name!r} is shown", lambda: one.text("#detail h2") == seen.get(name, name) and one.text("#value") == str(number))
    rows = one.run("return [...document.querySelectorAll('#tree .row:not([hidden]) .name bdi')].map((box) => box.textContent)")
    expect(set(rows) >= {seen.get(name, name) for name in STRANGE}, f"the rows are {rows}")
    for name in ("price", "large", "small", "far"):
        one.run("location.hash = arguments[0]", address(name)[1:])
        until(f"{name} is shown", lambda: one.text("#value") == VALUES[name])
        one.click("[data-act=edit-value]")
        until("it is edited as it is written", lambda: one.value("#edit") == VALUES[name])
        one.press(Keys.ESCAPE)
    one.run("location.hash = '#channels/nested'")
    until("the nested value is laid out", lambda: "1.50" in (one.text("#value") or ""))
    one.click("[data-act=raw]")
    until("its text is shown as it is", lambda: one.text("#value") == VALUES["nested"])
    one.run("location.hash = '#channels/markup'")
    until("markup is text", lambda: one.text("#value") == VALUES["markup"])
    one.run("location.hash = '#channels/marks'")
    until("marks are seen", lambda: one.text("#value") == '"U+202EabcU+202CU+200F"')
    one.run("location.hash = '#channels/long'")
    until("the beginning of a long value is shown", lambda: one.text("#value").startswith('"yyyy'))
    one.click("[data-act=all]")
    until("all of it is shown", lambda: len(one.text("#value")) == (1 << 20) + 2)
    expect(one.run("return document.querySelectorAll('img, #detail script, #tree script').length") == 0, "a text became an element")
    expect("broken" not in one.run("return document.title"), "a text was run")


def commands(stage):
    """A command is executed with its progress, is cancelled, and is disabled while it runs elsewhere."""
    host = stage.browser("/examples/button.html")
    until("the command is hosted", lambda: stage.host("examples/lamp/blink"))
    one = stage.browser(address("examples/lamp/blink", "commands"))
    until("it may be executed", lambda: one.is_enabled("#execute"))
    host.click("#blink")
    until("it may not while it runs", lambda: one.is_enabled("#execute") is False)
    until("it may again", lambda: one.is_enabled("#execute"))
    one.type("#input", '{"times": 2}')
    one.click("#execute")
    until("its steps are shown", lambda: "1\n2" in (one.text("#runs") or "") and "completed" in one.text("#runs"))
    until("it may be executed again", lambda: one.is_enabled("#execute"))
    one.find("#input").clear()
    one.type("#input", '{"times": 100}')
    one.click("#execute")
    one.click("#runs [data-act=cancel-run]")
    until("it was cancelled", lambda: "cancelled" in one.text("#runs"))
    until("it may be executed again", lambda: one.is_enabled("#execute"))


def steps(stage):
    """The numbers among the values of an execution are shown as they came."""
    texts = ["1.50", "18446744073709551616", '{"amount":-0.0}']
    host = stage.browser("/examples/")
    host.run("""
        const [texts] = arguments;
        const { connect, raw } = await import("/rac.js");
        connect().host("price", async function* () {
          for (const text of texts) yield raw(text);
        });
    """, texts)
    one = stage.browser(address("price", "commands"))
    until("it may be executed", lambda: one.is_enabled("#execute"))
    one.click("#execute")
    until("it is done", lambda: "completed" in (one.text("#runs") or ""))
    expect(one.text("#runs pre") == "\n".join(texts), f"the values are shown as {one.text('#runs pre')}")


def transports(stage):
    """A channel names the transport of each bound client, and the overview counts the connections of each transport."""
    stage.set(NAME, 7)
    stage.say({"op": "bind", "id": 1, "channel": NAME})
    one = stage.browser(address(NAME))
    cells = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(({ cells }) => [...cells].map((cell) => cell.textContent))"
    until("the client is there with its transport", lambda: [row[1:3] for row in one.run(cells, "#bindings")] == [["kiosk/2.1", "tcp"]])
    one.run("location.hash = '#overview'")
    until("both transports are counted", lambda: {"1\u00a0tcp", "1\u00a0websocket"} <= set((one.text("[data-figure=transports] .number") or "").split(", ")))
    until("each connection has its transport",
          lambda: {("kiosk/2.1", "tcp"), ("racd-page", "websocket")} <= {tuple(row[1:3]) for row in one.run(cells, "#connections")})


def bindings(stage):
    """The bindings of a channel are shown without a wait for the next reading, behind a link and behind a lost connection."""
    stage.expected = ["ERR_CONNECTION_REFUSED", "WebSocket connection to"]
    stage.set(NAME, 7)
    stage.say({"op": "bind", "id": 1, "channel": NAME})
    one = stage.browser()
    # A page without the readings that come again and again.
    one.begin_with("const begin = setInterval; window.setInterval = (work, time) => (time < 1000 ? begin(work, time) : 0);")
    one.open(stage.address + address(NAME))
    until("the client is shown", lambda: "kiosk/2.1" in (one.text("#bindings") or ""))
    stage.kill()
    until("the page says so", lambda: "not connected" in one.text("#connection"))
    stage.start()
    until("nobody is bound any more", lambda: "Nobody is bound" in one.text("#bindings"))


def keyboard(stage):
    """The keyboard alone filters, walks, opens, edits, ends and comes back."""
    stage.put({"room/volume": 7, "room/light": True, "garden/gate/state": "shut"})
    one = stage.browser("/")
    connected(one)
    until("the rows are there", lambda: one.run("return document.querySelector(arguments[0]) !== null", row(NAME)))
    one.press("/")
    expect(one.run("return document.activeElement.id") == "filter", "the key / does not lead to the filter")
    one.press("volu", Keys.ENTER)
    until("only matching names are left", lambda: one.run("return document.querySelectorAll('#tree .row:not([hidden])').length") == 2)
    one.press(Keys.ARROW_DOWN)
    one.press(Keys.ARROW_DOWN, Keys.ENTER)
    until("the channel is open", lambda: one.text("#value") == "7")
    one.press("e")
    until("the field has the focus", lambda: one.run("return document.activeElement.id") == "edit")
    one.press(Keys.CONTROL, "a", Keys.NULL, "8", *CONTROL_ENTER)
    until("the value is set", lambda: stage.get(NAME) == 8)
    until("the focus is at the button", lambda: one.run("return document.activeElement.dataset.act") == "edit-value")
    tab_to(one, "[data-act=complete]", back=True)
    one.press(Keys.ENTER)
    until("the question has the focus", lambda: one.run("return document.activeElement.closest('#dialog') !== null"))
    tab_to(one, "#dialog [data-act=confirm]")
    one.press(Keys.ENTER)
    until("the channel ended", lambda: stage.channels()[NAME]["state"] == "completed")
    until("the reverse has the focus", lambda: one.run("return document.activeElement.dataset.act") == "reopen")
    one.press(Keys.ESCAPE)
    until("the names have the focus", lambda: one.run("return document.activeElement.id") == "tree")
    one.press("?")
    until("the keys are explained", lambda: "filter names" in (one.text("#dialog") or ""))
    one.press(Keys.ESCAPE)
    until("the explanation is closed", lambda: one.run("return document.querySelector('#dialog') === null"))


def tab_to(browser, selector, back=False):
    """Presses the Tab key until an element has the focus, in one round at most."""
    for _ in range(60):
        if browser.run("return document.activeElement.matches(arguments[0])", selector):
            return
        browser.press(Keys.SHIFT + Keys.TAB if back else Keys.TAB)
    raise Fault(f"the Tab key does not lead to {selector}")


def sign_in(stage):
    """A closed racd shows a form, takes a token, and shows nothing to one who has signed out."""
    stage.expected = ["401"]
    token = stage.close_access()
    stage.start()
    one = stage.browser(address(NAME))
    one.type("#token", "wrong")
    one.press(Keys.ENTER)
    until("the wrong token is refused", lambda: one.text("#sign-in .fault"))
    expect(one.run("return document.querySelectorAll('#tree .row').length") == 0, "the page shows names to a stranger")
    one.press(Keys.CONTROL, "a", Keys.NULL, token, Keys.ENTER)
    until("the page is open", lambda: one.text("#principal") == "kiosk")
    connected(one)
    until("the value is there", lambda: one.text("#detail .fault") == "There is no channel of this name.Create it…")
    expect(token not in one.run("return document.cookie + location.href + JSON.stringify(localStorage)"), "a script can read the token")
    one.click("[data-act=sign-out]")
    until("the form is there again", lambda: one.run("return document.querySelector('#token') !== null"))


def sign_in_by_code(stage):
    """The address of racctl ui signs the page in once, shows its channel, and replaces no session without a question."""
    stage.expected = ["401"]
    token = stage.close_access()
    stage.start()

    def link(token=token):
        _, answer = stage.ask("POST", "/v1/session/code", Authorization=f"Bearer {token}")
        return address(NAME).replace("#", f"#sign-in={json.loads(answer)['code']}/")

    first = link()
    one = stage.browser(first)
    until("the page is open", lambda: one.text("#principal") == "kiosk")
    connected(one)
    expect(one.run("return location.pathname + location.hash") == address(NAME), "the address is another one")
    other = stage.browser(first)
    until("the second use is refused", lambda: "was used" in (other.text("#sign-in") or ""))
    # The page stands in the tab, so that only the fragment changes.
    other.open(stage.address + link())
    until("the next code works", lambda: other.text("#principal") == "kiosk")
    connected(other)
    foreign = stage.new_token("visitor")
    until("racd takes the other token", lambda: stage.ask(
        "POST", "/v1/session/code", Authorization=f"Bearer {foreign}")[0] == 200)
    for act, principal in (("cancel", "kiosk"), ("confirm", "visitor")):
        one.open(stage.address + link(foreign))
        until("the page asks", lambda: "signed in as kiosk" in (one.text("#dialog") or ""))
        one.click(f"#dialog [data-act={act}]")
        until(f"the page is that of {principal}", lambda: one.text("#principal") == principal)
        connected(one)


def drafts(stage):
    """An edit outlives the end of the session: it is there again for its principal, until it is set or given up."""
    stage.expected = ["401"]
    token = stage.close_access()
    stage.start()

    def ask(method, name, token, body=None):
        return stage.ask(method, path_of(name), body, Authorization=f"Bearer {token}")

    ask("PUT", NAME, token, "7")
    ask("PUT", "room/light", token, "true")
    one = stage.browser(address("room/light"))
    one.type("#token", token + Keys.ENTER)
    until("the first value is shown", lambda: one.text("#value") == "true")
    one.click("[data-act=edit-value]")
    one.press("f")
    one.run("location.hash = arguments[0]", address(NAME)[1:])
    until("the second value is shown", lambda: one.text("#value") == "7")
    begin_edit(one, "1.50")
    stage.token("revoke", "kiosk")
    until("the session is over", lambda: "session is over" in (one.text("#sign-in") or ""))
    stranger, token = stage.new_token("visitor"), stage.new_token()
    until("racd takes the next tokens", lambda: ask("GET", NAME, token)[0] == 200)
    one.type("#token", stranger + Keys.ENTER)
    until("another principal sees the value", lambda: one.text("#principal") == "visitor" and one.text("#value") == "7")
    expect(one.run("return document.querySelector('#edit') === null"), "another principal sees the draft")
    one.click("[data-act=sign-out]")
    one.type("#token", token + Keys.ENTER)
    until("the text is there again", lambda: one.value("#edit") == "1.50" and "Typed before" in one.text("form.editor"))
    connected(one)
    expect(ask("GET", NAME, token)[1] == "7", "the draft was set by itself")
    for name, value in ((NAME, "7"), ("room/light", "true")):
        until("the row has the mark of a draft", lambda: one.text(row(name) + " .value") == f"draft  {value}")
    one.click("#edit")
    one.press(*CONTROL_ENTER)
    until("it is set", lambda: ask("GET", NAME, token)[1] == "1.50")
    until("the row has no mark", lambda: one.text(row(NAME) + " .value") == "1.50")
    one.run("location.hash = arguments[0]", address("room/light")[1:])
    until("the other draft is there, too", lambda: one.value("#edit") == "false")
    one.click("#edit")
    one.press(Keys.ESCAPE)
    one.driver.refresh()
    until("the value is shown", lambda: one.text("#value") == "true")
    expect(one.run("return document.querySelector('#edit') === null && sessionStorage.length === 0"), "a draft is left")


LONG_TASKS = """
window.longest = 0;
new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (longest = Math.max(longest, duration))))
  .observe({ type: "longtask" });
"""


def crowd(stage):
    """A tree of 100 000 channels opens, is scrolled to its end and is filtered."""
    stage.put({f"house {house}/room {room}/sensor {sensor}": sensor for house in range(20) for room in range(50) for sensor in range(100)})
    one = stage.browser()
    one.begin_with("""
        addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
          if (document.querySelector("#tree .row") !== null) window.firstRows ??= performance.now();
        }).observe(document.querySelector("#tree"), { childList: true, subtree: true }));
    """)
    one.open(stage.address + "/")
    until("all channels are known", lambda: one.text("#channel-count") == "100\u202f000")
    first = one.run("return firstRows")
    synced = one.run("return performance.now()")
    one.type("#filter", "sensor")
    until("all names are open", lambda: (one.text("#filter-state") or "").startswith("100\u202f000 names"))
    one.run(LONG_TASKS)
    scrolled = one.run("""
        const tree = document.querySelector("#tree");
        const frame = () => new Promise(requestAnimationFrame);
        for (let step = 0; step < 120; step += 1) {
          tree.scrollTop += 800;
          await frame();
        }
        tree.scrollTop = tree.scrollHeight;
        await new Promise(requestIdleCallback);
        return longest;
    """)
    until("the last row is shown", lambda: one.run("return document.querySelector(arguments[0]) !== null", row("house 9/room 9/sensor 99")))
    count = one.run("return document.querySelectorAll('#tree .row').length")
    expect(count < 200, f"the page has {count} rows")
    one.find("#filter").clear()
    one.type("#filter", "house 7/*/sensor 7")
    until("the pattern finds its names", lambda: (one.text("#filter-state") or "").startswith("50 names"))
    stage.figure(first <= 1000, f"first rows after {first:.0f} ms")
    stage.figure(scrolled <= 100, f"longest task while scrolling {scrolled:.0f} ms")
    stage.figure(True, f"all channels after {synced:.0f} ms")


def storm(stage):
    """A page that sees thousands of changes a second answers clicks and shows the newest values."""
    names = [f"wall/{number:02}" for number in range(100)]
    stage.put({name: 0 for name in names})
    one = stage.browser("/")
    connected(one)
    until("the rows are there", lambda: one.run("return document.querySelector(arguments[0]) !== null", row("wall/00")))
    is_over, rounds = threading.Event(), 0

    def write():
        nonlocal rounds
        next_round = time.monotonic()
        while not is_over.is_set():
            rounds += 1
            stage.put({name: rounds for name in names})
            next_round += 0.01
            time.sleep(max(0, next_round - time.monotonic()))

    writer = threading.Thread(target=write)
    writer.start()
    begin = time.monotonic()
    try:
        until("the changes arrive", lambda: rounds > 20)
        answers = []
        for number in range(10):
            answers.append(one.run("""
                const row = document.querySelector(arguments[0]);
                const begin = performance.now();
                row.querySelector(".name").click();
                return new Promise((resolve) => {
                  const look = () => document.querySelector("#detail h2")?.textContent === arguments[1]
                    ? resolve(performance.now() - begin) : requestAnimationFrame(look);
                  look();
                });
            """, row(names[number]), names[number]))
    finally:
        took = time.monotonic() - begin
        is_over.set()
        writer.join()
    until("the last value is shown", lambda: one.text("#value") == str(rounds))
    until("the last value is in the row", lambda: one.text(row("wall/00") + " .value") == str(rounds))
    stage.figure(max(answers) <= 100, f"slowest click {max(answers):.0f} ms at {rounds * len(names) / took:.0f} changes a second")


SCENES = [conflicts, racing, ends, restart, texts, commands, steps, transports, bindings, keyboard, sign_in, sign_in_by_code, drafts, crowd, storm]
