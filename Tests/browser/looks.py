"""Scenes of how pages look: names and contrasts for everybody, no width too small, dark and light."""
import importlib.util, pathlib

import house
from page import CONTROL_ENTER, address, begin_edit
from stage import ROOT, connected, expect, until

# The rules of WCAG 2.2 at level AA, and the usual practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = "return axe.run(document, { runOnly: arguments[0] }).then(({ violations }) => violations)"
SIZES = {"wide": (1100, 800), "phone": (375, 700)}
SKIPPED = [("wide", "dark"), ("phone", "light")]


def axe():
    """The text of axe-core, if the Python package that has it is installed, or lies in .build/axe."""
    found = importlib.util.find_spec("axe_playwright_python")
    installed = [pathlib.Path(folder) for folder in found.submodule_search_locations] if found else []
    files = [folder / "axe.min.js" for folder in [ROOT / ".build/axe/axe_playwright_python", *installed]]
    return next((file.read_text() for file in files if file.is_file()), None)


def look(stage, browser, view, show):
    """Shows a view in each size and colour, and judges it."""
    source = axe()
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            # A run without pictures saves half of the time.
            if stage.options.screenshots is None and (size, scheme) in SKIPPED:
                continue
            browser.resize(width, height)
            browser.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            browser.open("about:blank")
            show(browser)
            where = f"{view}, {size}, {scheme}"
            wide = browser.run("return document.documentElement.scrollWidth")
            expect(wide <= width, f"{where}: the page is {wide} points wide, more than {width}")
            if stage.options.screenshots:
                browser.screenshot(stage.options.screenshots / f"{view}-{size}-{scheme}.png")
            if source is not None:
                browser.run(source)
                faults = [f"{fault['help']}: {node['html'][:200]} {node['failureSummary']}"
                          for fault in browser.run(RUN, RULES) for node in fault["nodes"]]
                expect(not faults, f"{where}: " + "\n".join(faults))
    if source is None:
        stage.figure(True, "without axe-core, which the Python package axe-playwright-python has")


def examples(stage):
    """The examples can be read, named and used by everybody, on a phone too."""
    one = stage.browser()
    for page in ("index", "contact-form", "text-fields", "button", "uploads"):
        def show(browser):
            browser.open(stage.address + f"/examples/{page}.html")
            until("the sources are shown", lambda: browser.run("return [...document.querySelectorAll('pre')].every(({ textContent }) => textContent)"))
            if page != "index":
                connected(browser)

        look(stage, one, page, show)


def uploading(stage):
    """The rows of an upload can be read by everybody."""
    one = stage.browser()

    def show(browser):
        browser.open(stage.address + "/examples/uploads.html")
        until("a batch can begin", lambda: browser.is_enabled("[name=start]"))
        browser.click("[name=start]")
        until("it is under way", lambda: "uploading" in (browser.text("#files") or ""))

    look(stage, one, "uploading", show)


def channels(stage):
    """The page's views of channels can be read, named and used by everybody, on a phone too."""
    house.furnish(stage)
    one = stage.browser()

    def tree(browser):
        browser.open(stage.address + "/")
        until("the rows are there", lambda: browser.run("return document.querySelectorAll('#tree .row:not([hidden])').length > 10"))

    def channel(name, words="Revision"):
        def show(browser):
            browser.open(stage.address + address(name))
            until("the channel is shown", lambda: words in (browser.text("#detail") or ""))

        return show

    def changed(browser):
        channel("energy/solar/watts")(browser)
        for step in range(4):
            stage.set("energy/solar/watts", house.solar(step))
            until("the change is shown", lambda: browser.text("#value") == str(house.solar(step)))

    def conflict(browser):
        channel("home/front door")(browser)
        begin_edit(browser, "open")
        stage.set("home/front door", "ajar")
        browser.press(*CONTROL_ENTER)
        until("the conflict is shown", lambda: browser.text("#conflict"))
        stage.set("home/front door", "locked")

    def question(browser):
        channel("garden/gate")(browser)
        browser.click("[data-act=fail]")
        until("the question is shown", lambda: browser.text("#dialog"))

    def fault(browser):
        tree(browser)
        browser.type("#filter", "home/**x")
        until("the fault is shown", lambda: browser.text("#filter-state"))

    views = {"tree": tree, "channel": changed, "paired": channel("home/heater"), "failed": channel("lab/run 7/status"),
             "conflict": conflict, "question": question, "filter-fault": fault}
    for view, show in views.items():
        look(stage, one, view, show)


def others(stage):
    """The overview, the commands and the keys can be read, named and used by everybody, on a phone too."""
    house.furnish(stage)
    host = stage.browser("/examples/button.html")
    until("a command is hosted", lambda: stage.host("examples/lamp/blink"))
    one = stage.browser()

    def overview(browser):
        browser.open(stage.address + "/#overview")
        until("the figures are there", lambda: "on disk" in (browser.text("#overview") or "") and browser.run("return document.querySelector('#connections table')"))

    def command(browser):
        browser.open(stage.address + address("examples/lamp/blink", "commands"))
        until("it may be executed", lambda: browser.is_enabled("#execute"))
        browser.type("#input", '{"times": 1}')
        browser.click("#execute")
        until("it is done", lambda: "completed" in (browser.text("#runs") or "") and browser.is_enabled("#execute"))

    def keys(browser):
        overview(browser)
        browser.run("document.activeElement.blur()")
        browser.find("body").send_keys("?")
        until("the keys are shown", lambda: browser.text("#dialog"))

    for view, show in {"overview": overview, "command": command, "keys": keys}.items():
        look(stage, one, view, show)


SCENES = [examples, uploading, channels, others]
