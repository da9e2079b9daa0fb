"""Scenes of the page's charts and figures."""
import itertools

from page import NAME, address
from stage import expect, until

CHART = """
const chart = document.querySelector(`${arguments[0]} .sparkline`);
return chart && { labels: [...chart.querySelectorAll("figcaption span")].map((label) => label.textContent),
  heights: new Set(chart.querySelector("path").getAttribute("d").match(/V[\\d.]+/g)).size };
"""


def scales(stage):
    """The labels of a chart differ, or its line is flat: a change of a few bytes fills no height."""
    stage.put({"long": "y" * 220_000, "short": "x", NAME: 1000})
    one = stage.browser(address(NAME))
    until("the value is shown", lambda: one.text("#value") == "1000")
    for number in (1000.00012, 1000.00016):
        stage.set(NAME, number)
        until("the value is shown", lambda: one.text("#value") == str(number))
    until("the chart begins", lambda: one.run(CHART, "#history"))
    expect(one.run(CHART, "#history")["labels"] == ["1000.00016", "1000"], f"the chart shows {one.run(CHART, '#history')}")

    one.open(stage.address + "/#overview")
    drawn = "return document.querySelector(arguments[0] + ' path')?.getAttribute('d').split('V').length > 3"
    values = "[data-figure='memory/values']"
    texts = itertools.cycle("x" * length for length in range(1, 8))
    until("the chart has points", lambda: stage.set("short", next(texts)) or one.run(drawn, values))
    chart = one.run(CHART, values)
    expect(len(chart["labels"]) == chart["heights"] == 1, f"the chart shows {chart}")


SCENES = [scales]
