// Names in a tree of their segments, and the patterns that choose among them: protocol.md, "Names".

/** Milliseconds of work between two pauses. */
const SLICE = 8;
/** The children of all leaves. */
const NONE = new Map();

/** One segment of a name: a branch, an entry, or both. */
class Node {
  children = NONE;
  #order;
  #isInOrder = true;
  /** Entries in this branch, itself too. */
  count = 0;
  /** The entries among them that the newest filter lets through, and the filters that have counted here and judged the name. */
  hits = 0;
  counted;
  judged;
  /** The place among the rows. */
  place = -1;
  /** The known facts of the name; undefined for a mere branch. */
  entry;

  constructor(segment, parent) {
    this.segment = segment;
    this.parent = parent;
    this.depth = parent === undefined ? -1 : parent.depth + 1;
    this.name = this.depth < 1 ? segment : `${parent.name}/${segment}`;
  }

  get isBranch() {
    return this.children.size > 0;
  }

  child(segment) {
    if (!this.isBranch) [this.children, this.#order, this.#isInOrder] = [new Map(), [], true];
    const known = this.children.get(segment);
    if (known !== undefined) return known;
    const child = new Node(segment, this);
    this.children.set(segment, child);
    // Most names come in order, and need no sorting.
    this.#isInOrder &&= !(this.#order.at(-1)?.segment > segment);
    if (this.#isInOrder) this.#order.push(child);
    return child;
  }

  remove(child) {
    this.children.delete(child.segment);
    this.#isInOrder = false;
  }

  get inOrder() {
    if (!this.#isInOrder) this.#order = [...this.children.values()].sort((one, other) => (one.segment < other.segment ? -1 : 1));
    this.#isInOrder = true;
    return this.#order ?? [];
  }
}

/** All names, and which of them are shown. */
export class Names {
  root = new Node("", undefined);
  #nodes = new Map();
  #toggled = new Set();
  #filter;
  #filterToggled = new Set();
  #opensBranches = false;
  /** Grows with each change of the rows. */
  version = 0;

  get size() {
    return this.#nodes.size;
  }

  get(name) {
    return this.#nodes.get(name);
  }

  all() {
    return this.#nodes.values();
  }

  add(name, entry) {
    let node = this.root;
    for (const segment of name.split("/")) node = node.child(segment);
    node.entry = entry;
    this.#nodes.set(name, node);
    for (let up = node; up !== undefined; up = up.parent) up.count += 1;
    if (this.isFiltered) this.#judge(node);
    this.version += 1;
  }

  remove(name) {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#nodes.delete(name);
    node.entry = undefined;
    const isHit = this.isFiltered && node.judged === this.#filter && this.#filter(name);
    node.judged = undefined;
    for (let up = node; up !== undefined; up = up.parent) {
      up.count -= 1;
      if (isHit) up.hits -= 1;
      if (up.count === 0) up.parent?.remove(up);
    }
    this.version += 1;
  }

  // MARK: Filtering

  get isFiltered() {
    return this.#filter !== undefined;
  }

  /** The number of entries that a branch shows. */
  shownIn(node) {
    if (!this.isFiltered) return node.count;
    return node.counted === this.#filter ? node.hits : 0;
  }

  /** Shows the names that a function chooses, or all. It works in slices, so that the page stays awake. */
  async filter(matches) {
    this.#filter = matches;
    this.#filterToggled.clear();
    let until = performance.now() + SLICE;
    for (const node of this.isFiltered ? this.all() : []) {
      this.#judge(node);
      if (performance.now() < until) continue;
      this.version += 1;
      await pause();
      if (this.#filter !== matches) return;
      until = performance.now() + SLICE;
    }
    this.version += 1;
  }

  /** Counts a name that the filter lets through, once. */
  #judge(node) {
    if (node.judged === this.#filter) return;
    node.judged = this.#filter;
    if (!this.#filter(node.name)) return;
    for (let up = node; up !== undefined; up = up.parent) {
      up.hits = this.shownIn(up) + 1;
      up.counted = this.#filter;
    }
  }

  // MARK: Rows

  get #exceptions() {
    return this.isFiltered ? this.#filterToggled : this.#toggled;
  }

  isOpen({ name }) {
    return (this.isFiltered || this.#opensBranches) !== this.#exceptions.has(name);
  }

  toggle(node, isOpen = !this.isOpen(node)) {
    if (isOpen === this.isOpen(node)) return;
    if (!this.#exceptions.delete(node.name)) this.#exceptions.add(node.name);
    this.version += 1;
  }

  /** Opens all branches, and those to come, until somebody closes them. */
  openBranches() {
    this.#opensBranches = true;
    this.#toggled.clear();
    this.version += 1;
  }

  /** Opens every branch above a name. */
  reveal(node) {
    for (let up = node.parent; up.parent !== undefined; up = up.parent) this.toggle(up, true);
  }

  /** The nodes that have a row now, in order. */
  rows() {
    const rows = [];
    const visit = (branch) => {
      for (const node of branch.inOrder) {
        if (this.shownIn(node) === 0) continue;
        rows.push(node);
        if (node.isBranch && this.isOpen(node)) visit(node);
      }
    };
    visit(this.root);
    return rows;
  }
}

/** Lets input, drawing and messages go first. */
const pause = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

// MARK: Patterns

/** The pattern of a branch with everything in it. */
export const below = (name) => [name, "**"].join("/");

/** The fault of a pattern in words; undefined if it has none. */
export function faultOf(pattern) {
  const segments = pattern.split("/");
  if (segments.some((segment) => segment.includes("*") && segment !== "*" && segment !== "**")) {
    return "A * stands for a whole segment: home/* or **/temp.";
  }
  return segments.includes("") ? "A pattern has no empty segments." : undefined;
}

/** A function that returns whether a name matches: a pattern of the protocol, or else a part of the name. */
export function matcher(text) {
  if (!text.includes("*")) {
    const sought = text.toLowerCase();
    return (name) => name.toLowerCase().includes(sought);
  }
  const pattern = text.split("/");
  return (name) => matches(pattern, name.split("/"));
}

/** A `**` takes as few segments as it can, and one more whenever the rest does not match. */
function matches(pattern, segments) {
  if (segments[0].startsWith("$") && pattern[0].startsWith("*")) return false;
  let [at, place, star, from] = [0, 0, -1, 0];
  while (place < segments.length) {
    if (pattern[at] === "**") {
      [star, from] = [at, place];
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "*" || pattern[at] === segments[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      from += 1;
      [at, place] = [star + 1, from];
    } else {
      return false;
    }
  }
  while (pattern[at] === "**") at += 1;
  return at === pattern.length;
}
