"""Scenes of the examples, each in two browsers."""
from selenium.webdriver.common.keys import Keys
from stage import connected, expect, until


def contact_form(stage):
    """The contact form can be saved in both browsers while one field has text, and is emptied in both."""
    one, other = stage.pair("/examples/contact-form.html")
    connected(one, other)
    save, name, phone = "#contact button", "#contact [name=name]", "#contact [name=phone]"
    expect(not one.is_enabled(save) and not other.is_enabled(save), "an empty form can be saved")
    one.type(name, "Ada")
    for browser in (one, other):
        until("the form can be saved", lambda: browser.is_enabled(save))
    one.press(*[Keys.BACKSPACE] * 3)
    for browser in (one, other):
        until("the empty form cannot be saved", lambda: not browser.is_enabled(save))
    one.press("Ada", Keys.TAB)
    one.type("#contact [name=email]", "ada at home")
    one.press(Keys.TAB)
    other.type(phone, "5550100")
    until("both have the phone", lambda: one.value(phone) == "5550100")
    until("both have the address", lambda: other.value("#contact [name=email]") == "ada at home")
    other.press(Keys.ENTER)
    until("the one who saves is told the fault of the address", lambda: "looks like" in (other.text("#result") or ""))
    expect(one.value(name) == "Ada", "a contact with a bad address was kept")
    one.type("#contact [name=email]", Keys.CONTROL + "a" + Keys.NULL + "ada@example.org" + Keys.TAB)
    until("both have the better address", lambda: other.value("#contact [name=email]") == "ada@example.org")
    other.press(Keys.ENTER)
    for browser in (one, other):
        until("both show what was saved", lambda: browser.text("#saved") == "Ada, ada@example.org, 5550100")
        until("both are empty again", lambda: browser.value(name) == browser.value(phone) == "" and not browser.is_enabled(save))
    until("the one who saved is told", lambda: other.text("#result") == "Saved.")
    expect(stage.get("examples/contact/saved") == ["Ada", "ada@example.org", "5550100"], "another contact was kept")


def host_leaves(stage):
    """A command whose host is left goes on with another page, and a page that comes back is as the others."""
    one = stage.browser("/examples/contact-form.html")
    host = until("the first page hosts it", lambda: stage.host("examples/contact/save"))
    other = stage.browser("/examples/contact-form.html")
    connected(one, other)
    other.type("#contact [name=name]", "Ada")
    until("the form can be saved", lambda: other.is_enabled("#contact button"))
    one.open("about:blank")
    until("the other page hosts it", lambda: stage.host("examples/contact/save") not in (None, host))
    until("the form can be saved again", lambda: other.is_enabled("#contact button"))
    other.click("#contact button")
    until("it is saved", lambda: other.text("#saved") == "Ada")
    one.driver.back()
    until("the page that comes back shows it", lambda: one.text("#saved") == "Ada")


def text_fields(stage):
    """Four fields in two browsers have one text."""
    one, other = stage.pair("/examples/text-fields.html")
    connected(one, other)
    fields = [(browser, f"#fields label:nth-child({place}) input") for browser in (one, other) for place in (1, 2)]
    text = ""
    for number, (browser, field) in enumerate(fields):
        browser.type(field, f"{number}")
        browser.press(Keys.TAB)
        text += f"{number}"
        for shown_by, selector in fields:
            until("each field shows it", lambda: shown_by.value(selector) == text)


def button(stage):
    """A button is disabled in both browsers while its command runs, and the lamp blinks in both."""
    one, other = stage.pair("/examples/button.html")
    connected(one, other)
    for browser in (one, other):
        browser.run("""
            window.seen = [];
            window.told = [];
            const [lamp, button, result] = ["#lamp", "#blink", "#result"].map((place) => document.querySelector(place));
            new MutationObserver(() => told.push(result.textContent)).observe(result, { childList: true });
            new MutationObserver(() => seen.push(`${lamp.textContent} ${button.disabled}`)).observe(lamp, { childList: true });
        """)
        until("the button can be pressed", lambda: browser.is_enabled("#blink"))
    one.click("#blink")
    until("the other page has the button disabled", lambda: other.is_enabled("#blink") is False)
    until("the one who pressed it is told each step", lambda: one.text("#result") == "The lamp has blinked 5 times.")
    expect(one.run("return told[0]") == "The lamp has blinked once.", f"the first step is told as {one.run('return told[0]')}")
    for browser in (one, other):
        until("the button can be pressed again", lambda: browser.is_enabled("#blink"))
        seen = browser.run("return seen")
        expect(seen == ["on true", "off true"] * 5, f"a page has shown {seen}")
    expect(other.text("#result") == "", "the page that has not pressed the button got the steps")


