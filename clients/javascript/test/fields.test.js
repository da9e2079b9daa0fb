import assert from "node:assert/strict";
import { test } from "node:test";
import { bindButton } from "../rac/buttons.js";
import { Edit, bindInput, placeAfter } from "../rac/fields.js";
import { Cell } from "../rac/cells.js";
import { RacError } from "../rac/errors.js";
import { raw, textOf } from "../rac/values.js";
import { FakeElement, FakeField, FakeProperty, fakeTimers } from "./support/elements.js";

function bound(type, text, parts = {}) {
  const [field, property] = [new FakeField(type), new FakeProperty()];
  Object.assign(field, parts);
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

test("An edit is over a second after the last key, and the field shows the arrival with its caret in place", (t) => {
  const timers = fakeTimers(t);
  const { field, property } = bound("text", textOf("h"));
  field.typeIn("hello");
  timers.pass(900);
  field.typeIn("hello!");
  property.arrive(textOf("hello! world"));
  timers.pass(900);
  assert.equal(field.value, "hello!");
  timers.pass(100);
  assert.deepEqual([field.value, field.selectionStart], ["hello! world", 6]);
  property.arrive(textOf("oh, hello! world"));
  assert.deepEqual([field.value, field.selectionStart], ["oh, hello! world", 10]);
  field.typeIn("oh, hello!! world", 11);
  assert.equal(property.sent.at(-1), '"oh, hello!! world"');
});

test("An input method that waits for a second is not disturbed", (t) => {
  const timers = fakeTimers(t);
  const { field, property } = bound("text", textOf("old"));
  field.fire("compositionstart");
  field.typeIn("k");
  property.arrive(textOf("theirs"));
  timers.pass(5_000);
  assert.equal(field.value, "k");
});

test("Half a number stays a second later, and a number as it was typed", (t) => {
  const timers = fakeTimers(t);
  const { field, property } = bound("number", raw("5"));
  for (const text of ["", "-", ".5", "1.50"]) {
    field.typeIn(text);
    timers.pass(1_000);
    assert.equal(field.value, text);
  }
  property.arrive(raw("7"));
  assert.equal(field.value, "7");
});

test("A field that is unbound leaves no timer", (t) => {
  const timers = fakeTimers(t);
  const { field, unbind } = bound("text", undefined, { form: new FakeElement() });
  field.typeIn("a");
  field.form.fire("reset");
  unbind();
  field.form.fire("reset");
  assert.ok(timers.isEmpty);
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

test("Of radio buttons the one with the channel's value is checked, and the checked one sends its value", () => {
  const { field: off, property } = bound("radio", textOf("off"), { value: "off" });
  const { field: eco, property: other } = bound("radio", textOf("off"), { value: "eco" });
  assert.deepEqual([off.value, off.checked, eco.value, eco.checked], ["off", true, "eco", false]);
  eco.checked = true;
  eco.fire("input");
  eco.fire("change");
  assert.deepEqual(other.sent, ['"eco"']);
  property.arrive(textOf("eco"));
  assert.deepEqual([off.value, off.checked, eco.checked, property.sent], ["off", false, true, []]);
  const { field: one } = bound("radio", raw("1"), { value: "1" });
  assert.equal(one.checked, true);
});

test("A selection of several options has an array of strings", () => {
  const options = ["a", "b", "c"].map((value) => ({ value, selected: false }));
  const { field, property } = bound("select-multiple", raw('["a"]'), { options });
  const chosen = () => options.filter(({ selected }) => selected).map(({ value }) => value);
  assert.deepEqual(chosen(), ["a"]);
  options[2].selected = true;
  field.fire("input");
  field.fire("change");
  assert.deepEqual(property.sent, ['["a","c"]']);
  for (const [text, expected] of [['["b","z"]', ["b"]], ['"c"', ["c"]], ["[]", []], ["null", []]]) {
    property.arrive(raw(text));
    assert.deepEqual(chosen(), expected, text);
  }
});

test("A field for files and a button are refused at once", () => {
  for (const type of ["file", "button", "submit", "reset", "image"]) {
    assert.throws(() => bindInput(new FakeField(type), new FakeProperty()), TypeError, type);
  }
});

test("A reset of the form is an edit, unless the page prevents it", (t) => {
  const timers = fakeTimers(t);
  const form = new FakeElement();
  const { field, property } = bound("text", textOf("old"), { form });
  const { field: number, property: other } = bound("number", raw("5"), { form });
  form.fire("reset");
  field.value = number.value = "";
  timers.pass(0);
  assert.deepEqual([property.sent, field.value], [['""'], ""]);
  assert.deepEqual([other.sent, number.value], [[], "5"]);
  property.arrive(textOf("new"));
  form.addEventListener("reset", (event) => event.preventDefault());
  form.fire("reset");
  timers.pass(0);
  assert.deepEqual([property.sent, field.value], [['""'], "new"]);
});

test("A text field is empty for null", () => {
  for (const type of ["text", "textarea", "select-one"]) assert.equal(bound(type, raw("null")).field.value, "");
});

test("The caret of a text area counts a line end of two characters as the one that the area has", () => {
  const { field, property } = bound("textarea", textOf("a\r\nb"));
  field.isFocused = true;
  field.setSelectionRange(2, 2);
  property.arrive(textOf("x\r\na\r\nb"));
  assert.deepEqual([field.value, field.selectionStart], ["x\na\nb", 4]);
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
