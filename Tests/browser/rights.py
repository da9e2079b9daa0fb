"""Scenes of the page for principals who may not do everything."""
from page import CONTROL_ENTER, NAME, address
from selenium.webdriver.common.keys import Keys
from stage import expect, path_of, until


def sign_in(stage, path):
    """A browser of a reader at a path of a closed racd."""
    stage.expected = ["401"]
    writer = stage.close_access()
    reader = stage.new_token("eve", "reader")
    stage.start()
    expect(stage.ask("PUT", path_of(NAME), "7", Authorization=f"Bearer {writer}")[0] == 200, "the value is not set")
    one = stage.browser(path)
    one.type("#token", reader + Keys.ENTER)
    until("the page is open", lambda: one.text("#principal") == "eve")
    return one


def refused(stage):
    """An act that racd has forbidden cannot be tried again, and the page shows the reason; so each kind of act."""
    one = sign_in(stage, address(NAME))
    until("the value is shown", lambda: one.text("#value") == "7")
    one.click("[data-act=complete]")
    one.click("#dialog [data-act=confirm]")
    until("the refusal is told", lambda: "eve may not manage" in (one.text("#rights") or ""))
    for act in ("complete", "fail", "delete"):
        expect(not one.is_enabled(f"[data-act={act}]"), f"{act} can be tried")
    expect(one.is_enabled("[data-act=edit-value]"), "the value cannot be edited for want of another right")
    one.click("[data-act=edit-value]")
    one.press("8", *CONTROL_ENTER)
    until("the refusal is told", lambda: "eve may not write" in (one.text("form.editor .fault") or ""))
    one.click("form.editor [data-act=cancel]")
    until("the edit is over", lambda: one.text("#edit") is None)
    expect(not one.is_enabled("[data-act=edit-value]") and "eve may not write" in one.text("#rights"), "an edit can be tried again")
    one.press("e")
    expect(one.text("#edit") is None, "the key e begins an edit")
    for name in ("elsewhere", NAME):
        one.run("location.hash = arguments[0]", address(name).partition("#")[2])
        until("the channel is chosen", lambda: one.text("#detail h2") == name)
    until("an attempt at a channel that is chosen again is free", lambda: one.is_enabled("[data-act=edit-value]"))


def unseen(stage):
    """Figures and commands that a principal may not see are said to be out of its sight, and not to be absent."""
    one = sign_in(stage, "/#overview")
    until("the reason is told", lambda: "may not read" in one.text("#overview .hint") and one.find("#overview .hint").is_displayed())
    expect(not one.find(".figures").is_displayed(), "figures without numbers are shown")
    one.click("#tab-commands")
    until("the commands are read", lambda: one.find("#no-commands").is_displayed())
    expect("may" in one.text("#no-commands"), f"the page says {one.text('#no-commands')}")


SCENES = [refused, unseen]
