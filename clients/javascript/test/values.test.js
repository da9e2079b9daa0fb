import assert from "node:assert/strict";
import { test } from "node:test";
import { Message, encode, fits, freeze, raw, textOf } from "../rac/values.js";

const values = ["1.50", "-0", "1e400", "true", "null", '"a\\"b\\\\"', '"\\\\\\""', "[]", "{}", '[1, "]", {"a": "}"}]', '{"a":{"b":[1,{}]}}', '"é😀"'];

test("The text of each member is found, wherever it stands", () => {
  for (const text of values) {
    for (const message of [
      `{"op":"next","value":${text}}`,
      `{"value": ${text} ,"op":"next"}`,
      ` { "a" : "\\"value\\":" , "op" : "next" , "value" : ${text}\n}`,
      `{"op":"next","nested":{"value":0},"list":["value",{"value":1}],"v\\u0061lue":${text}}`,
    ]) {
      assert.equal(new Message(message).text("value").raw, text, message);
    }
  }
});

test("A message without a member has no text for it, and null is a text", () => {
  const message = new Message('{"op":"next","value":null}');
  assert.equal(message.text("wish"), undefined);
  assert.equal(message.text("toString"), undefined);
  assert.equal(message.text("value").value, null);
});

test("A text that is no message is refused", () => {
  for (const text of ["", "null", "[]", "{}", '{"op":1}', '{"op":"ping"} x', "{"]) {
    assert.throws(() => new Message(text), SyntaxError, text);
  }
});

test("A text and its value are read once, and compared by the text", () => {
  const text = raw(" [1.0] ");
  assert.equal(text.raw, "[1.0]");
  assert.equal(text.value, text.value);
  assert.ok(text.equals(raw("[1.0]")));
  assert.ok(!text.equals(raw("[1]")));
  assert.ok(!text.equals(undefined));
});

test("A value of the program becomes a text, unless JSON has none for it", () => {
  assert.equal(textOf({ a: undefined, b: [1] }).raw, '{"b":[1]}');
  assert.equal(textOf(2n ** 64n).raw, "18446744073709551616");
  assert.equal(textOf(raw("1.0")).raw, "1.0");
  for (const value of [undefined, NaN, -Infinity, () => {}, Symbol("a")]) assert.throws(() => textOf(value), TypeError);
});

test("A number or a date deep in a value that JSON has not is refused, and null is not", () => {
  for (const lost of [NaN, Infinity, new Date(NaN), raw("1e400")]) {
    for (const value of [{ a: { b: lost } }, [0, lost], [null, { a: "null", b: lost }]]) assert.throws(() => textOf(value), TypeError);
  }
  assert.throws(() => textOf({ price: NaN }), /NaN of price has no JSON form/);
  assert.throws(() => textOf(new Date(NaN)), TypeError);
  const kept = { a: null, b: [raw("null")], c: "null", d: new Date(0), e: undefined };
  assert.equal(textOf(kept).raw, '{"a":null,"b":[null],"c":"null","d":"1970-01-01T00:00:00.000Z"}');
});

test("A text's value is frozen in each part, and may be deep", () => {
  const { value } = raw('{"list":[{"a":1}],"b":null,"__proto__":[1]}');
  assert.throws(() => value.list.push(2), TypeError);
  assert.throws(() => (value.list[0].a = 2), TypeError);
  assert.throws(() => (value.c = 2), TypeError);
  assert.ok(Object.isFrozen(Object.entries(value)[2][1]));
  let deep = [];
  const inner = deep;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  freeze(deep);
  assert.ok(Object.isFrozen(inner));
});

test("A message has its members, then its texts, and leaves out what is undefined", () => {
  assert.equal(encode({ op: "next", t: 1, if: undefined }, { value: "1.0", other: undefined }), '{"op":"next","t":1,"value":1.0}');
  assert.equal(encode({}, { value: "1" }), '{"value":1}');
});

test("The length of a message counts bytes of UTF-8", () => {
  assert.ok(fits("aaa", 3));
  assert.ok(!fits("aaaa", 3));
  assert.ok(!fits("ääa", 4));
  assert.ok(fits("ää", 4));
  assert.ok(!fits("€€", 5));
});
