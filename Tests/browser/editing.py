"""Scenes of the page's editor."""
import json, os, pathlib

from page import CONTROL_ENTER, NAME, address, begin_edit
from selenium.webdriver.common.keys import Keys
from stage import expect, path_of, until

SELECTED = "const field = document.querySelector('#edit'); return field.selectionEnd - field.selectionStart"


def sizes(stage):
    """The field of a long text is as high as its wrapped lines need, up to a limit, and only a short text is selected."""
    long = "word " * 40_000
    stage.put({"long": long, "two lines": "word " * 20, "short": "word"})
    one = stage.browser()
    heights = {}
    for name, selected in (("short", 4), ("two lines", 100), ("long", 0)):
        one.open(stage.address + address(name))
        until("the value is shown", lambda: "word" in (one.text("#value") or ""))
        one.click("[data-act=edit-value]")
        until("it is edited", lambda: (one.value("#edit") or "").startswith("word"))
        heights[name] = one.run("return document.querySelector('#edit').clientHeight")
        expect(one.run(SELECTED) == selected, f"{one.run(SELECTED)} characters of {name} are selected")
        families = one.run("return ['#edit', '#value'].map((place) => getComputedStyle(document.querySelector(place)).fontFamily)")
        expect(families[0] == families[1], f"a value is edited in {families[0]}")
    expect(heights["short"] < heights["two lines"] < 200 < heights["long"] < 500, f"the fields are as high as {heights}")
    expect(one.run("return document.querySelector('#edit').scrollTop") == 0, "a long text is shown from its end")


def unchanged(stage):
    """An object that is set as it was opened is not written, and its text stays; a change of it is written."""
    text = '{\n    "on" :true,  "level":1.50}'
    stage.ask("PUT", path_of(NAME), text.encode())
    revision = stage.channels()[NAME]["rev"]
    one = stage.browser(address(NAME))
    for typed in ("", "  "):
        until("the value is shown", lambda: "1.50" in (one.text("#value") or ""))
        one.click("[data-act=edit-value]")
        until("it is laid out", lambda: one.value("#edit") == '{"on": true, "level": 1.50}')
        one.press(Keys.END, typed, *CONTROL_ENTER)
        until("the edit is over", lambda: one.text("#edit") is None)
        if typed == "":
            expect(stage.ask("GET", path_of(NAME))[1] == text and stage.channels()[NAME]["rev"] == revision, "the same object was written")
    until("the change is written", lambda: stage.ask("GET", path_of(NAME))[1] == '{"on":true,"level":1.50}')


def as_text(stage):
    """Words that are no JSON are offered as a text where a channel has no value yet."""
    expect(stage.ask("POST", "/v1/channels", json.dumps({"channel": NAME}))[0] == 201, "the channel is not made")
    one = stage.browser(address(NAME))
    until("the channel is shown", lambda: one.text("#value") == "no value yet")
    one.click("[data-act=edit-value]")
    one.press("hello", *CONTROL_ENTER)
    until("the text is refused as JSON", lambda: "not JSON" in (one.text("form.editor .fault") or ""))
    expect(stage.get(NAME) is None, "a value was set")
    one.click("[data-act=as-text]")
    until("it is set as a text", lambda: stage.get(NAME) == "hello")
    until("the edit is over", lambda: one.text("#edit") is None and one.text("#value") == '"hello"')


def deleted(stage):
    """An edit whose channel is deleted meanwhile says so before it is set, and makes the channel again only when asked to."""
    for mode, side in (("shared", "value"), ("paired", "wish")):
        stage.ask("POST", "/v1/channels", json.dumps({"channel": NAME, "mode": mode, "value": 7}))
        stage.ask("PUT", path_of(NAME), "8")
        one = stage.browser(address(NAME))
        until("the channel is shown", lambda: one.text(f"#{side}") == "8")
        one.click(f"[data-act=edit-{side}]")
        one.press("9")
        expect(stage.ask("DELETE", path_of(NAME))[0] == 200, "the channel is not deleted")
        until("the deletion is told", lambda: "deleted" in (one.text("form.editor .meanwhile") or ""))
        expect(one.find("form.editor").is_displayed(), "the edit is out of sight")
        one.press(*CONTROL_ENTER)
        until("the conflict names the deletion", lambda: "deleted" in (one.text("#conflict") or "") and "revision" not in one.text("#conflict"))
        expect(NAME not in stage.channels(), "the channel was made again")
        one.click("[data-act=mine]")
        until("the channel is made again", lambda: NAME in stage.channels() and one.text(f"#{side}") == "9")
        expect(stage.channels()[NAME]["mode"] == mode, f"it was {mode} and is {stage.channels()[NAME]['mode']}")
        stage.ask("DELETE", path_of(NAME))
    stage.ask("POST", "/v1/channels", json.dumps({"channel": NAME}))
    until("the channel is shown", lambda: one.text("#value") == "no value yet")
    one.click("[data-act=edit-value]")
    stage.ask("DELETE", path_of(NAME))
    until("the deletion without a value is told, too", lambda: "deleted" in (one.text("form.editor .meanwhile") or ""))


