"""Scenes of one field in two browsers."""
import time

from selenium.webdriver.common.keys import Keys
from stage import connected, expect, until

PAGE = "/examples/text-fields.html"
LEFT, RIGHT = "#fields label:nth-child(1) input", "#fields label:nth-child(2) input"

# Notes each value that a program gives to the field, in `given`.
WATCH = """
const field = document.querySelector(arguments[0]);
const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
window.given = [];
Object.defineProperty(field, "value", { get, set(value) { given.push(value); set.call(this, value); } });
"""


def caret(browser):
    return browser.run("return [document.activeElement.selectionStart, document.activeElement.selectionEnd]")


def one_types(stage):
    """Each browser shows the text that the other one types, without an echo, and both carets stay."""
    one, other = stage.pair(PAGE)
    connected(one, other)
    one.run(WATCH, LEFT)
    one.type(LEFT, "The quick fox")
    for browser in (one, other):
        for field in (LEFT, RIGHT):
            until("both fields of both pages show it", lambda: browser.value(field) == "The quick fox")
    one.press(*[Keys.ARROW_LEFT] * 3, "brown ")
    until("the other page shows what came in between", lambda: other.value(LEFT) == "The quick brown fox")
    expect(caret(one) == [16, 16], f"the caret of the one who types is at {caret(one)}")
    one.run("document.activeElement.blur()")
    expect(one.run("return given") == [], f"an echo was put into the field: {one.run('return given')}")

    # The caret of a page that waits stays between the characters where it is.
    one.click(LEFT)
    one.run("document.activeElement.setSelectionRange(4, 9)")
    other.type(LEFT, Keys.HOME + "See! ")
    until("what was typed before the caret arrives", lambda: one.value(LEFT) == "See! The quick brown fox")
    expect(caret(one) == [9, 14], f"the selection is {caret(one)}, and was [4, 9] of the text behind five characters")


# Holds the timer at which an edit is over back, in `rest`.
HOLD = """
const real = setTimeout;
window.setTimeout = (act, pause) => (pause === 1000 ? ((window.rest = act), 0) : real(act, pause));
"""


def one_is_typing(stage):
    """A field that somebody types in holds the values of others back until the edit is over."""
    one, other = stage.pair(PAGE)
    connected(one, other)
    one.run(HOLD)
    one.type(LEFT, "mine")
    until("it arrives", lambda: other.value(LEFT) == "mine")
    other.type(LEFT, "theirs")
    until("the other field of the page shows it", lambda: one.value(RIGHT) == "minetheirs")
    expect(one.value(LEFT) == "mine", "the field of the one who types was changed")
    one.press(Keys.ENTER)
    until("the edit is over", lambda: one.value(LEFT) == "minetheirs")
    one.press("!")
    stage.set("examples/text", "theirs alone")
    until("the other field of the page shows it", lambda: one.value(RIGHT) == "theirs alone")
    expect(one.value(LEFT) == "mine!theirs", "the field of the one who types was changed")
    one.run("rest()")
    expect(one.value(LEFT) == "theirs alone", f"a second later the field has {one.value(LEFT)!r}")


def two_stay(stage):
    """Two people who stay in one field see each other's text, go on where they were, and wipe nothing."""
    one, other = stage.pair(PAGE)
    connected(one, other)
    one.type(LEFT, "hello")
    until("it arrives", lambda: other.value(RIGHT) == "hello")
    other.type(RIGHT, Keys.END + " world")
    until("the one who stays in the field sees it", lambda: one.value(LEFT) == one.value(RIGHT) == "hello world")
    one.press("!")
    for browser in (one, other):
        for field in (LEFT, RIGHT):
            until("every field has both texts", lambda: browser.value(field) == "hello! world")
    other.press("?")
    until("the other one goes on at the end", lambda: one.value(LEFT) == "hello! world?")


def chosen(browser):
    """The values of the chosen fields and options of a page."""
    return browser.run("return [...document.querySelectorAll('input, option')].filter((x) => x.checked || x.selected).map((x) => x.value)")


CHOICES = """
const [done] = arguments;
document.querySelector("main").innerHTML = `<form id=all>
  <label><input type=radio name=mode value=off> off</label><label><input type=radio name=mode value=eco> eco</label>
  <select multiple aria-label=days><option>a<option>b<option>c</select><input type=reset></form>`;
import("/rac.js").then(({ bindInput, connect }) => {
  const rac = connect();
  for (const radio of document.querySelectorAll("[type=radio]")) bindInput(radio, rac.property("form/mode"));
  bindInput(document.querySelector("select"), rac.property("form/days"));
  Promise.all([rac.property("form/mode").ready(), rac.property("form/days").ready()]).then(done);
});
"""


