"""Scenes of the page's editor."""
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


SCENES = [sizes, unchanged]
