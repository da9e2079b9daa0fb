"""Scenes of the rows of the tree."""
import contextlib, threading, time

from page import NAME, address, row
from stage import connected, expect, path_of, until

# Whether a row stands between the titles and the lower edge of the tree.
SEEN = """
const [tree, row] = [document.querySelector("#tree"), document.querySelector(arguments[0])];
if (row === null) return false;
const [{ top, bottom }, titles] = [row.getBoundingClientRect(), tree.querySelector(".titles").getBoundingClientRect()];
return top >= titles.bottom - 1 && bottom <= tree.getBoundingClientRect().bottom + 1;
"""
DEEP = "very/" + "deep/" * 20 + "leaf"


def in_view(stage):
    """The row of the channel in the address is in view, among few and many, behind 21 branches, and on a phone."""
    few = {f"a/{number:03}": number for number in range(150)}
    stage.put({**few, NAME: 7, DEEP: 1})
    one = stage.browser()

    def see():
        for name in (NAME, DEEP):
            one.open("about:blank")
            one.open(stage.address + address(name))
            until(f"the row of {name} is in view", lambda: one.run(SEEN, row(name)) and one.text("#channel-count") == count)
            until(f"the row of {name} stays in view", lambda: one.run(SEEN, row(name)))
            room = one.run("const { offsetWidth } = document.querySelector(arguments[0]); return offsetWidth", row(name) + " .name")
            indent = one.run("return parseFloat(getComputedStyle(document.querySelector(arguments[0])).paddingLeft)", row(name) + " .name")
            expect(indent <= room / 2 + 1, f"{indent} of {room} points are indentation")

    count = "152"
    see()
    one.resize(375, 700)
    one.open("about:blank")
    one.open(stage.address + address(DEEP))
    until("the value is shown", lambda: one.text("#value") == "1")
    one.click("[data-act=back]")
    until("the row is in view", lambda: one.run(SEEN, row(DEEP)))
    one.resize(1100, 800)
    stage.put({f"m/{number:04}": number for number in range(2000)})
    count = "2\u202f152"
    see()


def bar(stage):
    """No row has the mark of the selected channel where no channel is selected."""
    stage.put({NAME: 7, "room/light": True})
    one = stage.browser(address(NAME))
    until("the row is there", lambda: one.run(SEEN, row(NAME)))
    shadow = "return getComputedStyle(document.querySelector(arguments[0])).boxShadow"
    expect(one.run(shadow, row(NAME)) != "none", "the selected row has no mark")
    one.click("[data-act=overview]")
    until("the mark is gone", lambda: one.run(shadow, row(NAME)) == "none")


# A page that is away on demand.
AWAY = """
const { WebSocket } = window;
window.WebSocket = class extends WebSocket {
  constructor(url, ...more) {
    super(window.isAway ? `${url}/none` : url, ...more);
    window.leave = () => ((window.isAway = true), this.close());
  }
};
"""
# It may come back by itself, so the button may be out of sight.
COME = "window.isAway = false; document.querySelector('[data-act=retry]').click();"


def page_that_leaves(stage):
    """A page of the channel whose connection `leave()` loses."""
    one = stage.browser()
    one.begin_with(AWAY)
    one.open(stage.address + address(NAME))
    return one


def missed(stage):
    """A change that the page has missed has the daemon's time in its row and in the last changes."""
    stage.expected = ["WebSocket connection to"]
    stage.set(NAME, 7)
    one = page_that_leaves(stage)
    until("the value is shown", lambda: one.text("#value") == "7")
    connected(one)
    one.run("leave()")
    until("the page is away", lambda: "not connected" in one.text("#connection"))
    stage.set(NAME, 8)
    since = time.time()
    until("some seconds are over", lambda: time.time() > since + 4)
    one.run(COME)
    until("the value is shown", lambda: one.text("#value") == "8")
    head = "const age = document.querySelector('#detail .age'); return [age.title.slice(11), parseInt(age.textContent)]"
    until("the last changes have its time", lambda: one.text("#history tbody td:nth-child(2)") == one.run(head)[0])
    apart = """const [row, head] = [`${arguments[0]} .age`, "#detail .age"].map((place) => parseInt(document.querySelector(place).textContent));
        return isNaN(row) ? 100 : Math.abs(row - head);"""
    until("its row has its age", lambda: one.run(apart, row(NAME)) <= 1)


def long_value(stage):
    """The row of a long value has an age, and a value of several lines stands in its row as one line."""
    stage.set("long", "y" * 300_000)
    stage.ask("PUT", path_of(NAME), b'{\n  "on": true,\r\n\t"level": 1.50\n}')
    one = stage.browser("/")
    until("the row of the long value has an age", lambda: one.text(row("long") + " .age"))
    until("the value is one line", lambda: one.text(row(NAME) + " .value") == '{ "on": true, "level": 1.50 }')


# The first question for a time goes nowhere.
DEAF = """
const { send } = WebSocket.prototype;
window.unheard = [];
WebSocket.prototype.send = function (text) {
  if (unheard.length > 0 || !text.includes('"op":"get"')) send.call(this, text);
  else unheard.push(text);
};
"""


