import assert from "node:assert/strict";
import { test } from "node:test";
import { bindButton } from "../rac/buttons.js";
import { Edit, bindInput, placeAfter } from "../rac/fields.js";
import { Cell } from "../rac/cells.js";
import { RacError } from "../rac/errors.js";
import { raw, textOf } from "../rac/values.js";
import { FakeElement, FakeField, FakeProperty } from "./support/elements.js";

function bound(type, text) {
  const [field, property] = [new FakeField(type), new FakeProperty()];
  property.text = text;
  const unbind = bindInput(field, property);
  return { field, property, unbind };
}

test("An edit is open from the first change until it is committed or left", () => {
  const edit = new Edit();
  assert.equal(edit.isOpen, false);
  assert.equal(edit.typed(), true);
  assert.equal(edit.isOpen, true);
  edit.over();
  assert.equal(edit.isOpen, false);
});

test("An input method sends when it is done, and its edit is open before", () => {
  const edit = new Edit();
  edit.compositionBegan();
  assert.equal(edit.isOpen, true);
  assert.equal(edit.typed(), false);
  assert.equal(edit.compositionEnded(), true);
  edit.over();
  assert.equal(edit.isOpen, false);
});

test("A place in a text stays with the characters around it", () => {
  assert.equal(placeAfter("hello", "hello you", 5), 5);
  assert.equal(placeAfter("hello", "oh hello", 2), 5);
  assert.equal(placeAfter("abcdef", "abXdef", 6), 6);
  assert.equal(placeAfter("abcdef", "abXYdef", 2), 2);
  assert.equal(placeAfter("abcdef", "abXYdef", 3), 4);
  assert.equal(placeAfter("abcdef", "", 4), 0);
  assert.equal(placeAfter("", "abc", 0), 0);
  assert.equal(placeAfter("aaa", "aa", 3), 2);
});

test("A field shows the current value, and each arrival", () => {
  const { field, property } = bound("text", textOf("now"));
  assert.equal(field.value, "now");
  property.arrive(textOf("later"));
  assert.equal(field.value, "later");
  property.arrive(raw("[1.50]"));
  assert.equal(field.value, "[1.50]");
});

test("Typed text goes out at once, an equal value does not", () => {
  const { field, property } = bound("text");
  field.typeIn("a");
  field.typeIn("ab");
  field.fire("input");
  assert.deepEqual(property.sent, ['"a"', '"ab"']);
});

test("An arrival waits while somebody types, and is shown when the edit is committed", () => {
  const { field, property } = bound("text", textOf("old"));
  field.typeIn("mine");
  property.arrive(textOf("theirs"));
  assert.equal(field.value, "mine");
  field.fire("change");
  assert.equal(field.value, "theirs");
});

test("An arrival waits while somebody types, and is shown when the field is left", () => {
  const { field, property } = bound("text", textOf("old"));
  field.typeIn("mine");
  property.arrive(textOf("theirs"));
  field.leave();
  assert.equal(field.value, "theirs");
});

test("A field that keeps its value is not set, so nothing moves in it", () => {
  const { field } = bound("text");
  field.typeIn("mine", 2);
  field.fire("change");
  field.leave();
  assert.equal(field.assignments, 0);
  assert.equal(field.selectionStart, 2);
});

test("Half a character of an input method is not sent, and nothing disturbs it", () => {
  const { field, property } = bound("text", textOf("old"));
  field.fire("compositionstart");
  field.typeIn("k");
  property.arrive(textOf("theirs"));
  assert.deepEqual([field.value, property.sent], ["k", []]);
  field.typeIn("か");
  field.fire("compositionend");
  assert.deepEqual(property.sent, ['"か"']);
  assert.equal(field.value, "か");
});

test("The caret of a field with the focus stays when a value arrives", () => {
  const { field, property } = bound("text", textOf("hello"));
  field.isFocused = true;
  field.setSelectionRange(2, 4);
  property.arrive(textOf("oh hello"));
  assert.deepEqual([field.selectionStart, field.selectionEnd], [5, 7]);
  field.isFocused = false;
  property.arrive(textOf("x"));
  assert.equal(field.selectionStart, 1);
});

test("A number keeps the text that was typed, and half a number is not sent", () => {
  const { field, property } = bound("number", raw("1.50"));
  assert.equal(field.value, "1.50");
  for (const text of ["2.0", "", "-", ".5", "1e3"]) field.typeIn(text);
  assert.deepEqual(property.sent, ["2.0", "0.5", "1e3"]);
  field.leave();
  property.arrive(raw("null"));
  assert.equal(field.value, "");
});

test("A checkbox is true or false", () => {
  const { field, property } = bound("checkbox", raw("true"));
  assert.equal(field.checked, true);
  field.checked = false;
  field.fire("input");
  field.fire("change");
  assert.deepEqual(property.sent, ["false"]);
  property.arrive(raw("true"));
  assert.equal(field.checked, true);
});

test("A channel that ends shows its last value and disables the field", () => {
  const { field, property } = bound("text", textOf("old"));
  field.typeIn("mine");
  property.arrive(textOf("last"));
  property.end();
  assert.deepEqual([field.value, field.disabled], ["last", true]);
});

test("A field that is unbound sends nothing more", () => {
  const { field, property, unbind } = bound("text");
  unbind();
  field.typeIn("a");
  assert.deepEqual([property.sent, property.isUnbound], [[], true]);
});

/** A command whose runs a test makes. */
function fakeCommand(run) {
  const [enabled, setEnabled] = Cell.make(false, assert.fail);
  const [executing, setExecuting] = Cell.make(false, assert.fail);
  return { enabled, executing, execute: run, setEnabled, setExecuting };
}

const turn = () => new Promise(setImmediate);

test("A button is disabled while its command may not be executed, and busy while it runs", () => {
  const button = new FakeElement();
  const command = fakeCommand();
  const undo = bindButton(button, command, assert.fail);
  assert.deepEqual([button.disabled, button.attributes["aria-busy"]], [true, "false"]);
  command.setEnabled(true);
  assert.equal(button.disabled, false);
  command.setEnabled(false);
  command.setExecuting(true);
  assert.deepEqual([button.disabled, button.attributes["aria-busy"]], [true, "true"]);
  undo();
  command.setEnabled(true);
  assert.equal(button.disabled, true);
});

test("A click executes the command with the input of that moment, and reports the steps and the failure", async () => {
  const button = new FakeElement();
  const inputs = [];
  const command = fakeCommand(async function* (input) {
    inputs.push(input);
    yield 1;
    yield 2;
    throw new RacError(input, "failed");
  });
  const [steps, failures] = [[], []];
  let code = "lamp";
  bindButton(button, command, assert.fail, {
    input: () => code,
    step: (n) => steps.push(n),
    failed: ({ code }) => failures.push(code),
  });
  button.fire("click");
  await turn();
  code = "not-enabled";
  button.fire("click");
  await turn();
  assert.deepEqual([inputs, steps, failures], [["lamp", "not-enabled"], [1, 2, 1, 2], ["lamp"]]);
});

test("A failure that the page does not take is a problem", async () => {
  const button = new FakeElement();
  const problems = [];
  const command = fakeCommand(() => {
    throw new Error("a mistake");
  });
  bindButton(button, command, (error) => problems.push(error.message));
  button.fire("click");
  await turn();
  assert.deepEqual(problems, ["a mistake"]);
});