def choices(stage):
    """Radio buttons and a selection of several options show the same choice in two browsers, also behind a reset."""
    browsers = one, other = stage.pair(PAGE)
    for browser in browsers:
        connected(browser)
        browser.driver.execute_async_script(CHOICES)
    one.click("[value=eco]")
    other.run("""
        const select = document.querySelector("select");
        for (const place of [0, 2]) select.options[place].selected = true;
        for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
    """)
    for browser in browsers:
        until("both show each choice", lambda: chosen(browser) == ["eco", "a", "c"])
    expect((stage.get("form/mode"), stage.get("form/days")) == ("eco", ["a", "c"]), "the channels have other values")
    other.click("[value=off]")
    one.click("[type=reset]")
    for browser in browsers:
        until("the reset chooses no day, and leaves the mode", lambda: chosen(browser) == ["off"])
    expect(stage.get("form/days") == [], "the reset is not in the channel")


def composition(stage):
    """An input method composes undisturbed, and nothing goes out before it is done."""
    one, other = stage.pair(PAGE)
    connected(one, other)
    one.type(LEFT, "今日")
    until("what was there arrives", lambda: other.value(LEFT) == "今日")
    one.press(Keys.ENTER)
    one.cdp("Input.imeSetComposition", text="は", selectionStart=1, selectionEnd=1)
    one.cdp("Input.imeSetComposition", text="はれ", selectionStart=2, selectionEnd=2)
    other.type(LEFT, "!")
    until("the other's value arrives", lambda: one.value(RIGHT) == "今日!")
    expect(one.value(LEFT) == "今日はれ", f"the field in which somebody composes has {one.value(LEFT)!r}")
    expect(stage.get("examples/text") == "今日!", "half a character went out")
    one.cdp("Input.insertText", text="晴れ")
    until("what was composed arrives", lambda: stage.get("examples/text") == "今日晴れ")
    expect(one.value(LEFT) == "今日晴れ", f"the field has {one.value(LEFT)!r}")
    other.press(Keys.ENTER)
    until("the other page shows it", lambda: other.value(LEFT) == "今日晴れ")


RACE = """
const [selector, text, at] = arguments;
setTimeout(() => {
  const field = document.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}, at - Date.now());
"""


def races(stage):
    """Two browsers that type at the same moment agree, 200 times."""
    browsers = stage.pair(PAGE)
    connected(*browsers)
    won, lead = [0, 0], 0.015
    for round in range(200):
        begin = time.time()
        texts = [f"{name} {round}" for name in ("left", "right")]
        # The order alternates, and the lead grows with the machine's slowness: both browsers know the moment before it comes.
        for browser, text in list(zip(browsers, texts))[::-1 if round % 2 else 1]:
            browser.run(RACE, LEFT, text, (begin + lead) * 1000)
        lead = max(0.015, 1.2 * (time.time() - begin))

        def winner():
            *shown, value = [browser.value(LEFT) for browser in browsers] + [stage.get("examples/text")]
            return value if value in texts and shown == [value, value] else None

        won[texts.index(until(f"round {round} ends in agreement", winner))] += 1
    expect(all(won), f"there was no race: {won}")
    stage.figure(True, f"{won[0]} : {won[1]}")


def restart(stage):
    """A racd that is killed and comes back: the pages say so, connect again, and what was typed goes out once."""
    stage.expected = ["ERR_CONNECTION_REFUSED", "WebSocket connection to"]
    one, other = stage.pair(PAGE)
    connected(one, other)
    one.type(LEFT, "before")
    until("it arrives", lambda: other.value(LEFT) == "before")
    one.press(Keys.ENTER)
    until("it is kept", lambda: stage.channels().get("examples/text", {}).get("rev"))
    other.run(WATCH, RIGHT)
    stage.kill()
    for browser in (one, other):
        until("the page says so", lambda: "lost" in browser.text("#connection"))
    one.type(LEFT, " and after")
    one.press(Keys.ENTER)
    stage.start()
    connected(one, other)
    until("what was typed goes out", lambda: stage.get("examples/text") == "before and after")
    until("it arrives", lambda: other.value(RIGHT) == "before and after")
    stage.set("examples/text", "the end")
    until("what is set next arrives", lambda: other.value(RIGHT) == "the end")
    given = other.run("return given")
    expect(given == ["before and after", "the end"], f"the other page was given {given}")


def texts(stage):
    """Script, markup, marks of direction, long texts and exact numbers are shown as they are."""
    one = stage.browser(PAGE)
    connected(one)
    for text in ("<script>document.title = 'broken'</script>", "<img src=x onerror=alert(1)>&amp;", "\u202eabc\u202c\u200f",
                 "\u0000\u0007\ufeff", "😀" * 100, "x" * (1 << 20)):
        stage.set("examples/text", text)
        until(f"the field shows {text[:40]!r}", lambda: one.value(LEFT) == text)
    for number in ("1.50", "18446744073709551616", "-0", "1e400"):
        status, body = stage.ask("PUT", "/v1/channels/examples/text", number)
        expect(status == 200, f"{number}: {status} {body}")
        until(f"the field shows {number}", lambda: one.value(LEFT) == number)
    expect(one.run("return document.title") == "Two text fields · racd", "a text was run")


SCENES = [one_types, one_is_typing, two_stay, choices, composition, races, restart, texts]
