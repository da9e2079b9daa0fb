// JSON texts as they are written: laid out, taken apart and put together without a number losing its digits.

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** The width of a line of a laid-out text. */
const WIDTH = 76;

/** The text without the white space between its parts. */
export const compact = (text) => text.match(TOKEN).join("");

/** The kind of value: `string`, `number`, `boolean`, `null`, `object` or `array`. */
export function kindOf(text) {
  const first = text.trimStart()[0];
  return { '"': "string", "{": "object", "[": "array", t: "boolean", f: "boolean", n: "null" }[first] ?? "number";
}

/** The members of an object: their texts by their keys. The text was read by `JSON.parse` before. */
export function membersOf(text) {
  const members = new Map();
  let [depth, key, start] = [0, undefined, 0];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isClosing = token === "}" || token === "]";
    if (depth === 1 && (token === "," || isClosing) && key !== undefined) {
      members.set(key, text.slice(start, index).trim());
      key = undefined;
    } else if (depth === 1 && token === ":" && start < 0) {
      start = index + 1;
    } else if (depth === 1 && key === undefined && token[0] === '"') {
      [key, start] = [JSON.parse(token), -1];
    }
    if (token === "{" || token === "[") depth += 1;
    if (isClosing) depth -= 1;
  }
  return members;
}

/**
 * Lays a text out over lines.
 *
 * @returns {{ text: string, kind?: string }[]} Pieces; a piece with a kind is a key or a scalar value.
 */
export function laidOut(text) {
  const pieces = [];
  const put = (part, kind) => pieces.push({ text: part, kind });
  const putKey = (key) => {
    if (key === undefined) return;
    put(key, "key");
    put(": ");
  };
  const write = (node, indent, used) => {
    if (node.items === undefined) return put(node.text, node.kind);
    if (node.length + used <= WIDTH || node.items.length === 0) return writeLine(node);
    const inner = `${indent}  `;
    put(`${node.open}\n`);
    node.items.forEach(({ key, value }, at) => {
      put(inner);
      putKey(key);
      write(value, inner, inner.length + (key?.length ?? 0) + 2);
      put(at < node.items.length - 1 ? ",\n" : "\n");
    });
    put(indent + node.close);
  };
  const writeLine = (node) => {
    if (node.items === undefined) return put(node.text, node.kind);
    put(node.open);
    node.items.forEach(({ key, value }, at) => {
      if (at > 0) put(", ");
      putKey(key);
      writeLine(value);
    });
    put(node.close);
  };
  write(tree(text.match(TOKEN)), "", 0);
  return pieces;
}

/** The nested parts of a text, with the length that each has on one line. Values are at most 64 deep. */
function tree(tokens) {
  let at = 0;
  const read = () => {
    const text = tokens[at++];
    if (text !== "{" && text !== "[") return { text, length: text.length, kind: kindOf(text) };
    const node = { open: text, close: text === "{" ? "}" : "]", items: [], length: 2 };
    while (tokens[at] !== node.close) {
      let key;
      if (text === "{") [key, at] = [tokens[at], at + 2];
      const value = read();
      node.items.push({ key, value });
      node.length += value.length + (key === undefined ? 0 : key.length + 2) + 2;
      if (tokens[at] === ",") at += 1;
    }
    at += 1;
    return node;
  };
  return read();
}

/** The fault of a JSON text in words; undefined if it has none. */
export function faultOfJSON(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${error.message}.`;
  }
}
