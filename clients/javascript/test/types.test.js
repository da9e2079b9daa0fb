// rac.d.ts takes the right programs and refuses the wrong ones, if a `tsc` is in PATH.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const tsc = (...rest) => spawnSync("tsc", rest, { encoding: "utf8" });
const skip = tsc("--version").status === 0 ? false : "no tsc is in PATH: install node-typescript";

test("The types check what is written, and what is read", { skip }, () => {
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node"];
  const { status, stdout } = tsc(...options, "--lib", "es2022,dom", fileURLToPath(new URL("types.ts", import.meta.url)));
  assert.equal(status, 0, stdout);
});