IN_SIGHT = """
const bounds = document.querySelector(arguments[0]).getBoundingClientRect();
return bounds.height > 0 && bounds.top >= 0 && bounds.bottom <= innerHeight;
"""

# A part of a text may be clipped by the box in which it scrolls.
BEGINS_IN_SIGHT = """
return [...document.querySelectorAll(arguments[0])].every((part) => {
  const [{ left, top }] = part.getClientRects();
  return part.contains(document.elementFromPoint(left + 2, top + 4));
});
"""


def long_conflict(stage):
    """The acts and the conflict of a long value are in sight, and both sides show where they differ, in the same layout."""
    value = {f"key {number}": {"level": number, "text": "a line of some length, so that each stands alone"} for number in range(60)}
    stage.set(NAME, value)
    one = stage.browser(address(NAME))
    for width, height in ((1280, 800), (800, 700), (375, 667)):
        one.resize(width, height)
        until("the value is shown", lambda: "key 59" in (one.text("#value") or ""))
        one.run("document.querySelector('#stage').scrollTop = 0")
        one.press("e")
        until("it is edited", lambda: "key 59" in (one.value("#edit") or ""))
        for act in ("save", "cancel"):
            until(f"the act {act} is in sight", lambda: one.run(IN_SIGHT, f"[data-act={act}]"))
        text = one.value("#edit").replace('"level": 30', f'"level": {width}')
        one.run("document.querySelector('#edit').value = arguments[0]", text)
        value["key 31"]["level"] -= 1000
        stage.set(NAME, value)
        one.press(*CONTROL_ENTER)
        for place in ("#conflict p", "[data-act=theirs]", "[data-act=mine]"):
            until(f"{place} is in sight", lambda: one.run(IN_SIGHT, place))
        until("the beginning of each difference is in sight", lambda: one.run(BEGINS_IN_SIGHT, "#conflict mark"))
        mine, theirs = (one.text(f"#conflict [data-side={side}]") for side in ("mine", "theirs"))
        expect(f'"level": {width}' in mine and '"key 31": {' in mine, f"mine is {mine}")
        expect(f'"level": {value["key 31"]["level"]}' in theirs and '"level": 30' in theirs, f"theirs is {theirs}")
        marks = one.run("return [...document.querySelectorAll('#conflict mark')].map((mark) => mark.textContent)")
        expect(all(len(mark) < 600 for mark in marks), f"the marked parts are {marks}")
        if stage.options.screenshots:
            one.screenshot(stage.options.screenshots / f"conflict-{width}.png")
        one.click("[data-act=theirs]")
        until("the edit is over", lambda: one.text("#edit") is None)


def long_values(stage):
    """A value of megabytes is not put into a field: it is saved as a file, and replaced by one."""
    stage.set(NAME, ["x" * 100] * 50_000)
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: "xxx" in (one.text("#value") or ""))
    expect(not one.find("[data-act=edit-value]").is_displayed(), "a value of 5 MB can be edited in a field")
    one.run("document.activeElement.blur()")
    one.press("e")
    until("the way by a file has the focus", lambda: one.run("return document.activeElement.dataset.act") == "replace-value")
    one.run("""
        window.files = [];
        URL.createObjectURL = (blob) => (files.push(blob), "blob:none");
        HTMLAnchorElement.prototype.click = function () { files.push(this.download); };
    """)
    one.click("[data-act=save-value]")
    size, name = one.run("return [files[0].size, files[1]]")
    expect(size == len(stage.ask("GET", path_of(NAME))[1]) and name.endswith(".json"), f"the file {name} has {size} bytes")
    path = os.path.join(stage.folder, "value.json")
    for text, words in (("[1,", "not JSON"), ('{"level": 1.50}', "is set")):
        pathlib.Path(path).write_text(text)
        one.find("#detail input[type=file]").send_keys(path)
        until("the page says so", lambda: words in (one.text("#notice") or ""))
    expect(stage.ask("GET", path_of(NAME))[1] == '{"level": 1.50}', "the value is another one")
    until("a short value is edited in a field again", lambda: one.find("[data-act=edit-value]").is_displayed())


