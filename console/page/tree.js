// The rows of a tree of names, made for what is seen only: https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/

import { count, h, put, setText, shown } from "./dom.js";

/** Milliseconds between two drawings of new values: more often, nobody could read them. */
const REDRAW = 100;

/** A row that is reused for one name after another. */
class Row {
  element;
  #cells;
  #node;
  #shown = {};

  constructor(number) {
    const twisty = h("span.twisty", { "aria-hidden": "true" });
    const name = h("span.segment");
    const counted = h("span.count");
    this.#cells = { twisty, name, counted, first: h("span", { role: "gridcell", class: "name" }, twisty, name, counted) };
    this.#cells.value = h("span", { role: "gridcell", class: "value" });
    this.#cells.age = h("span", { role: "gridcell", class: "age" });
    const { first, value, age } = this.#cells;
    this.element = h("div", { role: "row", class: "row", id: `row-${number}` }, first, value, age);
    this.element.addEventListener("animationend", () => this.element.classList.remove("flash"));
  }

  get node() {
    return this.#node;
  }

  /** Shows a node in a place; `isFresh` says that the row belonged to another one. */
  show(node, { index, top, number, isOpen, isActive, isSelected, cells }) {
    const { element } = this;
    const isFresh = this.#node !== node;
    this.#node = node;
    if (isFresh) {
      element.dataset.name = node.name;
      element.classList.remove("flash");
      put(this.#cells.name, shown(node.segment));
      element.style.setProperty("--depth", node.depth);
      element.setAttribute("aria-level", node.depth + 1);
    }
    this.#set("top", top, () => (element.style.transform = `translateY(${top}px)`));
    this.#set("index", index, () => element.setAttribute("aria-rowindex", index + 2));
    this.#set("open", isOpen, () => {
      if (isOpen === undefined) element.removeAttribute("aria-expanded");
      else element.setAttribute("aria-expanded", isOpen);
    });
    this.#set("active", isActive, () => element.classList.toggle("active", isActive));
    this.#set("selected", isSelected, () => element.setAttribute("aria-selected", isSelected));
    setText(this.#cells.counted, number === undefined ? "" : count(number));
    const { state = "", value = "", age = "", mark = 0, title = "" } = cells;
    this.#set("state", state, () => (element.dataset.state = state));
    this.#set("value", value, () => put(this.#cells.value, shown(value)));
    this.#set("title", title, () => (this.#cells.value.title = title));
    setText(this.#cells.age, age);
    if (!isFresh && this.#shown.mark !== mark) element.classList.add("flash");
    this.#shown.mark = mark;
  }

  #set(key, value, write) {
    if (this.#shown[key] === value && key in this.#shown) return;
    this.#shown[key] = value;
    write();
  }
}

/** A tree of names with its keyboard. */
export class Tree {
  #element;
  #canvas;
  #names;
  #cellsOf;
  #opened;
  #rows = [];
  #version = -1;
  #used = new Map();
  #free = [];
  #made = 0;
  #height = 24;
  #active;
  #selected;
  #isAsked = false;
  #flattenedAt = 0;
  #flattenTime = 0;
  isPaused = false;

  /**
   * @param {HTMLElement} element A scrolling `treegrid` that can have the focus.
   * @param {object} parts `cells` tells what a node's row shows, `opened` that a person opens a node.
   */
  constructor(element, { names, cells, opened, drawn = () => {} }) {
    this.#element = element;
    this.#canvas = element.querySelector(".rows");
    this.#names = names;
    this.#cellsOf = cells;
    this.#opened = opened;
    this.drawn = drawn;
    element.addEventListener("scroll", () => this.#ask());
    element.addEventListener("keydown", (event) => this.#pressed(event));
    element.addEventListener("click", (event) => this.#clicked(event));
    element.addEventListener("focus", () => this.#active ?? this.#activate(0));
    new ResizeObserver(() => this.refresh()).observe(element);
    this.#measure();
    setInterval(() => this.#tick(), REDRAW);
  }

  /** The nodes whose rows are seen. */
  get seen() {
    return [...this.#used.keys()];
  }

  get active() {
    return this.#active;
  }

  get names() {
    return this.#names;
  }

  /** Draws soon, whether or not something is known to have changed. */
  refresh() {
    this.#measure();
    this.#ask();
  }

  /** Marks the name that the page shows, and brings its row into view. */
  select(name) {
    this.#selected = name;
    const node = name === undefined ? undefined : this.#names.get(name);
    if (node === undefined || node === this.#active) return this.#ask();
    if (!this.#names.isFiltered) this.#names.reveal(node);
    this.#active = node;
    this.#flatten();
    const place = this.#placeOf(node);
    if (place !== undefined) this.#scrollTo(place);
    this.#ask();
  }

  #measure() {
    this.#height = parseFloat(getComputedStyle(this.#element).getPropertyValue("--row")) || 24;
  }

  /** The place of a node among the rows; undefined if it has none. */
  #placeOf(node) {
    return node !== undefined && this.#rows[node.place] === node ? node.place : undefined;
  }

  // MARK: Drawing

  /** New values and ages are drawn at a steady pace, scrolling and keys at once. */
  #tick() {
    if (this.isPaused || document.hidden || this.#element.offsetParent === null) return;
    this.#ask();
  }

  #ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  /** Finds the rows anew. A large tree does that less often, so that it takes a tenth of the time at most. */
  #flatten() {
    if (this.#version === this.#names.version) return;
    const now = performance.now();
    this.#version = this.#names.version;
    this.#rows = this.#names.rows();
    this.#rows.forEach((node, place) => (node.place = place));
    this.#flattenedAt = performance.now();
    this.#flattenTime = this.#flattenedAt - now;
  }

  #draw() {
    const now = performance.now();
    if (now - this.#flattenedAt > this.#flattenTime * 10) this.#flatten();
    const { scrollTop, clientHeight } = this.#element;
    const first = Math.max(0, Math.floor(scrollTop / this.#height) - 4);
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / this.#height) + 4);
    this.#canvas.style.height = `${this.#rows.length * this.#height}px`;
    this.#element.setAttribute("aria-rowcount", this.#rows.length + 1);
    const wanted = new Set(this.#rows.slice(first, last));
    const activePlace = this.#placeOf(this.#active);
    // The active row stays, because the focus names it.
    if (activePlace !== undefined) wanted.add(this.#active);
    for (const [node, row] of this.#used) {
      if (wanted.has(node)) continue;
      this.#used.delete(node);
      this.#free.push(row);
      row.element.hidden = true;
    }
    for (const node of wanted) this.#drawRow(node, this.#placeOf(node));
    const row = this.#used.get(this.#active);
    if (row === undefined) this.#element.removeAttribute("aria-activedescendant");
    else this.#element.setAttribute("aria-activedescendant", row.element.id);
    this.drawn();
  }

  #drawRow(node, index) {
    let row = this.#used.get(node);
    if (row === undefined) {
      row = this.#free.pop() ?? this.#makeRow();
      row.element.hidden = false;
      this.#used.set(node, row);
    }
    const isOpen = node.isBranch ? this.#names.isOpen(node) : undefined;
    row.show(node, {
      index,
      top: index * this.#height,
      number: node.isBranch ? this.#names.shownIn(node) : undefined,
      isOpen,
      isActive: node === this.#active,
      isSelected: node.entry !== undefined && node.name === this.#selected,
      cells: node.entry === undefined ? {} : this.#cellsOf(node),
    });
  }

  #makeRow() {
    this.#made += 1;
    const row = new Row(`${this.#element.id}-${this.#made}`);
    this.#canvas.append(row.element);
    return row;
  }

  // MARK: Keys and clicks

  #activate(place) {
    if (this.#rows.length === 0) return;
    const index = Math.max(0, Math.min(this.#rows.length - 1, place));
    this.#active = this.#rows[index];
    this.#scrollTo(index);
    this.#ask();
  }

  #scrollTo(index) {
    const top = index * this.#height;
    const head = this.#canvas.offsetTop;
    const { scrollTop, clientHeight } = this.#element;
    if (top < scrollTop) this.#element.scrollTop = top;
    else if (top + this.#height + head > scrollTop + clientHeight) this.#element.scrollTop = top + this.#height + head - clientHeight;
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.#placeOf(this.#active) ?? -1;
    const page = Math.max(1, Math.floor(this.#element.clientHeight / this.#height) - 2);
    const acts = {
      ArrowDown: () => this.#activate(place + 1),
      ArrowUp: () => this.#activate(place - 1),
      PageDown: () => this.#activate(place + page),
      PageUp: () => this.#activate(place - page),
      Home: () => this.#activate(0),
      End: () => this.#activate(this.#rows.length - 1),
      ArrowRight: () => this.#goIn(place),
      ArrowLeft: () => this.#goOut(),
      Enter: () => this.#open(this.#active),
      " ": () => this.#open(this.#active),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  #goIn(place) {
    const node = this.#active;
    if (!node?.isBranch) return;
    if (this.#names.isOpen(node)) this.#activate(place + 1);
    else this.#toggle(node);
  }

  #goOut() {
    const node = this.#active;
    if (node === undefined) return;
    if (node.isBranch && this.#names.isOpen(node)) return this.#toggle(node);
    if (node.depth > 0) this.#activate(this.#placeOf(node.parent));
  }

  #toggle(node) {
    this.#names.toggle(node);
    this.#flatten();
    this.#ask();
  }

  #open(node) {
    if (node === undefined) return;
    if (node.entry === undefined) this.#toggle(node);
    else this.#opened(node.name);
  }

  #clicked(event) {
    const row = event.target.closest(".row");
    const node = [...this.#used].find(([, { element }]) => element === row)?.[0];
    if (node === undefined) return;
    this.#active = node;
    if (event.target.closest(".twisty") !== null && node.isBranch) this.#toggle(node);
    else this.#open(node);
    this.#ask();
  }
}