# Notes how the rows were, each time that one changes.
WATCH_FILES = """
window.seen = [];
const note = () => seen.push([...document.querySelectorAll("#files li")].map((row) =>
  [row.querySelector("span").textContent, row.querySelector("progress").value, row.querySelector("output").textContent]));
new MutationObserver(note).observe(document.querySelector("#files"), { childList: true, subtree: true, characterData: true, attributes: true });
"""


def uploads(stage):
    """Both browsers see the progress of each file, and one that is refused stops no other one."""
    one, other = stage.pair("/examples/uploads.html")
    connected(one, other)
    other.run(WATCH_FILES)
    until("a batch can begin", lambda: one.is_enabled("[name=start]") and other.is_enabled("[name=start]"))
    one.click("[name=start]")
    until("no other batch can begin", lambda: other.is_enabled("[name=start]") is False)
    expect(not other.is_enabled("[name=cancel]"), "another page may cancel")
    until("the batch is over", lambda: one.is_enabled("[name=start]") and other.is_enabled("[name=start]"))
    until("the one who began is told", lambda: one.text("#result") == "3 of 4 files are uploaded.")
    ends = {name: state for name, _, state in other.run("return seen.at(-1)")}
    expect(ends == {"notes.txt": "uploaded", "photograph.jpg": "uploaded", "broken.bad": "refused",
                    "a film that takes longer.mp4": "uploaded"}, f"the files came out as {ends}")
    film = [row[1] for rows in other.run("return seen") for row in rows if row[0].startswith("a film")]
    expect(film == sorted(film) and len(set(film)) > 5, f"the progress of the film was {film}")


def uploads_cancelled(stage):
    """The browser that began a batch cancels it, and both see what was cancelled."""
    one, other = stage.pair("/examples/uploads.html")
    connected(one, other)
    until("a batch can begin", lambda: one.is_enabled("[name=start]"))
    one.click("[name=start]")
    until("a file is uploaded", lambda: "uploaded" in (other.text("#files") or ""))
    one.click("[name=cancel]")
    until("the one who cancelled is told", lambda: one.text("#result") == "You have cancelled the uploads.")
    for browser in (one, other):
        until("a file was cancelled", lambda: "cancelled" in browser.text("#files") and "uploading" not in browser.text("#files"))
        until("another batch can begin", lambda: browser.is_enabled("[name=start]"))
    expect(not one.is_enabled("[name=cancel]"), "there is nothing more to cancel")


# Holds work back at its pauses of so many milliseconds, behind the first ones.
HOLD = """
const [length, many] = arguments, real = setTimeout;
let left = many;
window.setTimeout = (act, pause) => (pause === length && left-- <= 0 ? 0 : real(act, pause));
"""


def host_is_lost(stage):
    """A page that is closed while it works leaves its lamp off, and no file that is uploaded for ever."""
    one = stage.browser("/examples/button.html")
    until("the first page hosts it", lambda: stage.host("examples/lamp/blink"))
    other = stage.browser("/examples/button.html")
    connected(one, other)
    one.run(HOLD, 300, 2)
    until("the button can be pressed", lambda: other.is_enabled("#blink"))
    other.click("#blink")
    until("the lamp has blinked once and is on", lambda: other.text("#result") and other.text("#lamp") == "on")
    one.open("about:blank")
    until("the lamp is off", lambda: other.text("#lamp") == "off" and stage.get("examples/lamp") is False)
    until("the button can be pressed again", lambda: other.is_enabled("#blink"))

    one.open(stage.address + "/examples/uploads.html")
    until("the first page hosts it", lambda: stage.host("examples/uploads/upload"))
    other.open(stage.address + "/examples/uploads.html")
    connected(one, other)
    one.run(HOLD, 100, 5)
    until("a batch can begin", lambda: other.is_enabled("[name=start]"))
    other.click("[name=start]")
    until("a file is uploaded in part", lambda: "uploading" in other.text("#files"))
    one.open("about:blank")
    until("no file is uploading", lambda: other.text("#files").count("lost with its page") == 4)
    until("another batch can begin", lambda: other.is_enabled("[name=start]"))


def index(stage):
    """Each page of the examples loads without a complaint, shows its source, and leads to the others."""
    one = stage.browser("/examples/")
    links = one.run("return [...document.querySelectorAll('.cards a')].map((link) => link.href)")
    expect(len(links) == 4, f"the index leads to {links}")
    for link in links:
        one.open(link)
        connected(one)
        sources = until("the sources are shown", lambda: one.run(
            "const all = [...document.querySelectorAll('pre')].map((place) => place.textContent); return all.every(Boolean) && all"))
        expect('agent: "example-' in sources[1], f"{link} names no agent")
        expect("showConnection" in sources[1] and "<script" not in sources[0], f"{link} shows {sources}")


SCENES = [index, contact_form, host_leaves, text_fields, button, uploads, uploads_cancelled, host_is_lost]
