"""Scenes of the page's questions and news."""
from page import CONTROL_ENTER, NAME, address
from selenium.webdriver.common.keys import Keys
from stage import connected, expect, until


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
        expect(one.value("#dialog [name=name]") == name and one.value("#dialog [name=value]") == "[1, 2]", "what was typed is lost")
        expect(one.text("#notice") == "", "the refusal stands twice")
    one.type("#dialog [name=name]", Keys.CONTROL + "a" + Keys.NULL + "room/new" + Keys.ENTER)
    until("the channel is made", lambda: stage.get("room/new") == [1, 2])
    until("the page shows it", lambda: one.text("#detail h2") == "room/new" and one.text("#dialog") is None)


SCENES = [refused]