def late(stage):
    """A row has an age though the first question for it had no answer."""
    stage.set(NAME, 7)
    one = stage.browser()
    one.begin_with(DEAF)
    one.open(stage.address + "/")
    until("the page asks", lambda: one.run("return unheard.length") == 1)
    until("the row has an age", lambda: one.text(row(NAME) + " .age"))


@contextlib.contextmanager
def counting(stage):
    """A writer that counts in a channel all the time."""
    is_over = threading.Event()

    def write():
        number = 0
        while not is_over.wait(0.02):
            number += 1
            stage.set(NAME, number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        is_over.set()
        writer.join()


def rates(stage):
    """No rate is shown while the page is away, and the changes of that time are no rate behind it."""
    stage.expected = ["WebSocket connection to"]
    stage.set(NAME, 0)
    one = page_that_leaves(stage)
    texts = "return ['#rate', '[data-figure=changes] .number', '#detail .facts'].map((place) => document.querySelector(place).textContent)"
    with counting(stage):
        until("the rates are shown", lambda: "changes/s" in one.run(texts)[0] and "a second" in one.run(texts)[2])
        one.run("leave()")
        until("the page is away", lambda: "not connected" in one.text("#connection"))
        until("no rate is shown", lambda: one.run(texts)[:2] == ["", "–"] and "a second" not in one.run(texts)[2])
    for step in range(100):
        stage.put({f"much/{number}": step for number in range(100)})
    one.run("""
        window.greatest = 0;
        const note = () => (greatest = Math.max(greatest, parseFloat(document.querySelector("#rate").textContent.replace("\u202f", "")) || 0));
        new MutationObserver(note).observe(document.querySelector("#rate"), { childList: true, subtree: true, characterData: true });
    """ + COME)
    until("a rate is shown again", lambda: "changes/s" in one.run(texts)[0])
    expect(one.run("return greatest") < 100, f"{one.run('return greatest')} changes a second are shown")


# A page whose questions for the whole state of a channel go out on demand.
LATE_QUESTIONS = """
const { send } = WebSocket.prototype;
let late = [];
WebSocket.prototype.send = function (message) {
  if (late !== undefined && message.includes('"op":"get"')) late.push(() => send.call(this, message));
  else send.call(this, message);
};
window.ask = () => {
  for (const go of late) go();
  late = undefined;
};
"""


def paused_early(stage):
    """A pause before the page has read its channel holds the row at the value that the page then shows."""
    stage.set(NAME, 0)
    one = stage.browser()
    one.begin_with(LATE_QUESTIONS)
    one.open(stage.address + address(NAME))
    both = "return ['#value', arguments[0]].map((place) => document.querySelector(place).textContent)"
    with counting(stage):
        until("the row has a value", lambda: one.text(row(NAME) + " .value") not in (None, "", "0"))
        one.click("#pause")
        now = stage.get(NAME)
        until("it changes further", lambda: stage.get(NAME) > now + 20)
        one.run("ask()")
        until("the value is read", lambda: one.text("#value"))
        until("both are held", lambda: len(set(one.run(both, row(NAME) + " .value"))) == 1)
        held, now = one.text("#value"), stage.get(NAME)
        until("it changes further", lambda: stage.get(NAME) > now + 20)
        expect(one.run(both, row(NAME) + " .value") == [held] * 2, f"{one.run(both, row(NAME) + ' .value')} are shown, not {held}")


def paused(stage):
    """A pause holds the row and the value of a channel at one change, also where rows are drawn anew."""
    stage.set(NAME, 0)
    one = stage.browser(address(NAME))
    both = "return ['#value', arguments[0]].map((place) => document.querySelector(place).textContent)"
    with counting(stage):
        for _ in range(4):
            before = one.text("#value")
            until("the value changes", lambda: one.text("#value") not in ("", "0", before))
            one.click("#pause")
            until("both are held", lambda: len(set(one.run(both, row(NAME) + " .value"))) == 1)
            held, now = one.text("#value"), stage.get(NAME)
            until("it changes further", lambda: stage.get(NAME) > now + 20)
            one.run("document.querySelector('#tree').dispatchEvent(new Event('scroll')); return new Promise(requestAnimationFrame)")
            one.run("return new Promise(requestAnimationFrame)")
            expect(one.run(both, row(NAME) + " .value") == [held] * 2, f"{one.run(both, row(NAME) + ' .value')} are shown, not {held}")
            one.click("#pause")
    stage.set("another", 5)
    one.click("#pause")
    until("it is held", lambda: one.text("#pause") == "Paused")
    one.run("location.hash = arguments[0]", address("another").partition("#")[2])
    until("a channel that is chosen meanwhile is read", lambda: one.text("#value") == "5")
    one.run("location.hash = arguments[0]", address(NAME).partition("#")[2])
    one.click("#pause")
    until("both go on", lambda: one.run(both, row(NAME) + " .value") == [str(stage.get(NAME))] * 2)


SCENES = [in_view, bar, missed, long_value, late, rates, paused, paused_early]