def transfers(stage):
    """An export has the digits of values and errors as they were written, and an import of it brings them back."""
    value, error = '{"level":1.50,"id":12345678901234567890}', '{"code":"hot","message":"too hot","data":{"at":1.50}}'
    lines = [f'{{"channel":"a","mode":"shared","state":"open","value":{value}}}',
             f'{{"channel":"b","mode":"shared","state":"failed","error":{error},"value":{value}}}']

    def states():
        answers = [stage.ask("GET", path_of(name)) for name in ("a", "b")]
        return [(status, body if status == 200 else json.loads(body).get("code")) for status, body in answers]

    for name in ("a", "b"):
        stage.ask("PUT", path_of(name), value)
    expect(stage.ask("POST", path_of("b") + "/fail", error)[0] == 200, "the channel does not fail")
    before = states()
    one = stage.browser("/")
    until("the channels are shown", lambda: "b" in (one.text("#tree") or ""))
    one.run("""
        window.files = [];
        URL.createObjectURL = (blob) => (files.push(blob), "blob:none");
        HTMLAnchorElement.prototype.click = () => {};
    """)
    one.click("[data-act=export]")
    one.press("**", Keys.ENTER)
    until("the file is made", lambda: one.run("return files.length") == 1)
    text = one.run("return files[0].text()")
    expect(text.splitlines() == lines, f"the export is {text}")
    for name in ("a", "b"):
        expect(stage.ask("DELETE", path_of(name))[0] == 200, "the channel is not deleted")
    path = os.path.join(stage.folder, "channels.jsonl")
    pathlib.Path(path).write_text(text)
    one.run("document.querySelector('#import-file').hidden = false")
    one.find("#import-file").send_keys(path)
    one.click("#dialog [data-act=confirm]")
    until("the channels are back", lambda: states() == before)


def first_rates(stage):
    """A few changes are no rate, and behind a new connection none is shown for some seconds."""
    stage.expected = ["WebSocket connection to", "ERR_CONNECTION_REFUSED"]
    stage.set(NAME, 0)
    one = stage.browser(address(NAME))
    until("the changes are shown", lambda: "Changes1 since racd started" in (one.text("#detail .facts") or ""))
    one.run("""
        window.rates = [];
        const note = () => rates.push(document.querySelector("#detail .facts").textContent.match(/[\\d.]+ a second/)?.[0]);
        new MutationObserver(note).observe(document.querySelector("#detail"), { childList: true, subtree: true, characterData: true });
    """)
    stage.set(NAME, 1)
    until("the change is counted", lambda: "Changes2" in one.text("#detail .facts"))
    stage.kill()
    until("the page is away", lambda: "not connected" in one.text("#connection"))
    stage.start()
    stage.set(NAME, 2)
    for value in range(3, 8):
        stage.set(NAME, value)
    until("the page is back", lambda: one.text("#value") == "7" and "Changes" in one.text("#detail .facts"))
    expect(not [rate for rate in one.run("return rates") if rate], f"the rates {one.run('return rates')} were shown")


def narrow(stage):
    """The toolbar stays within its pane at each width."""
    stage.set(NAME, 0)
    one = stage.browser(address(NAME))
    for width in (761, 768, 800, 850, 899, 901, 1100):
        one.resize(width, 700)
        outside, height = until("the toolbar is drawn", lambda: one.run("""
            const [bar, rate] = [document.querySelector(".foot"), document.querySelector("#rate")];
            const edge = document.querySelector("#browse").getBoundingClientRect().right;
            return [[...bar.children].some((one) => one.getBoundingClientRect().right > edge), rate.offsetHeight];
        """))
        expect(not outside and height < 30, f"at {width} pixels the toolbar sticks out")
        if stage.options.screenshots:
            one.screenshot(stage.options.screenshots / f"toolbar-{width}.png")


SCENES = [sizes, unchanged, as_text, deleted, long_conflict, long_values, transfers, first_rates, narrow]
