"""Scenes of the page's editor."""
import json

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
    until("the text is refused as JSON", lambda: "no JSON" in (one.text("form.editor .fault") or ""))
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


SCENES = [sizes, unchanged, as_text, deleted]
