// The examples of README.md run as they stand there, against a real racd and elements that the test makes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bindInput, raw } from "../rac.js";
import { tcp } from "../tcp.js";
import { Daemon, skip } from "./support/daemon.js";
import { FakeElement, FakeField } from "./support/elements.js";

const AsyncFunction = (async () => {}).constructor;

async function examples() {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)];
  return blocks.map(([, code]) => code.replace(/^import .*\n/gm, ""));
}

for (const [place, code] of (await examples()).entries()) {
  test(`Example ${place + 1} of README.md runs`, { skip }, async (t) => {
    const daemon = await Daemon.start(t);
    const rac = daemon.client();
    const problems = [];
    rac.problems.subscribe((error) => problems.push(error));
    const names = {
      rac,
      raw,
      bindInput,
      tcp,
      connect: (_, options) => daemon.client(options),
      meter: {},
      field: new FakeField(),
      button: new FakeElement(),
      console: { log() {} },
    };
    // An example that makes its own client has no other one.
    if (code.includes("const rac = ")) delete names.rac;
    await new AsyncFunction(...Object.keys(names), code)(...Object.values(names));
    assert.deepEqual(problems, []);
  });
}

test("README.md has the examples that are run", async () => {
  assert.equal((await examples()).length, 7);
});
