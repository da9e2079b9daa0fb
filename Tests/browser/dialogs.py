"""Scenes of the page's questions and news."""
from page import CONTROL_ENTER, NAME, address
from selenium.webdriver.common.keys import Keys
from stage import connected, expect, path_of, until


def refused(stage):
    """A new channel that racd refuses leaves the dialog open with its text, and the next try makes it."""
    stage.set(NAME, 7)
    one = stage.browser("/")
    connected(one)
    one.click("[data-act=new]")
    for name, words in (("new//bad", "no empty segments"), (NAME, "already")):
        one.type("#dialog [name=name]", "")
        one.press(Keys.CONTROL, "a", Keys.NULL, name)
        one.type("#dialog [name=value]", Keys.CONTROL + "a" + Keys.NULL + "[1, 2]")
        one.click("#dialog [data-act=confirm]")
        until("the dialog tells the refusal", lambda: words in (one.text("#dialog .fault") or ""))
        expect(one.text("#dialog .fault")[0].isupper(), f"the dialog says {one.text('#dialog .fault')}")
        expect(one.value("#dialog [name=name]") == name and one.value("#dialog [name=value]") == "[1, 2]", "what was typed is lost")
        expect(one.text("#notice") == "", "the refusal stands twice")
    one.type("#dialog [name=name]", Keys.CONTROL + "a" + Keys.NULL + "room/new" + Keys.ENTER)
    until("the channel is made", lambda: stage.get("room/new") == [1, 2])
    until("the page shows it", lambda: one.text("#detail h2") == "room/new" and one.text("#dialog") is None)


def passing(stage):
    """News without a way back go in a while, which waits for a reader, and with the next place in the page; an undo stays."""
    stage.set("room/light", True)
    one = stage.browser(address(NAME))

    def refuse():
        stage.set(NAME, 7)
        until("the value is shown", lambda: one.text("#value") == "7" and one.find("[data-act=delete]").is_displayed())
        one.click("[data-act=delete]")
        stage.ask("DELETE", path_of(NAME))
        one.click("#dialog [data-act=confirm]")
        until("the refusal is told", lambda: "no channel" in (one.text("#notice span") or ""))
        expect(one.run("return document.querySelector('#notice').ariaLive") == "assertive", "the refusal is not read aloud at once")

    state = "return document.querySelector('#notice').getAnimations({ subtree: true }).map(({ playState }) => playState)"
    finish = "document.querySelector('#notice').getAnimations({ subtree: true }).forEach((one) => one.finish())"
    refuse()
    one.run("document.querySelector('#notice [data-act=dismiss]').focus()")
    until("the time stands for the focus", lambda: one.run(state) == ["paused"])
    one.run("document.activeElement.blur()")
    until("the time goes on", lambda: one.run(state) == ["running"])
    one.run(finish)
    until("the refusal goes", lambda: one.text("#notice") == "")
    refuse()
    one.run("location.hash = arguments[0]", address("room/light")[1:])
    until("the refusal is left behind", lambda: one.text("#notice") == "" and one.text("#value") == "true")
    one.click("[data-act=complete]")
    one.click("#dialog [data-act=confirm]")
    until("the way back is offered", lambda: one.text("#notice [data-act=undo]") == "Reopen")
    one.run("location.hash = '#overview'")
    until("the overview is shown", lambda: one.find("#overview").is_displayed())
    expect(one.run(state) == [] and one.text("#notice [data-act=undo]") == "Reopen", "the way back is lost")


def proposals(stage):
    """Typed text replaces a proposed code, and goes on behind a proposed branch."""
    stage.set(NAME, 7)
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: one.text("#value") == "7")
    one.click("[data-act=fail]")
    until("the code is proposed", lambda: one.value("#dialog [name=code]") == "failed")
    one.press("my-code", Keys.ENTER)
    until("the channel has failed with it", lambda: one.text("#channel-error") == "my-code")
    one.press("t", Keys.ARROW_LEFT, "n")
    until("the branch is proposed", lambda: one.value("#dialog [name=name]") == "room/")
    one.press("light", Keys.ENTER)
    until("the channel is made", lambda: "room/light" in stage.channels())


SCENES = [proposals, refused, passing]
