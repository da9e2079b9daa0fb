#!/usr/bin/env python3
"""The page, the examples and rac.js in real browsers, against a real racd. Python 3.9+, Selenium, Debian's chromium and driver.

    run.py --racd PATH [--only TEXT] [--figures] [--screenshots FOLDER]

Each scene has a racd of its own, and the page of that racd: build it after a change of the page. Two browsers are two
processes with two profiles. A scene fails if a browser's console has a warning, an error or a report of the
Content-Security-Policy that the scene does not expect.

Speed is printed and not judged; --figures judges it, too. The option --screenshots keeps pictures of all pages, which a person
looks at. The rules of axe-core judge names, roles and contrasts: its Python package axe-playwright-python is installed, or lies in
.build/axe.

Without a browser or Selenium the program says what it leaves out, and ends with status 0. It ends with status 1 if a scene fails.
"""
import argparse, os, pathlib, sys, time, traceback

from stage import Fault, Stage, missing


def scenes():
    """All scenes, which need Selenium."""
    import dialogs, editing, examples, fields, figures, foreign, looks, page, proxied, rights, rows

    return [scene for file in (fields, examples, foreign, proxied, page, rights, rows, figures, dialogs, editing, looks) for scene in file.SCENES]


def name_of(scene):
    """The name of a scene with that of its file."""
    return f"{scene.__module__}.{scene.__name__}"


def play(options, scene, idle):
    """Plays a scene; returns the line about its failure, None if it went as it should."""
    begin, stage, failure = time.monotonic(), Stage(options, idle), None
    try:
        scene(stage)
        stage.check()
    except Exception as fault:
        failure = fault if isinstance(fault, Fault) else traceback.format_exc()
        if options.screenshots:
            for number, browser in enumerate(stage.browsers, 1):
                browser.screenshot(options.screenshots / f"failed-{name_of(scene)}-{number}.png")
    finally:
        stage.close(failed=failure is not None)
    if failure is None:
        figures = ", ".join([f"{time.monotonic() - begin:.1f} s", *stage.figures])
        print(f"browser: {name_of(scene)}: {scene.__doc__} {figures}", flush=True)
        return None
    line = f"broken: {name_of(scene)} ({scene.__doc__}): {failure}"
    print(line, flush=True)
    return line


def main(options):
    if lacking := list(missing()):
        print(f"browser: the tests in a browser are left out: install {' '.join(lacking)}")
        return 0
    if not os.access(options.racd, os.X_OK):
        print(f"browser: there is no racd at {options.racd}: build it, or name another one with --racd", file=sys.stderr)
        return 2
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    idle = []
    try:
        broken = list(filter(None, [play(options, scene, idle) for scene in scenes() if options.only in name_of(scene)]))
    finally:
        for browser in idle:
            browser.quit()
    # A failure among fifty scenes is printed again where a reader looks first.
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racd", default=".build/debug/racd")
    parser.add_argument("--only", default="")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--screenshots", type=pathlib.Path)
    sys.exit(main(parser.parse_args()))
