#!/usr/bin/env python3
"""Takes the picture of the page that README.md shows. Needs what run.py needs.

    screenshot.py --racd PATH [--to docs/images/console.png]
"""
import argparse, pathlib, sys, time

import house
from page import address
from stage import ROOT, Stage, connected, until

SIZE = 1200, 720
# The chart of the last changes has as many steps, one each PAUSE seconds.
STEPS, PAUSE = 60, 0.25
# A device of the house, and a display.
PROGRAMS = """
const { connect } = await import("/rac.js");
const device = connect(undefined, { name: "roof", agent: "inverter/2.1" });
window.watts = device.property("energy/solar/watts");
for (const command of ["home/heater/boost", "garden/sprinkler/water"]) device.host(command, async function* () {});
connect(undefined, { name: "hall", agent: "display/1.4" }).property("energy/solar/watts", { interval: 500 });
await watts.ready();
"""


def take(stage, path):
    house.furnish(stage)
    one = stage.browser(address("energy/solar/watts"))
    one.resize(*SIZE)
    connected(one)
    programs = stage.browser("/examples/")
    programs.run(PROGRAMS)
    for step in range(STEPS):
        stage.put(house.step(step))
        programs.run("watts.value = arguments[0]", house.solar(step))
        time.sleep(PAUSE)
    until("the last value is shown", lambda: one.text("#value") == str(house.solar(STEPS - 1)))
    until("the programs are shown", lambda: "inverter" in one.text("#bindings") and one.text("#command-count") == "2")
    path.parent.mkdir(parents=True, exist_ok=True)
    one.screenshot(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", default=".build/debug/racd")
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "docs/images/console.png")
    parser.set_defaults(figures=False, screenshots=None)
    options = parser.parse_args()
    stage = Stage(options, [])
    try:
        take(stage, options.to)
    finally:
        stage.close(failed=True)
    sys.exit(0)
