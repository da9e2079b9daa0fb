// Names in a tree of their segments, and the patterns that choose among them: protocol.md, "Names".

/** One segment of a name: a branch, an entry, or both. */
class Node {
  children;
  #order = [];
  #isInOrder = true;
  /** Entries in this branch, itself too. */
  count = 0;
  /** The entries among them that pass the filter, in the filtering whose number is `filtering`; `judged` is that of the name. */
  hits = 0;
  filtering = 0;
  judged = 0;
  /** The place among the rows. */
  place = -1;
  /** What is known of the name; undefined for a mere branch. */
  entry;

  constructor(segment, parent) {
    this.segment = segment;
    this.parent = parent;
    this.depth = parent === undefined ? -1 : parent.depth + 1;
    this.name = this.depth < 1 ? segment : `${parent.name}/${segment}`;
  }

  get isBranch() {
    return this.children !== undefined && this.children.size > 0;
  }

  child(segment) {
    this.children ??= new Map();
    let child = this.children.get(segment);
    if (child !== undefined) return child;
    child = new Node(segment, this);
    this.children.set(segment, child);
    // Most names come in order, and need no sorting.
    if (this.#isInOrder && (this.#order.length === 0 || this.#order.at(-1).segment < segment)) this.#order.push(child);
    else this.#isInOrder = false;
    return child;
  }

  remove(child) {
    this.children.delete(child.segment);
    this.#isInOrder = false;
  }

  get inOrder() {
    if (!this.#isInOrder) {
      this.#order = [...this.children.values()].sort((one, other) => (one.segment < other.segment ? -1 : 1));
      this.#isInOrder = true;
    }
    return this.#order;
  }
}

/** All names, and which of them are shown. */
export class Names {
  root = new Node("", undefined);
  #nodes = new Map();
  #toggled = new Set();
  #filter;
  #filtering = 0;
  #filterToggled = new Set();
  /** Whether branches are open until somebody closes them. */
  opensBranches = false;
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

  /** The node of a name, made if there is none. */
  add(name, entry) {
    let node = this.root;
    for (const segment of name.split("/")) node = node.child(segment);
    node.entry = entry;
    this.#nodes.set(name, node);
    for (let up = node; up !== undefined; up = up.parent) up.count += 1;
    if (this.#filter !== undefined) this.#judge(node);
    this.version += 1;
    return node;
  }

  remove(name) {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#nodes.delete(name);
    node.entry = undefined;
    const wasHit = this.#filter !== undefined && node.judged === this.#filtering && this.#filter(name);
    for (let up = node; up !== undefined; up = up.parent) {
      up.count -= 1;
      if (wasHit) up.hits -= 1;
      if (up.count === 0 && up.parent !== undefined) up.parent.remove(up);
    }
    this.version += 1;
  }

  // MARK: Filtering

  get isFiltered() {
    return this.#filter !== undefined;
  }

  get hits() {
    return this.#filter === undefined ? this.root.count : this.#hitsOf(this.root);
  }

  /** Shows the names that a function chooses, or all; works in slices, so that the page stays awake. */
  async filter(matches) {
    this.#filter = matches;
    this.#filtering += 1;
    this.#filterToggled.clear();
    this.version += 1;
    if (matches === undefined) return;
    const filtering = this.#filtering;
    let until = performance.now() + 8;
    for (const node of this.#nodes.values()) {
      this.#judge(node);
      if (performance.now() < until) continue;
      this.version += 1;
      await pause();
      if (filtering !== this.#filtering) return;
      until = performance.now() + 8;
    }
    this.version += 1;
  }

  /** Counts a name that the filter lets through, once in each filtering. */
  #judge(node) {
    if (node.judged === this.#filtering) return;
    node.judged = this.#filtering;
    if (!this.#filter(node.name)) return;
    for (let up = node; up !== undefined; up = up.parent) {
      up.hits = this.#hitsOf(up) + 1;
      up.filtering = this.#filtering;
    }
  }

  #hitsOf(node) {
    return node.filtering === this.#filtering ? node.hits : 0;
  }

  /** The number of entries that a branch shows. */
  shownIn(node) {
    return this.#filter === undefined ? node.count : this.#hitsOf(node);
  }

  // MARK: Rows

  isOpen(node) {
    if (this.#filter !== undefined) return !this.#filterToggled.has(node.name);
    return this.opensBranches !== this.#toggled.has(node.name);
  }

  toggle(node, isOpen = !this.isOpen(node)) {
    if (isOpen === this.isOpen(node)) return;
    const toggled = this.#filter === undefined ? this.#toggled : this.#filterToggled;
    if (!toggled.delete(node.name)) toggled.add(node.name);
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
        if (this.#filter !== undefined && this.#hitsOf(node) === 0) continue;
        rows.push(node);
        if (node.isBranch && this.isOpen(node)) visit(node);
      }
    };
    if (this.root.isBranch) visit(this.root);
    return rows;
  }
}

/** Lets input, drawing and messages go first. */
export function pause() {
  if (globalThis.scheduler?.yield !== undefined) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });
}

// MARK: Patterns

/** The fault of a pattern in words; undefined if it has none. */
export function faultOf(pattern) {
  const segments = pattern.split("/");
  if (segments.some((segment) => segment.includes("*") && segment !== "*" && segment !== "**")) {
    return "a * stands for a whole segment: home/* or **/temp";
  }
  return segments.includes("") ? "a pattern has no empty segments" : undefined;
}

/** A function that tells whether a name matches: a pattern of the protocol, or else a part of the name. */
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
